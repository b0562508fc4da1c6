import BackupDevice
import BackupFileTree
import Testing

/// The iCloud backup of an app for which the user has switched backups off.
@Suite struct SwitchedOffTests {
  @Test(arguments: BackupPropertyTests.seeds, SystemProfile.ContainerKind.allCases)
  func `the backup is empty, and each item is left out for this reason`(
    seed: UInt64, container: SystemProfile.ContainerKind
  ) throws {
    let (tree, profile) = try BackupPropertyTests.draw(seed)
    let simulator = BackupSimulator(profile: profile, container: container, backups: .off)
    let set = simulator.backUp(tree)
    #expect(set.decisions.map(\.path) == tree.paths)
    #expect(set.decisions.allSatisfy { $0.reason == .switchedOff })
    #expect(set.fileCount == 0 && set.bytes == 0)
  }

  @Test func `marks that are ignored change nothing`() throws {
    var profile = try #require(SystemProfile.newest)
    profile.guidance = .ignored
    let tree = try FileTree.app.with("Documents/movie", marks: .resourceValue)
    #expect(BackupSimulator(profile: profile, backups: .off).backUp(tree).included.isEmpty)
  }

  @Test(arguments: [SystemProfile.BackupKind.local, .localEncrypted])
  func `a backup to a computer has the same items as a usual iCloud backup`(
    kind: SystemProfile.BackupKind
  ) throws {
    let (tree, profile) = try BackupPropertyTests.draw(7)
    let iCloud = BackupSimulator(profile: profile).backUp(tree)
    #expect(BackupSimulator(profile: profile, backups: kind).backUp(tree) == iCloud)
  }

  @Test(arguments: SystemProfile.ContainerKind.allCases)
  func `a restore creates the layout of a new container`(container: SystemProfile.ContainerKind)
    throws
  {
    let profile = try #require(SystemProfile.newest)
    let tree = try FileTree.app.with(files: "Documents/note", "Library/Preferences/p", "shared")
    let set = BackupSimulator(profile: profile, container: container, backups: .off).backUp(tree)
    let restored = RestoreSimulator(profile: profile, container: container)
      .restore(tree, from: set)
    let layout = container == .appGroup ? FileTree.Layout.newGroup : .newlyInstalled
    #expect(restored == layout.tree)
  }
}
