import BackupDevice
import BackupFileTree
import Testing

extension FileTree {
  /// Returns this tree after an update of the app.
  func updated(
    by profile: SystemProfile? = .newest, keeping: String..., losing: [String] = []
  ) throws -> FileTree {
    UpdateSimulator(profile: try #require(profile)).update(
      self, keeping: try keeping.map { try ContainerPath($0) },
      losing: try losing.map { try PathPattern($0) })
  }
}

/// An update of the app carries over some items, and deletes the others.
@Suite struct AppUpdateTests {
  @Test(arguments: SystemProfile.all)
  func `Documents and Library are carried over as they are, marks too`(
    profile: SystemProfile
  ) throws {
    let tree = try FileTree.withItemsInAllPlaces()
      .with("Library", .emptyDirectory, marks: .resourceValue)
    let updated = UpdateSimulator(profile: profile).update(tree)
    #expect(try updated.item("Documents") == tree.item("Documents"))
    #expect(try updated.item("Library") == tree.item("Library"))
  }

  @Test(arguments: SystemProfile.all)
  func `tmp is new and empty, anything else at the top is gone`(profile: SystemProfile) throws {
    let updated = UpdateSimulator(profile: profile).update(try .withItemsInAllPlaces())
    #expect(try updated.item("tmp") == FileTree.Item(.emptyDirectory))
    #expect(updated.children.entries.map(\.name.string) == ["Documents", "Library", "tmp"])
  }

  @Test func `a kept directory is carried over with all its items`() throws {
    let tree = try FileTree.withItemsInAllPlaces()
    let updated = try tree.updated(keeping: "tmp", "Own")
    #expect(updated == tree)
  }

  @Test func `a kept file is carried over into a new, unmarked directory`() throws {
    let tree = try FileTree.app.with("tmp/a/b", marks: .resourceValue).with("tmp/a/c")
      .with("tmp/a", .emptyDirectory, marks: .resourceValue)
    let updated = try tree.updated(keeping: "tmp/a/b")
    #expect(try updated.item("tmp/a")?.marks == [])
    #expect(try updated.item("tmp/a/b")?.marks == .resourceValue)
    #expect(try !updated.has("tmp/a/c"))
  }

  @Test func `keeping a missing item, or one that is carried over anyway, changes nothing`() throws
  {
    let tree = try FileTree.withItemsInAllPlaces()
    let plainUpdate = try tree.updated()
    #expect(try tree.updated(keeping: "none", "tmp/none/deep", "Documents/note") == plainUpdate)
  }

  @Test(arguments: SystemProfile.all)
  func `a lost item of Caches is gone with all its contents, and Caches itself is new`(
    profile: SystemProfile
  ) throws {
    let tree = try FileTree.app.with(files: "Library/Caches/a/b", "Library/Caches/c", "Library/d")
      .with("Library/Caches", .emptyDirectory, marks: .resourceValue)
    let plainUpdate = try tree.updated(by: profile)
    let updated = try tree.updated(by: profile, losing: ["Library/Caches/a"])
    #expect(try updated == plainUpdate.without("Library/Caches/a"))
    let empty = try tree.updated(by: profile, losing: ["Library/Caches/**"])
    #expect(try empty == FileTree.app.with("Library/d"))
  }

  @Test func `an item of tmp that is both kept and lost is gone`() throws {
    let tree = try FileTree.app.with(files: "tmp/a/1.part", "tmp/a/2", "tmp/3.part", "Own/4.part")
    let updated = try tree.updated(keeping: "tmp", "Own", losing: ["tmp/**/*.part"])
    #expect(try updated == FileTree.app.with(files: "tmp/a/2", "Own/4.part"))
  }

  @Test(arguments: ["5.0", "7"])
  func `the bundle directory is new`(version: String) throws {
    let profile = try #require(SystemProfile(version: version))
    let layout = profile.layout(bundleIdentifier: "com.example.Game")
    let tree = try layout.tree.with(files: "Game.app/old-asset", "Documents/save")
    let updated = UpdateSimulator(profile: profile, layout: layout).update(tree)
    #expect(try updated.item("Game.app") == FileTree.Item(.emptyDirectory))
    #expect(try updated.has("Documents/save"))
  }

  @Test func `an update creates the standard directories that the app removed`() throws {
    let tree = try FileTree.app.without("Library/Caches").without("Documents").without("tmp")
    #expect(try tree.updated() == .app)
    #expect(try FileTree().updated() == .app)
  }

  @Test func `an update does not create Application Support`() throws {
    #expect(try !FileTree.app.updated().has("Library/Application Support"))
  }

  @Test func `a second update changes nothing`() throws {
    let updatedTree = try FileTree.withItemsInAllPlaces().updated()
    #expect(try updatedTree.updated() == updatedTree)
  }

  @Test func `a file in the place of Library is carried over as it is`() throws {
    let tree = try FileTree().with("Library", .bytes(5))
    #expect(try tree.updated().item("Library") == FileTree.Item(.bytes(5)))
  }
}
