import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree

extension ScenarioRun {
  /// What a file on disk holds; empty if it does not exist.
  func bytes(of path: ContainerPath) throws(StepFailure) -> [UInt8] {
    try onDisk(try disk.bytes(of: path, in: tree)) ?? []
  }

  /// How many bytes a file had in the latest backup of a label; nil where that holds no such file.
  func size(of path: ContainerPath, inBackup label: String) throws(StepFailure) -> Int64? {
    guard let backup = state.backups[label] else {
      throw StepFailure("no backup '\(label.shown)' was taken before this step")
    }
    return backup.set.contains(path) ? backup.containers.tree[path]?.size : nil
  }

  /// Where a file first holds something else than in the latest backup of a label; nil for nowhere.
  func firstDifference(
    of path: ContainerPath, fromBackup label: String
  ) throws(StepFailure) -> Int64? {
    guard let archive = archives[label]?.files else { return nil }
    let container = try directory()
    return try onDisk(try container.firstDifference(of: path, from: archive))
  }
}
