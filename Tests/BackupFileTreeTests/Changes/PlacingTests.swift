import Testing
import TreeSupport

@testable import BackupFileTree

/// Moves and copies between two scans.
@Suite struct PlacingTests {
  @Test func `a long chain of moves is ordered, the last move first`() throws {
    let names = try (0...20_000).map { try ContainerPath("Documents/\($0)") }
    let moves = zip(names, names.dropFirst()).map { FileTree.Change.moved($0, to: $1) }
    #expect(MoveOrder.ordered(moves) == moves.reversed())
  }

  @Test func `an item whose stamp is now at another path was moved`() {
    #expect(changes(["a": .file(1)], ["b": .file(1)]) == [.moved("a", to: "b")])
    #expect(
      changes(["a": .file(1, .resourceValue)], ["b": .file(1, size: 2)])
        == [.moved("a", to: "b"), .savedInPlace("b"), .cleared("b", .resourceValue)])
  }

  @Test func `an item moved over another is a move alone`() {
    #expect(
      changes(["a": .file(1), "b": .file(2)], ["b": .file(1)]) == [.moved("a", to: "b")])
  }

  @Test func `the contents of a moved directory move with it, saved or not`() {
    let before: KeyValuePairs<ContainerPath, FileTree.Item> = [
      "D": .directory(1), "D/E": .directory(2), "D/E/a": .file(3), "D/b": .file(4),
      "D/c": .file(5),
    ]
    let after: KeyValuePairs<ContainerPath, FileTree.Item> = [
      "F": .directory(1), "F/E": .directory(2), "F/E/a": .file(3, size: 8), "F/b": .file(0),
    ]
    #expect(
      changes(before, after)
        == [.moved("D", to: "F"), .savedInPlace("F/E/a"), .replaced("F/b"), .removed("D/c")])
  }

  @Test func `a directory created in the place of a moved directory is new`() {
    let before: KeyValuePairs<ContainerPath, FileTree.Item> = [
      "D": .directory(1), "D/a": .file(2),
    ]
    let after: KeyValuePairs<ContainerPath, FileTree.Item> = [
      "D": .directory(0), "D/a": .file(0), "E": .directory(1), "E/a": .file(2),
    ]
    #expect(
      changes(before, after) == [.moved("D", to: "E"), .replaced("D"), .replaced("D/a")])
  }

  @Test func `an item keeps its identity in a directory that was created again`() {
    let before: KeyValuePairs<ContainerPath, FileTree.Item> = [
      "D": .directory(1), "D/a": .file(2),
    ]
    #expect(
      changes(before, ["D": .directory(0), "D/a": .file(2)]) == [.replaced("D")])
  }

  @Test
  func `nested directories that were created again are replaced, and missing items are removed`() {
    let before: KeyValuePairs<ContainerPath, FileTree.Item> = [
      "D": .directory(1), "D/E": .directory(2), "D/E/a": .file(3), "D/E/b": .file(4),
    ]
    let after: KeyValuePairs<ContainerPath, FileTree.Item> = [
      "D": .directory(0), "D/E": .directory(0), "D/E/a": .file(0),
    ]
    #expect(
      changes(before, after)
        == [.replaced("D"), .replaced("D/E"), .replaced("D/E/a"), .removed("D/E/b")])
  }

  @Test func `a second item with the same stamp is a copy`() {
    #expect(
      changes(["a": .file(1)], ["a": .file(1), "b": .file(1, inode: 2)])
        == [.copied("a", to: "b")])
    #expect(
      changes(["b": .file(1)], ["a": .file(1, inode: 2), "b": .file(1)])
        == [.copied("b", to: "a")])
    #expect(
      changes(["a": .file(1)], ["a": .file(1), "b": .file(1, size: 5, inode: 2)])
        == [.copied("a", to: "b"), .savedInPlace("b")])
  }

  @Test func `the inode number distinguishes a moved item from its copy`() {
    #expect(
      changes(["a": .file(1)], ["b": .file(1, inode: 2), "c": .file(1)])
        == [.copied("a", to: "b"), .moved("a", to: "c")])
    #expect(
      changes(["a": .file(1)], ["b": .file(1), "c": .file(1, inode: 2)])
        == [.copied("a", to: "c"), .moved("a", to: "b")])
  }

  @Test func `if the original of two copies is gone, one copy counts as moved`() {
    #expect(
      changes(["a": .file(1)], ["b": .file(1, inode: 2), "c": .file(1, inode: 3)])
        == [.copied("a", to: "c"), .moved("a", to: "b")])
  }

  @Test func `a copied directory is named once`() {
    let before: KeyValuePairs<ContainerPath, FileTree.Item> = [
      "D": .directory(1), "D/a": .file(2),
    ]
    let after: KeyValuePairs<ContainerPath, FileTree.Item> = [
      "D": .directory(1), "D/a": .file(2),
      "E": .directory(1, inode: 5), "E/a": .file(2, inode: 6), "E/b": .file(0),
    ]
    #expect(changes(before, after) == [.copied("D", to: "E"), .created("E/b")])
  }

  @Test func `two swapped files were moved`() {
    #expect(
      Set(changes(["a": .file(1), "b": .file(2)], ["a": .file(2), "b": .file(1)]))
        == [.moved("a", to: "b"), .moved("b", to: "a")])
  }

  @Test func `rotated logs are moved in order, the oldest first`() {
    let before: KeyValuePairs<ContainerPath, FileTree.Item> = [
      "log": .file(1), "log.1": .file(2), "log.2": .file(3),
    ]
    let after: KeyValuePairs<ContainerPath, FileTree.Item> = [
      "log": .file(0), "log.1": .file(1), "log.2": .file(2), "log.3": .file(3),
    ]
    #expect(
      changes(before, after) == [
        .moved("log.2", to: "log.3"), .moved("log.1", to: "log.2"), .moved("log", to: "log.1"),
        .replaced("log"),
      ])
  }

  @Test func `an item leaves a directory before the directory moves`() {
    let before: KeyValuePairs<ContainerPath, FileTree.Item> = [
      "D": .directory(1), "D/a": .file(2),
    ]
    #expect(
      changes(before, ["E": .directory(1), "F": .file(2)])
        == [.moved("D/a", to: "F"), .moved("D", to: "E")])
  }

  @Test func `a thousand moves in a chain are ordered`() {
    let count: UInt64 = 1000
    var before = FileTree()
    var after = FileTree()
    for number in 1...count {
      before.insert(.file(number), at: ContainerPath(unchecked: Array("f\(number)".utf8)))
      after.insert(.file(number), at: ContainerPath(unchecked: Array("f\(number + 1)".utf8)))
    }
    let changes = ChangeDetector.changes(from: before, to: after)
    #expect(changes.count == Int(count))
    #expect(changes.first == .moved("f1000", to: "f1001"))
    #expect(changes.last == .moved("f1", to: "f2"))
  }
}
