package import BackupDiagnostics
package import BackupFileTree
package import Foundation

/// The directory of an app's container, in which the kit moves files while the app does not run.
///
/// The app may have replaced a directory with a link to anywhere, so no call follows a link in the
/// container. A change that the system refuses is skipped. A fault of the machine is an error.
package struct ContainerHome: Sendable {
  private let directory: DiskPath

  /// Opens the parent folder, if the system permits it, so that later calls need not find it again.
  package init(_ url: URL) {
    let parent = url.deletingLastPathComponent()
    let name = Array(url.lastPathComponent.utf8)
    let folder = try? DeviceFolder(at: parent)
    self.directory = folder.map { DiskPath(url, in: $0) } ?? DiskPath(parent).appending(name)
  }

  /// Runs system calls on an item. Returns nil if the system refuses them.
  private func attempt<Result>(
    _ path: ContainerPath, _ calls: (DiskPath) throws(SystemError) -> Result
  ) throws(RunError) -> Result? {
    let diskPath = directory.appending(path.bytes)
    do throws(SystemError) {
      return try SystemError.nilIfRefused { () throws(SystemError) in try calls(diskPath) }
    } catch {
      throw RunError(unavailablePath: diskPath.string, reason: "cannot be prepared: \(error)")
    }
  }

  /// Returns true if an item exists. A link counts as an item. Returns false if the system refuses
  /// to examine the item.
  package func holds(_ path: ContainerPath) throws(RunError) -> Bool {
    try attempt(path) { diskPath throws(SystemError) in try diskPath.status() != nil } ?? false
  }

  /// Creates a directory and the missing directories above it.
  package func makeDirectory(_ path: ContainerPath) throws(RunError) {
    for directory in path.ancestors + [path] where try !holds(directory) {
      _ = try attempt(directory) { diskPath throws(SystemError) in try diskPath.makeDirectory() }
    }
  }

  /// Moves an existing item to a path where nothing exists. Returns false if it was not moved.
  package func move(
    _ path: ContainerPath, to destination: ContainerPath
  ) throws(RunError) -> Bool {
    guard try holds(path), try !holds(destination) else { return false }
    if let parent = destination.parent { try makeDirectory(parent) }
    let target = directory.appending(destination.bytes)
    return try attempt(path) { diskPath throws(SystemError) in try diskPath.rename(to: target) }
      != nil
  }

  /// Removes a directory if it is empty. Returns false if it was not removed.
  @discardableResult
  package func removeEmptyDirectory(_ path: ContainerPath) throws(RunError) -> Bool {
    try attempt(path) { diskPath throws(SystemError) in try diskPath.removeEmptyDirectory() } != nil
  }
}
