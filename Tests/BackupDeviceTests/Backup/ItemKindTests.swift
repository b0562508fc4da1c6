import BackupDevice
import BackupFileTree
import Testing

/// The backup of each kind of item.
@Suite struct ItemKindTests {
  @Test func `every directory above an item is an item`() throws {
    let set = try FileTree.app.with(files: "Documents/a/b/c/file").backedUp()
    for directory in ["Documents", "Documents/a", "Documents/a/b", "Documents/a/b/c"] {
      let decision = try #require(set.decision(on: try path(directory)))
      #expect(decision.isIncluded)
      #expect(decision.kind == .directory(isEmpty: false))
    }
  }

  @Test func `an empty directory is stored, and known to be empty`() throws {
    let set = try FileTree.app.with("Documents/a/empty", .emptyDirectory).backedUp()
    let decision = try #require(set.decision(on: try path("Documents/a/empty")))
    #expect(decision.isIncluded)
    #expect(decision.kind == .directory(isEmpty: true))
  }

  @Test func `a directory whose contents are all left out is stored`() throws {
    let tree = try FileTree.app.with("Documents/a/movie", marks: .resourceValue)
    #expect(try tree.backedUp().holds("Documents/a"))
  }

  @Test(arguments: ["../../tmp/x", "/etc/passwd", "../nowhere", ".", ""])
  func `a link is stored as a link, wherever it points`(target: String) throws {
    let tree = try FileTree.app.with("Documents/link", .link(target: Array(target.utf8)))
    let decision = try #require(tree.backedUp().decision(on: try path("Documents/link")))
    #expect(decision.isIncluded)
    #expect(decision.kind == .link)
    #expect(decision.size == nil)
  }

  @Test func `a link in the place of Caches is left out, one to Caches is in`() throws {
    let target = FileTree.Kind.link(target: Array("../Documents".utf8))
    let tree = try FileTree.app.without("Library/Caches").with("Library/Caches", target)
      .with("Documents/cache", .link(target: Array("../Library/Caches".utf8)))
    let set = try tree.backedUp()
    #expect(try set.reason("Library/Caches") == .location(try path("Library/Caches")))
    #expect(try set.holds("Documents/cache"))
  }

  @Test func `a socket or pipe is left out as a special file`() throws {
    let set = try FileTree.app.with("Documents/socket", .special).backedUp()
    #expect(try set.reason("Documents/socket") == .specialFile)
  }

  @Test func `an unreadable item is left out with the platform's message`() throws {
    let tree = try FileTree.app.with("Documents/x", .unreadable(reason: "Permission denied"))
    let reason = try tree.backedUp().reason("Documents/x")
    #expect(reason == .unreadable("Permission denied"))
    #expect(reason?.description == "unreadable (Permission denied)")
  }

  @Test func `the reason names the place rather than the kind`() throws {
    let tree = try FileTree.app.with("tmp/socket", .special)
      .with("tmp/x", .unreadable(reason: "no"))
    let set = try tree.backedUp()
    #expect(try set.reason("tmp/socket") == .location(try path("tmp")))
    #expect(try set.reason("tmp/x") == .location(try path("tmp")))
  }

  @Test func `a root need not be a directory`() throws {
    let tree = try FileTree().with("Documents", .link).with("Library", .bytes(7))
    let set = try tree.backedUp()
    #expect(set.included.map(\.kind) == [.link, .file(size: 7)])
  }

  @Test func `an empty container gives an empty backup`() throws {
    let set = try FileTree().backedUp()
    #expect(set.decisions.isEmpty && set.leftOutTops.isEmpty)
    #expect(set.bytes == 0 && set.fileCount == 0)
  }

  @Test(arguments: [[0xFF, 0xFE], [0x0A], [0xC3], [0x20], [0x2A], [0x5C], [0xED, 0xA0, 0x80]])
  func `a name of odd bytes is decided like any other`(name: [UInt8]) throws {
    let inside = try ContainerPath(bytes: Array("Documents/".utf8) + name)
    let outside = try ContainerPath(bytes: Array("tmp/".utf8) + name)
    let set = try FileTree.app.with(inside).with(outside).backedUp()
    #expect(set.contains(inside))
    #expect(set.decision(on: outside)?.reason == .location(try path("tmp")))
  }

  @Test func `two names that look the same are two items`() throws {
    let composed = "Documents/\u{E9}"
    let decomposed = "Documents/e\u{301}"
    let tree = try FileTree.app.with(composed, marks: .resourceValue).with(decomposed)
    let set = try tree.backedUp()
    #expect(try set.reason(composed) == .ownMark(.resourceValue))
    #expect(try set.holds(decomposed))
  }
}
