import BackupFileTree
import Foundation
import Testing
import TreeSupport

@testable import BackupContainer

/// A scan reuses the items of a snapshot that have not changed since.
@Suite struct SnapshotReuseTests {
  let container: FakeContainer

  init() throws {
    container = try FakeContainer()
    try container.apply(.save("Documents/a"))
    try container.apply(.mark("Documents/a"))
  }

  /// Scans the container and reuses the items of a snapshot.
  private func scan(reusing snapshot: ContainerSnapshot) throws -> FileTree {
    try Scanner.scan(container.roots, reusing: snapshot)
  }

  /// Returns a snapshot that lacks the marks of the container. An item without its mark comes from
  /// this snapshot.
  private func snapshotWithoutMarks(at moment: Int64?) throws -> ContainerSnapshot {
    var tree = try container.scan()
    tree.modify("Documents/a") { $0.marks = [] }
    return ContainerSnapshot(tree: tree, scanStart: moment)
  }

  @Test func `an unchanged item is reused from the snapshot, unread`() throws {
    let found = try scan(reusing: try snapshotWithoutMarks(at: .max))
    #expect(found["Documents/a"]?.marks == [])
  }

  @Test func `an item that may have changed after the snapshot is read`() throws {
    let changed = try #require(try container.scan()["Documents/a"]?.observation.changeTime)
    for moment in [nil, changed] {
      let found = try scan(reusing: try snapshotWithoutMarks(at: moment))
      #expect(found["Documents/a"]?.marks == .resourceValue)
    }
    let found = try scan(reusing: try snapshotWithoutMarks(at: changed + 1))
    #expect(found["Documents/a"]?.marks == [])
  }

  @Test func `contents that may have been written after the snapshot are not reused`()
    throws
  {
    var tree = try container.scan()
    let modified = try #require(tree["Documents/a"]?.observation.modified)
    tree.modify("Documents/a") { item in
      var information = FileTree.FileInformation(size: item.size ?? 0)
      information.checksum = ContentsChecksum(.bytes([1]))
      item.kind = .file(information)
    }
    for (moment, isReused) in [(nil, false), (modified, false), (modified + 1, true)] {
      let found = try scan(reusing: ContainerSnapshot(tree: tree, scanStart: moment))
      #expect(found.fileInformation(at: "Documents/a")?.checksum.isKnown == isReused)
    }
  }

  @Test func `a changed item is read, whatever changed it`() throws {
    let snapshot = try snapshotWithoutMarks(at: .max)
    try container.deviceFolder.waitUntilPast(try container.deviceFolder.readClock())
    let path: ContainerPath = "Documents/a"
    for change: FileOperation in [
      .setMark(.extendedAttribute, on: path, to: true), .append(path, .text("x")),
      .write(path, .text("y"), method: .inPlace),
    ] {
      try container.apply(change)
      #expect(try scan(reusing: snapshot)[path]?.marks.contains(.resourceValue) == true)
    }
    try container.apply(.move(path, to: "Documents/b", replacing: false))
    #expect(try scan(reusing: snapshot)["Documents/b"]?.marks.contains(.resourceValue) == true)
    try container.apply(.save(path))
    #expect(try scan(reusing: snapshot)[path]?.marks == [])
    try container.apply(.mark(path))
    #expect(try scan(reusing: snapshot)[path]?.marks == .resourceValue)
  }

  @Test func `an item that could not be read is read again`() throws {
    var tree = try container.scan()
    tree.modify("Documents/a") { $0.kind = .unreadable(reason: "no") }
    let found = try scan(reusing: ContainerSnapshot(tree: tree, scanStart: .max))
    #expect(found["Documents/a"]?.marks == .resourceValue)
  }

  @Test func `the folder's clock is known and advances, and leaves only its file`() throws {
    let before = try #require(try container.deviceFolder.fileSystemTime())
    try container.deviceFolder.waitUntilPast(before)
    #expect(try #require(try container.deviceFolder.fileSystemTime()) > before)
    let names = try FileManager.default.contentsOfDirectory(atPath: container.deviceURL.path)
    #expect(Set(names) == [container.url.lastPathComponent, DeviceFolder.clockFileName])
  }

  @Test func `the clock is read whatever the app's code puts in the place of its file`() throws {
    let files = FileManager.default
    let clock = container.deviceURL.appending(path: DeviceFolder.clockFileName)
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
    for putObstacle in obstacles {
      try? files.removeItem(at: clock)
      try putObstacle()
      #expect(try container.deviceFolder.readClock() > 0)
    }
    #expect(try Data(contentsOf: movie) == Data("movie".utf8))
  }
}
