package import BackupDiagnostics
package import Foundation

/// A folder for short-lived files, for its user only. It is removed with the last reference or, if
/// the process was killed, when another such folder or a container is made beside it.
package final class ScratchFolder: Sendable {
  private let folder: DeviceFolder
  package var url: URL { folder.url }

  /// Makes an empty folder, by default where containers are made.
  package init(in parent: URL? = nil) throws(RunError) {
    let parent = parent?.resolvingSymlinksInPath() ?? DeviceFolder.usualParent
    DeviceFolder.sweepOnce(parent)
    UnfinishedWork.shared.begin()
    do throws(SystemError) {
      folder = try DeviceFolder.make(in: parent)
    } catch {
      UnfinishedWork.shared.end()
      throw RunError(
        path: parent.path,
        reason:
          "the temporary folder cannot be created: \(error)")
    }
  }

  deinit {
    DeviceFolder.remove(folder)
    UnfinishedWork.shared.end()
  }
}
