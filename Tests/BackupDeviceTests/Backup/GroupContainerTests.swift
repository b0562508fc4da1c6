import BackupDevice
import BackupFileTree
import Testing

/// The backup of a group's container.
@Suite struct GroupContainerTests {
  @Test(arguments: [
    "shared.json", "tmp/file", "Own/deep/file", "Documents/file", "Library/file", "SystemData/file",
    "StoreKit/file", "CloudKit/file", "Library/Preferences/group.plist", "Game.app/file",
  ])
  func `all other items are in the backup, even in tmp`(file: String) throws {
    let set = try FileTree().with(files: file).backedUp(container: .appGroup)
    #expect(try set.holds(file))
  }

  @Test(arguments: [
    "Library/SyncedPreferences", "Library/Saved Application State", "Library/SplashBoard",
    ".com.apple.mobile_container_manager.metadata.plist",
  ])
  func `items that iOS manages are left out`(place: String) throws {
    let set = try FileTree().with(place, .emptyDirectory).backedUp(container: .appGroup)
    #expect(try set.reason(place) == .systemManaged(try path(place)))
  }

  @Test func `Library Caches is left out`() throws {
    let set = try FileTree().with(files: "Library/Caches/file").backedUp(container: .appGroup)
    #expect(try set.reason("Library/Caches/file") == .location(try path("Library/Caches")))
    #expect(try set.holds("Library"))
  }

  @Test(arguments: SystemProfile.all.map(\.version.description))
  func `a directory named like a bundle is an ordinary one in any era`(version: String) throws {
    let tree = try FileTree().with(files: "Game.app/file")
    #expect(try tree.backedUp(by: version, container: .appGroup).holds("Game.app/file"))
  }

  @Test func `marks and remnants count at the top too`() throws {
    let tree = try FileTree().with("movie", marks: .resourceValue).with(files: ".dat.nosync1")
      .with("media/clip").with("media", .emptyDirectory, marks: .resourceValue)
    let set = try tree.backedUp(container: .appGroup)
    #expect(try set.reason("movie") == .ownMark(.resourceValue))
    #expect(try set.reason(".dat.nosync1") == .saveRemnant)
    #expect(try set.reason("media/clip") == .markedDirectory(try path("media")))
  }
}
