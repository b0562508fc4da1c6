import Foundation

/// What is at a path on disk, for files that are named to the kit.
package enum FileKind: Hashable, Sendable {
  case file
  case folder
  case link
  case pipe
  case socket
  /// A device, such as a terminal or a disk.
  case device

  /// What is at a path, which is not opened; nil if it does not exist or cannot be looked at.
  package init?(at path: String, followingLinks followsLinks: Bool) {
    var status = stat()
    guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    self.init(mode: status.st_mode)
  }

  /// What an open file is; nil if that cannot be found out.
  init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(mode: status.st_mode)
  }

  private init(mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    case S_IFLNK: self = .link
    case S_IFIFO: self = .pipe
    case S_IFSOCK: self = .socket
    default: self = .device
    }
  }

  /// The kind with its article, for the middle of a sentence.
  package var inWords: String {
    switch self {
    case .file: "a file"
    case .folder: "a folder"
    case .link: "a link"
    case .pipe: "a pipe"
    case .socket: "a socket"
    case .device: "a device"
    }
  }
}
