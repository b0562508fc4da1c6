import BackupDevice
import BackupFileTree
import Testing

extension FileTree {
  /// Returns a backup of this tree under the newest iOS version.
  func backedUp(container: SystemProfile.ContainerKind = .app) throws -> BackupSet {
    let profile = try #require(SystemProfile.newest)
    return BackupSimulator(profile: profile, container: container).backUp(self)
  }

  /// Returns a backup of this tree under an iOS version.
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

  /// Returns the reason why the item at a path is left out; nil if it is in the backup.
  func reason(_ text: String) throws -> LeftOutReason? {
    try #require(decision(on: try ContainerPath(text))).reason
  }

  /// The paths in the backup.
  var includedPaths: Set<ContainerPath> { Set(included.map(\.path)) }
}

func path(_ text: String) throws -> ContainerPath {
  try ContainerPath(text)
}
