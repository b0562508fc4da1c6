import BackupFileTree
import Foundation
import Testing
import TreeSupport

@testable import BackupContainer

/// What a look takes over from the one before.
@Suite struct LookTests {
  let container: FakeContainer

  init() throws {
    container = try FakeContainer()
    try container.perform(.save("Documents/a"))
    try container.perform(.mark("Documents/a"))
  }

  /// The container as a look finds it that knows another.
  private func tree(knowing known: Look) throws -> FileTree {
    try Scanner.scan(container.roots, known: known)
  }

  /// The container, said to be without marks, as a look found it that began at a moment.
  private func unmarked(at moment: Int64?) throws -> Look {
    Look(tree: try container.scan().withoutMarks, moment: moment)
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

  @Test func `what has changed since is read, however it was`() throws {
    let known = try unmarked(at: .max)
    try FileClock.waitUntilPast(
      try FileClock.reading(in: container.device), in: container.device)
    let path: ContainerPath = "Documents/a"
    for change: FileOperation in [
      .setMark(.extendedAttribute, on: path, to: true), .append(path, .text("x")),
      .write(path, .text("y"), method: .inPlace),
    ] {
      try container.perform(change)
      #expect(try tree(knowing: known)[path]?.marks.contains(.resourceValue) == true)
    }
    try container.perform(.move(path, to: "Documents/b", replacing: false))
    #expect(try tree(knowing: known)["Documents/b"]?.marks.contains(.resourceValue) == true)
    try container.perform(.save(path))
    #expect(try tree(knowing: known)[path]?.marks == [])
    try container.perform(.mark(path))
    #expect(try tree(knowing: known)[path]?.marks == .resourceValue)
  }

  @Test func `what could not be read is read again`() throws {
    var tree = try container.scan()
    tree.modify("Documents/a") { $0.kind = .unreadable(reason: "no") }
    let found = try self.tree(knowing: Look(tree: tree, moment: .max))
    #expect(found["Documents/a"]?.marks == .resourceValue)
  }

  @Test func `a volume that dates changes of attributes is known as one`() throws {
    let before = try #require(try FileClock.now(in: container.device))
    try FileClock.waitUntilPast(before, in: container.device)
    #expect(try #require(try FileClock.now(in: container.device)) > before)
    let left = try FileManager.default.contentsOfDirectory(atPath: container.device.path)
    #expect(Set(left) == [container.url.lastPathComponent, FileClock.fileName])
  }
}
