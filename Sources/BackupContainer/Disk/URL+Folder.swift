package import Foundation

extension URL {
  /// Creates a folder at this URL, with all missing folders above it.
  ///
  /// Foundation's own function is not used, because on a volume that has failed, it recurses until
  /// the stack is full.
  package func makeFolder() throws {
    guard mkdir(path, 0o777) != 0 else { return }
    let error = errno
    switch error {
    case EEXIST where FileKind(at: path, followingLinks: true) == .folder: break
    case ENOENT where pathComponents.count > 1:
      try deletingLastPathComponent().makeFolder()
      try makeFolder()
    default: throw NSError(domain: NSPOSIXErrorDomain, code: Int(error))
    }
  }
}
