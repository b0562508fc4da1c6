import BackupDevice
import BackupFileTree
import TestSupport
import Testing

/// The items that a tree has and another tree lacks.
@Suite struct LostItemTests {
  @Test(arguments: Thoroughness.seeds(6, of: 100))
  func `they are the topmost items that the other tree lacks`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    func changeRandomly(_ tree: inout FileTree, times: Int) throws {
      for _ in 0..<times {
        let numbers = (0...2).map { _ in Int.random(in: 0..<40, using: &random) }
        let path = try path(
          ["tmp/\(numbers[0])", "tmp/\(numbers[0] % 4)/\(numbers[1])"][numbers[2] % 2])
        // If another item is in the way, the operation fails and changes nothing.
        switch numbers[2] % 4 {
        case 0: try? tree.apply(.remove(path))
        case 1: try? tree.apply(.createDirectory(path, intermediates: true))
        default: try? tree.apply(.write(path, .zeros(1), method: .inPlace))
        }
      }
    }
    var before = FileTree.app
    try changeRandomly(&before, times: 300)
    var after = before
    try changeRandomly(&after, times: 30)
    var missing: [ContainerPath] = []
    before.walk { path, item in
      if let itemAfter = after[path], item.isDirectory || !itemAfter.isDirectory { return true }
      missing.append(path)
      return false
    }
    #expect(before.itemsMissing(in: after).map(\.path) == missing.sorted())
  }

  @Test func `a directory counts the files in it and their bytes`() throws {
    let tree = try FileTree.app.with("tmp/d/a", .bytes(3)).with("tmp/d/e/b", .bytes(4))
      .with("tmp/d/link", .link).with("tmp/d/empty", .emptyDirectory)
    let lost = try #require(tree.itemsMissing(in: .app).first)
    #expect(lost.path == (try path("tmp/d")))
    #expect(lost.isDirectory)
    #expect(lost.fileCount == 2)
    #expect(lost.bytes == 7)
  }

  @Test func `a file counts itself, a link nothing`() throws {
    let tree = try FileTree.app.with("tmp/a", .bytes(3)).with("tmp/link", .link)
    let lost = tree.itemsMissing(in: .app)
    #expect(lost.map(\.fileCount) == [1, 0])
    #expect(lost.map(\.bytes) == [3, 0])
    #expect(lost.map(\.isDirectory) == [false, false])
  }

  @Test func `items are summed up, to the largest number at most`() throws {
    let tree = try FileTree.app.with("tmp/a", .bytes(.max)).with("tmp/b", .bytes(1))
      .with("tmp/c", .bytes(.max))
    let lost = tree.itemsMissing(in: .app)
    #expect(lost.map(\.bytes) == [.max, 1, .max] && lost.sumOfBytes == .max)
    #expect(Array(lost.dropFirst().prefix(1)).sumOfBytes == 1)
  }

  @Test func `a sum beyond the largest number stays the largest`() throws {
    let tree = try FileTree.app.with("tmp/d/a", .bytes(.max)).with("tmp/d/b", .bytes(.max))
      .with("tmp/d/c", .bytes(1))
    let lost = try #require(tree.itemsMissing(in: .app).first)
    #expect(lost.bytes == .max)
    #expect(lost.fileCount == 3)
  }

  @Test func `only topmost items are listed, in byte order of their paths`() throws {
    let tree = try FileTree.app.with(files: "tmp/a/x", "tmp/a-b", "tmp/a/y/z", "tmp/a0")
    let other = try FileTree.app.with("tmp/a", .emptyDirectory)
    let names = tree.itemsMissing(in: other).map(\.path.description)
    #expect(names == ["tmp/a-b", "tmp/a/x", "tmp/a/y", "tmp/a0"])
  }

  @Test func `a file is missing if a directory took its place`() throws {
    let file = try FileTree().with("a")
    let directory = try FileTree().with("a/b")
    #expect(file.itemsMissing(in: directory).map(\.path.description) == ["a"])
    #expect(directory.itemsMissing(in: file).map(\.path.description) == ["a/b"])
  }

  @Test func `nothing is missing in the same tree, whatever its marks and sizes`() throws {
    let markedTree = try FileTree.app.with("tmp/a", .bytes(1), marks: .resourceValue)
    let unmarkedTree = try FileTree.app.with("tmp/a", .bytes(2))
    #expect(markedTree.itemsMissing(in: markedTree).isEmpty)
    #expect(markedTree.itemsMissing(in: unmarkedTree).isEmpty)
  }
}
