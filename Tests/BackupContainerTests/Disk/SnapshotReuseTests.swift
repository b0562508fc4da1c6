import BackupFileTree
import Foundation
import Testing
import TreeSupport

@testable import BackupContainer

/// The items that a scan reuses from a snapshot.
@Suite struct LookTests {
  let container: FakeContainer

  init() throws {
    container = try FakeContainer()
    try container.apply(.save("Documents/a"))
    try container.apply(.mark("Documents/a"))
  }

  /// Returns the container as a scan finds it that reuses a snapshot.
  private func tree(knowing known: ContainerSnapshot) throws -> FileTree {
    try Scanner.scan(container.roots, reusing: known)
  }

  /// Returns a snapshot of the container at a moment, but without its marks.
  private func unmarked(at moment: Int64?) throws -> ContainerSnapshot {
    var tree = try container.scan()
    tree.modify("Documents/a") { $0.marks = [] }
    return ContainerSnapshot(tree: tree, moment: moment)
  }

  @Test func `what has not changed since is taken over unread`() throws {
    let found = try tree(knowing: try unmarked(at: .max))
    #expect(found["Documents/a"]?.marks == [])
  }

  @Test func `what may have changed while the clock stood still is read`() throws {
    let changed = try #require(try container.scan()["Documents/a"]?.observation.changed)
    for moment in [nil, changed] {
      let found = try tree(knowing: try unmarked(at: moment))
      #expect(found["Documents/a"]?.marks == .resourceValue)
    }
    let found = try tree(knowing: try unmarked(at: changed + 1))
    #expect(found["Documents/a"]?.marks == [])
  }

  @Test func `contents that may have been written while the clock stood still are not taken over`()
    throws
  {
    var tree = try container.scan()
    let modified = try #require(tree["Documents/a"]?.observation.modified)
    tree.modify("Documents/a") { item in
      var information = FileTree.FileInformation(size: item.size ?? 0)
      information.contents = ContentsSum(.bytes([1]))
      item.kind = .file(information)
    }
    for (moment, isTaken) in [(nil, false), (modified, false), (modified + 1, true)] {
      let found = try self.tree(knowing: ContainerSnapshot(tree: tree, moment: moment))
      #expect(found.file(at: "Documents/a")?.contents.isKnown == isTaken)
    }
  }

  @Test func `what has changed since is read, however it was`() throws {
    let known = try unmarked(at: .max)
    try container.folder.waitUntilPast(try container.folder.readClock())
    let path: ContainerPath = "Documents/a"
    for change: FileOperation in [
      .setMark(.extendedAttribute, on: path, to: true), .append(path, .text("x")),
      .write(path, .text("y"), method: .inPlace),
    ] {
      try container.apply(change)
      #expect(try tree(knowing: known)[path]?.marks.contains(.resourceValue) == true)
    }
    try container.apply(.move(path, to: "Documents/b", replacing: false))
    #expect(try tree(knowing: known)["Documents/b"]?.marks.contains(.resourceValue) == true)
    try container.apply(.save(path))
    #expect(try tree(knowing: known)[path]?.marks == [])
    try container.apply(.mark(path))
    #expect(try tree(knowing: known)[path]?.marks == .resourceValue)
  }

  @Test func `what could not be read is read again`() throws {
    var tree = try container.scan()
    tree.modify("Documents/a") { $0.kind = .unreadable(reason: "no") }
    let found = try self.tree(knowing: ContainerSnapshot(tree: tree, moment: .max))
    #expect(found["Documents/a"]?.marks == .resourceValue)
  }

  @Test func `a volume that dates changes of attributes is known as one`() throws {
    let before = try #require(try container.folder.now())
    try container.folder.waitUntilPast(before)
    #expect(try #require(try container.folder.now()) > before)
    let left = try FileManager.default.contentsOfDirectory(atPath: container.device.path)
    #expect(Set(left) == [container.url.lastPathComponent, DeviceFolder.clockName])
  }

  @Test func `the clock is read whatever the app's code puts in the place of its file`() throws {
    let files = FileManager.default
    let clock = container.device.appending(path: DeviceFolder.clockName)
    let movie = container.documents.appending(path: "movie")
    try Data("movie".utf8).write(to: movie)
    let obstacles: [() throws -> Void] = [
      { #expect(mkfifo(clock.path, 0o644) == 0) },
      { try files.createSymbolicLink(at: clock, withDestinationURL: movie) },
      { try files.linkItem(at: movie, to: clock) },
      { try files.createDirectory(at: clock, withIntermediateDirectories: false) },
      {
        #expect(
          files.createFile(atPath: clock.path, contents: nil, attributes: [.posixPermissions: 0]))
      },
      {},
    ]
    for putThere in obstacles {
      try? files.removeItem(at: clock)
      try putThere()
      #expect(try container.folder.readClock() > 0)
    }
    #expect(try Data(contentsOf: movie) == Data("movie".utf8))
  }
}
