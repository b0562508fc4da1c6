import BackupDevice
import BackupFileTree
import Testing

extension FileTree {
  /// Returns the container on a new device after a restore from a backup of this tree.
  func restored(by profile: SystemProfile) -> FileTree {
    RestoreSimulator(profile: profile).restore(
      self, from: BackupSimulator(profile: profile).backUp(self))
  }

  /// Returns the container on a new device with the newest iOS version after a restore.
  func restored() throws -> FileTree {
    restored(by: try #require(SystemProfile.newest))
  }
}

/// A restore to a new device.
@Suite struct RestoreTests {
  @Test(arguments: SystemProfile.all)
  func `the restored container has only the items of the backup and the layout`(
    profile: SystemProfile
  ) throws {
    let tree = try FileTree.withItemsInAllPlaces()
    let set = BackupSimulator(profile: profile).backUp(tree)
    let restored = RestoreSimulator(profile: profile).restore(tree, from: set)
    let expected = Set(set.included.map(\.path)).union(FileTree.app.paths)
    #expect(Set(restored.paths) == expected)
  }

  @Test(arguments: SystemProfile.all)
  func `no restored item is marked`(profile: SystemProfile) throws {
    var profile = profile
    #expect(try FileTree.withItemsInAllPlaces().restored(by: profile).markedCount == 0)
    profile.guidance = .ignored
    #expect(try FileTree.withItemsInAllPlaces().restored(by: profile).markedCount == 0)
  }

  @Test(arguments: SystemProfile.all)
  func `Caches and tmp exist and are empty`(profile: SystemProfile) throws {
    let restored = try FileTree.withItemsInAllPlaces().restored(by: profile)
    #expect(try restored.item("Library/Caches") == FileTree.Item(.emptyDirectory))
    #expect(try restored.item("tmp") == FileTree.Item(.emptyDirectory))
  }

  @Test func `a marked directory is missing, and its unmarked neighbours are restored`() throws {
    let tree = try FileTree.app.with(files: "Library/m/x", "Library/m-n/y")
      .with("Library/m", .emptyDirectory, marks: .resourceValue)
    let restored = try tree.restored()
    #expect(try !restored.has("Library/m"))
    #expect(try restored.has("Library/m-n/y"))
  }

  @Test func `a marked Documents comes back empty and unmarked`() throws {
    let tree = try FileTree.app.with(files: "Documents/precious")
      .with("Documents", .emptyDirectory, marks: .resourceValue)
    #expect(try tree.restored().item("Documents") == FileTree.Item(.emptyDirectory))
  }

  @Test func `marked items come back unmarked if guidance is ignored`() throws {
    var profile = try #require(SystemProfile.newest)
    profile.guidance = .ignored
    let tree = try FileTree.app.with("Documents/movie", .bytes(9), marks: .resourceValue)
    let restored = tree.restored(by: profile)
    #expect(try restored.item("Documents/movie") == FileTree.Item(.bytes(9)))
  }

  @Test func `files, links and empty directories come back as they were`() throws {
    let tree = try FileTree.app.with("Documents/a", .bytes(5)).with("Documents/db", .database)
      .with("Documents/link", .link).with("Documents/empty", .emptyDirectory)
    #expect(try tree.restored() == tree)
  }

  @Test(arguments: ["Library/SplashBoard", "Library/Saved Application State"])
  func `items that iOS never restores are missing even if the backup has them`(
    place: String
  ) throws {
    let profile = try #require(SystemProfile.newest)
    let tree = try FileTree.app.with(files: place + "/deep/x", "Documents/SplashBoard/x")
    let everything = BackupSet(
      decisions: tree.paths.map {
        BackupSet.Decision(path: $0, kind: .link, verdict: .included(despite: []))
      })
    let restored = RestoreSimulator(profile: profile).restore(tree, from: everything)
    #expect(try !restored.has(place) && !restored.has(place + "/deep/x"))
    #expect(try restored.has("Documents/SplashBoard/x"))
  }

  @Test func `siblings of a database, remnants and special files do not come back`() throws {
    let tree = try FileTree.app.with("Documents/x.db", .database)
      .with(files: "Documents/x.db-wal", "Documents/.dat.nosync1")
      .with("Documents/socket", .special).with("Documents/y", .unreadable(reason: "no"))
    #expect(try tree.restored() == FileTree.app.with("Documents/x.db", .database))
  }

  @Test func `an empty backup gives a newly installed container`() throws {
    #expect(try FileTree().restored() == .app)
    let profile = try #require(SystemProfile.newest)
    let restored = RestoreSimulator(profile: profile)
      .restore(try .withItemsInAllPlaces(), from: BackupSet(decisions: []))
    #expect(restored == .app)
  }

  @Test func `a decision on an item that the tree does not have brings nothing`() throws {
    let profile = try #require(SystemProfile.newest)
    let set = try FileTree.app.with("Documents/a").backedUp()
    #expect(RestoreSimulator(profile: profile).restore(.app, from: set) == .app)
  }

  @Test(arguments: ["5.0", "7"])
  func `a bundle directory in the container is new`(version: String) throws {
    let profile = try #require(SystemProfile(version: version))
    let layout = profile.layout(bundleIdentifier: "com.example.Game")
    let tree = try layout.tree.with(files: "Game.app/asset")
    let set = BackupSimulator(profile: profile).backUp(tree)
    let restored = RestoreSimulator(profile: profile, layout: layout).restore(tree, from: set)
    #expect(try restored.item("Game.app") == FileTree.Item(.emptyDirectory))
  }

  @Test(arguments: SystemProfile.all)
  func `a group comes back with a new group's Caches, and nothing of an app's`(
    profile: SystemProfile
  ) throws {
    let tree = try FileTree().with(files: "shared.json", "Library/Caches/c", "Library/own/x")
    let set = BackupSimulator(profile: profile, container: .appGroup).backUp(tree)
    let restored = RestoreSimulator(profile: profile, container: .appGroup)
      .restore(tree, from: set)
    let expected = ["Library", "Library/Caches", "Library/own", "Library/own/x", "shared.json"]
    #expect(restored.names == expected)
  }

  @Test func `a new group has Library Caches only`() {
    #expect(FileTree.Layout.newGroup.tree.names == ["Library", "Library/Caches"])
  }

  @Test func `Application Support comes back with its items, but is never created empty`() throws {
    #expect(try !FileTree.app.restored().has("Library/Application Support"))
    let tree = try FileTree.app.with("Library/Application Support/a")
    #expect(try tree.restored() == tree)
  }
}
