import TestSupport
import Testing
import TreeSupport

@testable import BackupFileTree

/// The first item in which a tree differs from another tree.
@Suite struct TreeDifferenceTests {
  /// Returns a tree with an item in Documents.
  private func tree(_ name: String, _ item: FileTree.Item) throws -> FileTree {
    var tree = FileTree.Layout.newlyInstalled.tree
    tree.insert(item, at: try ContainerPath("Documents/\(name)"))
    return tree
  }

  private func file(_ size: Int64, isDatabase: Bool = false) -> FileTree.Item {
    FileTree.Item(.file(FileTree.FileInformation(size: size, isDatabase: isDatabase)))
  }

  @Test func `equal items are no difference, whatever the disk said of them`() throws {
    var found = file(3)
    found.observation.inode = 7
    #expect(try tree("a", file(3)).firstDifference(from: try tree("a", found)) == nil)
  }

  @Test func `an item that only one tree has is a difference`() throws {
    let layout = FileTree.Layout.newlyInstalled.tree
    let path: ContainerPath = "Documents/a"
    #expect(try tree("a", file(3)).firstDifference(from: layout) == path)
    #expect(layout.firstDifference(from: try tree("a", file(3))) == path)
    #expect(try tree("b", file(3)).firstDifference(from: try tree("a", file(3))) == path)
  }

  @Test func `another size, kind, mark or target is a difference`() throws {
    let path: ContainerPath = "Documents/a"
    let marked = FileTree.Item(file(3).kind, marks: .resourceValue)
    let link = FileTree.Item(.link(target: [1]))
    for other in [file(4), marked, link, FileTree.Item(.special), .emptyDirectory] {
      #expect(try tree("a", file(3)).firstDifference(from: try tree("a", other)) == path)
    }
    let other = FileTree.Item(.link(target: [2]))
    #expect(try tree("a", link).firstDifference(from: try tree("a", other)) == path)
  }

  @Test func `an unread database header is no difference, but an unexpected database is`() throws {
    let database = try tree("a", file(100, isDatabase: true))
    let plain = try tree("a", file(100))
    #expect(database.firstDifference(from: plain) == nil)
    #expect(plain.firstDifference(from: database) == "Documents/a")
  }

  @Test func `each kind of item has a description`() throws {
    let path: ContainerPath = "Documents/a"
    #expect(try tree("a", file(3)).words(for: path) == "a file of 3 bytes, not marked")
    #expect(try tree("b", file(3)).words(for: path) == "missing")
    let marked = FileTree.Item(.directory(FileTree.Children()), marks: .resourceValue)
    #expect(
      try tree("a", marked).words(for: path)
        == "a directory, marked with the \(ExclusionMark.resourceValue)")
  }
}
