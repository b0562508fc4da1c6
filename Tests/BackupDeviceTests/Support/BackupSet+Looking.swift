import BackupDevice
import BackupFileTree
import Testing

extension FileTree {
  /// What a backup of the newest system holds of this tree.
  func backedUp(container: SystemProfile.ContainerKind = .app) throws -> BackupSet {
    let profile = try #require(SystemProfile.newest)
    return BackupSimulator(profile: profile, container: container).backUp(self)
  }

  /// What a backup of a system holds of this tree.
  func backedUp(by version: String, container: SystemProfile.ContainerKind = .app) throws
    -> BackupSet
  {
    let profile = try #require(SystemProfile(version: version))
    return BackupSimulator(profile: profile, container: container).backUp(self)
  }
}

extension BackupSet {
  /// Whether the item at a path is in the backup.
  func holds(_ text: String) throws -> Bool {
    contains(try ContainerPath(text))
  }

  /// Why the item at a path is left out, or nil for one that is in.
  func reason(_ text: String) throws -> LeftOutReason? {
    try #require(decision(on: try ContainerPath(text))).reason
  }

  /// The paths in the backup.
  var includedPaths: Set<ContainerPath> { Set(included.map(\.path)) }
}

/// A path written in a test.
func path(_ text: String) throws -> ContainerPath {
  try ContainerPath(text)
}
