package import Foundation

extension URL {
  /// Creates a folder at this URL, with all missing folders above it.
  ///
  /// Foundation's own function recurses until the stack is full if the system can examine none of
  /// these folders, for example on a volume that has failed.
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
