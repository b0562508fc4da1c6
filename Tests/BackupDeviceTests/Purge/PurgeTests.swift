import BackupDevice
import BackupFileTree
import Testing

extension FileTree {
  /// Purges this tree as an iOS version does. Returns the remaining tree and the purged items.
  func purged(
    by version: String, _ pressure: PurgeSimulator.Pressure
  ) throws -> (tree: FileTree, taken: [FileTree.LostItem]) {
    PurgeSimulator(profile: try #require(SystemProfile(version: version))).purge(self, pressure)
  }

  /// Returns a tree with files in all places that purges treat differently. Some of them are
  /// marked.
  static func withItemsInAllPlaces() throws -> FileTree {
    try FileTree.app
      .with(files: "Documents/note", "Library/Preferences/app.plist", "Library/data", "Own/x")
      .with(files: "Documents/Caches/a", "Library/tmp/a", "Library/Caches2/a")
      .with("Documents/movie", marks: .resourceValue)
      .with(files: "Library/Caches/a", "Library/Caches/deep/b", "Library/Caches/m/c", "tmp/t")
      .with("Library/Caches/legacy", marks: .extendedAttribute)
      .with("Library/Caches/marked", marks: .resourceValue)
      .with("Library/Caches/m", .emptyDirectory, marks: .resourceValue)
      .with("tmp/kept", marks: .resourceValue)
  }
}

extension [FileTree.LostItem] {
  var names: [String] { map(\.path.description) }
}

/// The effects of purges that all iOS versions have in common.
@Suite struct PurgeTests {
  /// Pressures of every kind, including patterns that match all files.
  static func pressures() throws -> [PurgeSimulator.Pressure] {
    try [
      .idle, .lowStorage, .criticalStorage, .files([PathPattern("**")]),
      .files([PathPattern("Documents/**"), PathPattern("Library/**")]), .files([]),
    ]
  }

  @Test(arguments: SystemProfile.all)
  func `an idle app loses all of Caches and tmp, marked or not, in every iOS version`(
    profile: SystemProfile
  ) throws {
    let outcome = PurgeSimulator(profile: profile).purge(try .withItemsInAllPlaces(), .idle)
    for place in ["Library/Caches", "tmp"] {
      #expect(try outcome.tree.item(place) == FileTree.Item(.emptyDirectory))
      #expect(outcome.taken.contains { $0.path.parent?.description == place })
    }
    #expect(profile.purge.idle.evidence == .documented)
  }

  @Test(arguments: SystemProfile.all)
  func `nothing outside Caches and tmp is ever touched`(profile: SystemProfile) throws {
    let tree = try FileTree.withItemsInAllPlaces()
    for pressure in try Self.pressures() {
      let after = PurgeSimulator(profile: profile).purge(tree, pressure).tree
      for path in tree.paths where path.location?.isPurgeable != true {
        #expect(after.contains(path), "\(path), \(pressure)")
        #expect(after[path]?.marks == tree[path]?.marks, "\(path), \(pressure)")
      }
      #expect(after[try path("Documents")] == tree[try path("Documents")])
    }
  }

  @Test(arguments: SystemProfile.all)
  func `low storage leaves tmp alone`(profile: SystemProfile) throws {
    let tree = try FileTree.withItemsInAllPlaces()
    let after = PurgeSimulator(profile: profile).purge(tree, .lowStorage).tree
    #expect(try after.item("tmp") == tree.item("tmp"))
  }

  @Test(arguments: SystemProfile.all)
  func `Caches and tmp still exist after a purge`(profile: SystemProfile) throws {
    for pressure in try Self.pressures() {
      let tree = PurgeSimulator(profile: profile).purge(try .withItemsInAllPlaces(), pressure).tree
      #expect(try tree.item("Library/Caches")?.isDirectory == true)
      #expect(try tree.item("tmp")?.isDirectory == true)
    }
  }

  @Test(arguments: SystemProfile.all)
  func `a purge adds nothing, and a second purge deletes nothing more`(profile: SystemProfile)
    throws
  {
    let simulator = PurgeSimulator(profile: profile)
    for pressure in try Self.pressures() {
      let firstPurge = simulator.purge(try .withItemsInAllPlaces(), pressure)
      #expect(Set(firstPurge.tree.paths).isSubset(of: try FileTree.withItemsInAllPlaces().paths))
      let secondPurge = simulator.purge(firstPurge.tree, pressure)
      #expect(secondPurge.tree == firstPurge.tree)
      #expect(secondPurge.taken.isEmpty)
    }
  }

  @Test(arguments: SystemProfile.all)
  func `a purge does not create a missing directory`(profile: SystemProfile) throws {
    let tree = try FileTree().with("Documents/a")
    for pressure in try Self.pressures() {
      #expect(PurgeSimulator(profile: profile).purge(tree, pressure).tree == tree)
    }
  }

  @Test(arguments: SystemProfile.all)
  func `a group container's Caches is purged as well`(profile: SystemProfile) throws {
    let tree = try FileTree().with(files: "Library/Caches/a", "shared")
    let outcome = PurgeSimulator(profile: profile).purge(tree, .lowStorage)
    #expect(outcome.taken.names == ["Library/Caches/a"])
  }
}
