import TestSupport
import Testing
import TreeSupport

@testable import BackupFileTree

/// An operation consists of single changes to files.
@Suite struct FileChangeTests {
  /// Returns the kind and the path of each change.
  private func changes(of operation: FileOperation, in tree: FileTree) -> [String] {
    operation.changes(in: tree).map { "\($0.kind?.rawValue ?? "") \($0.path)" }
  }

  /// A tree with two directories, each with a file.
  private var tree: FileTree {
    var tree = FileTree()
    tree.ensureDirectory("D/E")
    tree.insert(FileTree.Item(.file(.init(size: 1))), at: "D/a")
    tree.insert(FileTree.Item(.file(.init(size: 1))), at: "D/E/b")
    return tree
  }

  @Test func `a simulated save consists of the same changes as a real save`() {
    func save(_ method: FileOperation.WriteMethod, _ path: ContainerPath = "D/a") -> [String] {
      changes(of: .write(path, .text("x"), method: method), in: tree)
    }
    #expect(
      save(.atomically)
        == ["create D/.dat.nosync0.save", "write D/.dat.nosync0.save", "rename D/a"])
    #expect(save(.inPlace) == ["create D/a", "write D/a"])
    #expect(save(.deleteFirst) == ["remove D/a", "create D/a", "write D/a"])
    #expect(save(.deleteFirst, "D/new") == ["create D/new", "write D/new"])
    #expect(save(.inPlace, "X/new") == [])
  }

  @Test func `an atomic save leaves the old file as it is until the rename`() throws {
    var tree = tree
    let save = FileOperation.write("D/a", .text("new one"), method: .atomically)
    for change in save.changes(in: tree).dropLast() {
      try tree.apply(change)
      #expect(tree["D/a"]?.size == 1)
    }
    #expect(tree.paths.count == 5)
  }

  @Test func `items are removed before their directory, and created after it`() {
    #expect(
      changes(of: .remove("D"), in: tree) == [
        "remove D/a", "remove D/E/b", "remove D/E", "remove D",
      ])
    #expect(
      changes(of: .copy("D", to: "X"), in: tree)
        == ["createDirectory X", "createDirectory X/E", "create X/E/b", "create X/a"])
    #expect(
      changes(of: .createDirectory("D/F/G", intermediates: true), in: tree)
        == ["createDirectory D/F", "createDirectory D/F/G"])
  }

  @Test(arguments: Thoroughness.seeds(8, of: 50))
  func `the changes of an operation have the same result as the operation`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var tree = FileTree()
    for _ in 0..<300 {
      let operation = FileOperation.random(using: &random)
      let changes = operation.changes(in: tree)
      var expected = tree
      do throws(FileOperation.Failure) {
        try expected.apply(operation)
      } catch {
        #expect(changes.isEmpty)
        continue
      }
      for change in changes { try tree.apply(change) }
      #expect(tree == expected, "\(operation)")
      tree = expected
    }
  }

  @Test func `an atomic save first empties the remnant of an earlier save`()
    throws
  {
    var tree = tree
    let remnant: ContainerPath = "D/.dat.nosync0.save"
    tree.insert(FileTree.Item(.file(.init(size: 1))), at: remnant)
    let save = FileOperation.write("D/a", .text("x"), method: .atomically)
    let changes = save.changes(in: tree)
    #expect(changes.first == .resize(remnant, to: 0))
    for change in changes { try tree.apply(change) }
    #expect(!tree.contains(remnant))
  }

  @Test(arguments: [
    FileChange.write("D/a", .text("xy"), at: 0), .write("D/a", .text("x"), at: 2),
    .resize("D/a", to: 3), .hardLink("D/b", of: "D/a"), .unseen("D/a"),
    .create("D/a"), .create("X/a"), .clone("X", to: "Y"), .clone("D/a", to: "X/a"),
    .rename("D/a", to: "D/E"), .rename("D", to: "D/E/D"), .rename("D/a", to: "X/a"),
    .remove("D/E", isDirectory: true), .remove("D/E/b", isDirectory: true),
    .remove("D/E", isDirectory: false), .setMark(.resourceValue, on: "X", isSet: true),
  ])
  func `a change that a tree cannot follow is an error and changes nothing`(change: FileChange) {
    var tree = tree
    #expect(throws: FileOperation.Failure.self) { try tree.apply(change) }
    #expect(tree == self.tree)
  }
}
