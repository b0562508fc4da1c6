package import BackupDiagnostics
package import Foundation

/// A folder for temporary files that only its user can access.
///
/// The folder is removed with its last reference. If the process is killed, the next process
/// that creates a container or a scratch folder in the same place removes the folder.
package final class ScratchFolder: Sendable {
  private let folder: DeviceFolder
  package var url: URL { folder.url }

  /// Creates an empty folder, by default in the folder for containers.
  package init(in parent: URL? = nil) throws(RunError) {
    let parent = parent?.resolvingSymlinksInPath() ?? DeviceFolder.usualParent
    folder = try DeviceFolder.makeTemporary(in: parent) {
      "the temporary folder cannot be created: \($0)"
    }
  }

  /// Creates a folder at `path`, completely or not at all. `fill` creates the folder at a temporary
  /// path beside it. The kit then renames that folder.
  package static func makeFolder(at path: String, by fill: (URL) throws -> Void) throws {
    let target = URL(fileURLWithPath: path.hasPrefix("~") ? "./\(path)" : path).absoluteURL
    try requireNothing(at: target)
    let scratch = try ScratchFolder(in: target.deletingLastPathComponent())
    defer { withExtendedLifetime(scratch) {} }
    let temporaryURL = scratch.url.appendingPathComponent("new", isDirectory: true)
    try fill(temporaryURL)
    try requireNothing(at: target)
    guard rename(temporaryURL.path, target.path) == 0 else {
      throw RunError(.unwritable, String(cString: strerror(errno)).lowercased())
    }
  }

  private static func requireNothing(at target: URL) throws(RunError) {
    guard FileKind(at: target.path, followingLinks: false) != nil else { return }
    throw RunError(
      .unwritable, "the folder already exists; name a new one, or remove this one first")
  }

  deinit {
    DeviceFolder.remove(folder)
    UnfinishedWork.shared.end()
  }
}
