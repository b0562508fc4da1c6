import BackupDevice
import BackupFileTree
import Testing

/// Marks keep items out of a backup.
@Suite struct MarkTests {
  @Test func `a marked file is left out for its own mark`() throws {
    let set = try FileTree.app.with("Documents/movie", marks: .resourceValue)
      .with("Documents/note").backedUp()
    #expect(try set.reason("Documents/movie") == .ownMark(.resourceValue))
    #expect(try set.holds("Documents/note"))
  }

  @Test func `a marked directory is left out with all its items, and is their reason`() throws {
    let tree = try FileTree.app.with(files: "Library/media/a", "Library/media/b/c")
      .with("Library/media", .emptyDirectory, marks: .resourceValue)
    let set = try tree.backedUp()
    #expect(try set.reason("Library/media") == .ownMark(.resourceValue))
    for inside in ["Library/media/a", "Library/media/b", "Library/media/b/c"] {
      #expect(try set.reason(inside) == .markedDirectory(try path("Library/media")))
    }
  }

  @Test func `files added to a marked directory later are left out too`() throws {
    var tree = try FileTree.app.with("Library/media", .emptyDirectory, marks: .resourceValue)
    try tree.apply(.write(try path("Library/media/new"), .zeros(9), method: .atomically))
    let reason = try tree.backedUp().reason("Library/media/new")
    #expect(reason == .markedDirectory(try path("Library/media")))
  }

  @Test func `the outermost marked directory decides`() throws {
    let tree = try FileTree.app.with("Library/a/b/c", marks: .resourceValue)
      .with("Library/a/b", .emptyDirectory, marks: .resourceValue)
      .with("Library/a", .emptyDirectory, marks: .resourceValue)
    let set = try tree.backedUp()
    #expect(try set.reason("Library/a/b") == .markedDirectory(try path("Library/a")))
    #expect(try set.reason("Library/a/b/c") == .markedDirectory(try path("Library/a")))
  }

  @Test(arguments: ["Documents", "Library", "Library/Preferences", "GeoJSON"])
  func `a mark on a system directory is honoured too`(
    directory: String
  ) throws {
    let tree = try FileTree.app.with(files: directory + "/precious")
      .with(directory, .emptyDirectory, marks: .resourceValue)
    let set = try tree.backedUp()
    #expect(try set.reason(directory) == .ownMark(.resourceValue))
    #expect(try set.reason(directory + "/precious") == .markedDirectory(try path(directory)))
  }

  @Test func `clearing the mark puts the item back`() throws {
    var tree = try FileTree.app.with("Documents/movie", marks: .resourceValue)
    try tree.apply(.setMark(.resourceValue, on: try path("Documents/movie"), to: false))
    #expect(try tree.backedUp().holds("Documents/movie"))
  }

  @Test func `a replaced file has lost its mark and is in`() throws {
    var tree = try FileTree.app.with("Documents/movie", marks: .resourceValue)
    try tree.apply(.write(try path("Documents/movie"), .zeros(9), method: .atomically))
    #expect(try tree.backedUp().holds("Documents/movie"))
  }

  @Test func `the reason names the place rather than the mark`() throws {
    let tree = try FileTree.app.with("Library/Caches/x", marks: .resourceValue)
      .with("Library/Caches", .emptyDirectory, marks: .resourceValue)
    let set = try tree.backedUp()
    #expect(try set.reason("Library/Caches") == .location(try path("Library/Caches")))
    #expect(try set.reason("Library/Caches/x") == .location(try path("Library/Caches")))
  }

  @Test func `a place inside a marked directory is left out for the mark`() throws {
    let tree = try FileTree.app.with("Library", .emptyDirectory, marks: .resourceValue)
    #expect(try tree.backedUp().reason("Library/Caches") == .markedDirectory(try path("Library")))
  }
}
