import BackupDevice
import BackupFileTree
import Testing

/// A backup and a restore treat an extension's container like the app's.
@Suite struct ExtensionContainerTests {
  @Test(arguments: SystemProfile.all)
  func `the rules are the app's, and only the container's own path has another length`(
    profile: SystemProfile
  ) {
    var policy = profile.backupPolicy(for: .appExtension)
    #expect(policy.containerPathLength.value == profile.backup.containerPathLength.value + 4)
    policy.containerPathLength = profile.backup.containerPathLength
    #expect(policy.roots.value == profile.backup.roots.value)
    policy.roots = profile.backup.roots
    #expect(policy == profile.backup)
  }

  @Test func `its own Documents and Library are in, its Caches and tmp and the rest are out`()
    throws
  {
    let tree = try FileTree.app.with(
      files: "Documents/d", "Library/Preferences/p", "Library/Caches/c", "tmp/t", "other")
    let set = try tree.backedUp(container: .appExtension)
    #expect(try set.holds("Documents/d") && set.holds("Library/Preferences/p"))
    #expect(try set.reason("Library/Caches/c") == .location(path("Library/Caches")))
    #expect(try set.reason("tmp/t") == .location(path("tmp")))
    #expect(try set.reason("other") == .outsideRoots(path("other")))
  }

  @Test(arguments: SystemProfile.all.map(\.version.description))
  func `it has no bundle in it in any era`(version: String) throws {
    let tree = try FileTree.app.with(files: "Documents/d", "Game.app/file")
    let set = try tree.backedUp(by: version, container: .appExtension)
    #expect(try set.reason("Game.app/file") != .bundle(path("Game.app")))
  }

  @Test func `a restore on a new device gives it an app's layout`() throws {
    let profile = try #require(SystemProfile.newest)
    let tree = try FileTree.app.with(files: "Documents/d", "tmp/t")
    let set = try tree.backedUp(container: .appExtension)
    let restored = RestoreSimulator(profile: profile, container: .appExtension)
      .restore(tree, from: set)
    #expect(restored == (try FileTree.app.with(files: "Documents/d")))
  }
}
