import TestSupport
import Testing
import TreeSupport

@testable import BackupFileTree

/// The changes that an operation is made of.
@Suite struct PiecesTests {
  /// The kinds of the changes, with their items.
  private func pieces(of operation: FileOperation, in tree: FileTree) -> [String] {
    operation.pieces(in: tree).map { "\($0.kind.rawValue) \($0.path)" }
  }

  /// A file in a directory.
  private var tree: FileTree {
    var tree = FileTree()
    tree.ensureDirectory("D/E")
    tree.insert(FileTree.Item(.file(.init(size: 1))), at: "D/a")
    tree.insert(FileTree.Item(.file(.init(size: 1))), at: "D/E/b")
    return tree
  }

  @Test func `a save has those of the real thing`() {
    func save(_ method: FileOperation.WriteMethod, _ path: ContainerPath = "D/a") -> [String] {
      pieces(of: .write(path, .text("x"), method: method), in: tree)
    }
    #expect(save(.atomically) == ["create D/a", "write D/a", "rename D/a"])
    #expect(save(.inPlace) == ["create D/a", "write D/a"])
    #expect(save(.deleteFirst) == ["remove D/a", "create D/a", "write D/a"])
    #expect(save(.deleteFirst, "D/new") == ["create D/new", "write D/new"])
    #expect(save(.inPlace, "X/new") == [])
  }

  @Test func `an atomic save leaves the old file as it is until the rename`() throws {
    var tree = tree
    let save = FileOperation.write("D/a", .text("new one"), method: .atomically)
    for piece in save.pieces(in: tree).dropLast() {
      try tree.apply(piece.operation)
      #expect(tree["D/a"]?.size == 1)
    }
    #expect(tree.paths.count == 5)
  }

  @Test func `what is in a directory goes before it, and comes after it`() {
    #expect(
      pieces(of: .remove("D"), in: tree) == [
        "remove D/a", "remove D/E/b", "remove D/E", "remove D",
      ])
    #expect(
      pieces(of: .copy("D", to: "X"), in: tree)
        == ["createDirectory X", "createDirectory X/E", "create X/E/b", "create X/a"])
    #expect(
      pieces(of: .createDirectory("D/F/G", intermediates: true), in: tree)
        == ["createDirectory D/F", "createDirectory D/F/G"])
  }

  @Test(arguments: Thoroughness.seeds(8, of: 50))
  func `together they leave what the operation leaves`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var tree = FileTree()
    for _ in 0..<300 {
      let operation = FileOperation.random(using: &random)
      let pieces = operation.pieces(in: tree)
      var whole = tree
      do throws(FileOperation.Failure) {
        try whole.apply(operation)
      } catch {
        #expect(pieces.isEmpty)
        continue
      }
      for piece in pieces { try tree.apply(piece.operation) }
      #expect(tree == whole, "\(operation)")
      tree = whole
    }
  }
}
