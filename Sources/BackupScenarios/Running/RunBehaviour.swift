package import BackupContainer
package import BackupDevice
package import BackupFileTree

/// The functions by which a run acts for the system; tests put wrong ones in their place.
package struct RunBehaviour: Sendable {
  /// What a version of iOS does; nil for one that the kit does not know.
  package var profile: @Sendable (SystemVersion) -> SystemProfile?
  /// What a backup holds.
  package var backUp: @Sendable (FileTree, SystemProfile, BackupKind) -> BackupSet
  /// What a purge takes.
  package var purge: @Sendable (FileTree, SystemProfile, StoragePressure) -> PurgeSimulator.Outcome
  /// What an update carries over.
  package var update: @Sendable (FileTree, UpdateSimulator, [ContainerPath]) -> FileTree
  /// What a restore brings back.
  package var restore: @Sendable (FileTree, RestoreSimulator, BackupSet) -> FileTree
  /// What an operation does on disk.
  package var perform: @Sendable (FileOperation, FakeContainer) throws(FileOperationError) -> Void

  /// The simulators as they are.
  package static let standard = RunBehaviour(
    profile: { version in SystemProfile.all.first { $0.version == version } },
    backUp: { tree, profile, _ in BackupSimulator(profile: profile).backUp(tree) },
    purge: { PurgeSimulator(profile: $1).purge($0, $2) },
    update: { $1.update($0, keeping: $2) },
    restore: { $1.restore($0, from: $2) },
    perform: { operation, container throws(FileOperationError) in
      try container.perform(operation)
    })
}
