import Testing

@testable import BackupFileTree

/// What a tree knows of contents beside their size.
@Suite struct ContentsSumTests {
  /// A tree in which one file was written as an app would.
  private func tree(_ operations: FileOperation...) throws -> FileTree {
    var tree = FileTree.Layout.newlyInstalled.tree
    for operation in operations { try tree.apply(operation) }
    return tree
  }

  /// What is known of a file of such a tree.
  private func file(_ operations: FileOperation...) throws -> FileTree.FileInformation {
    var tree = FileTree.Layout.newlyInstalled.tree
    for operation in operations { try tree.apply(operation) }
    guard case .file(let information)? = tree[try path()]?.kind else { throw TreeError() }
    return information
  }

  private struct TreeError: Error {}

  private func path(_ name: String = "a") throws -> ContainerPath {
    try ContainerPath("Documents/\(name)")
  }

  /// A save of the file.
  private func save(_ contents: FileOperation.Contents) throws -> FileOperation {
    .write(try path(), contents, method: .inPlace)
  }

  @Test func `tells contents of the same size apart, and equal ones not`() throws {
    let first = try file(save(.text("abc")))
    #expect(first.mayHaveSameContents(as: try file(save(.text("abc")))))
    #expect(!first.mayHaveSameContents(as: try file(save(.text("abd")))))
    #expect(!first.mayHaveSameContents(as: try file(save(.text("acb")))))
    #expect(!first.mayHaveSameContents(as: try file(save(.zeros(3)))))
    #expect(!first.mayHaveSameContents(as: try file(save(.text("ab")))))
  }

  @Test func `takes zeros for what they are, however written`() throws {
    let size = try file(save(.zeros(70_001)))
    let bytes = try file(save(.bytes(Array(repeating: 0, count: 70_001))))
    #expect(size.contents == bytes.contents && size.contents.isKnown)
    #expect(try file(save(.zeros(8_000_000_000_000))).contents.isKnown)
  }

  @Test(arguments: [0, 1, 16_383, 16_384, 40_000])
  func `takes zeros before a byte, and after it, for what they are`(count: Int) throws {
    let zeros = [UInt8](repeating: 0, count: count)
    let whole = try file(save(.bytes(zeros + [7] + zeros)))
    let grown = try file(
      save(.zeros(Int64(count))), .append(path(), .bytes([7])),
      .append(path(), .zeros(Int64(count))))
    #expect(whole.contents == grown.contents)
    #expect(whole.contents != (try file(save(.bytes([7] + zeros + zeros))).contents) || count == 0)
  }

  @Test func `grows with what is written to the end`() throws {
    let whole = try file(save(.text("abc\0\0d")))
    let grown = try file(
      save(.text("ab")), .append(path(), .text("c")), .append(path(), .zeros(2)),
      .append(path(), .text("d")))
    #expect(grown.contents == whole.contents)
  }

  @Test func `goes along with moves and copies`() throws {
    let tree = try tree(
      save(.text("abc")), .copy(path(), to: path("b")),
      .move(path(), to: path("c"), replacing: false))
    let kinds = try ["b", "c"].map { tree[try path($0)]?.kind }
    for kind in kinds {
      guard case .file(let information)? = kind else { throw TreeError() }
      #expect(information.contents == ContentsSum(.text("abc")))
    }
  }

  @Test func `is no part of what trees compare, and unknown where a file was found`() throws {
    #expect(try tree(save(.text("abc"))) == tree(save(.text("abd"))))
    let found = FileTree.FileInformation(size: 3)
    #expect(!found.contents.isKnown)
    #expect(found.mayHaveSameContents(as: try file(save(.text("abc")))))
    #expect(!found.mayHaveSameContents(as: try file(save(.text("ab")))))
  }
}
