import Testing

@testable import BackupFileTree

/// A tree knows a sum of the contents of a file, besides its size.
@Suite struct ContentsChecksumTests {
  /// Returns a tree after the operations of an app.
  private func tree(_ operations: FileOperation...) throws -> FileTree {
    var tree = FileTree.Layout.newlyInstalled.tree
    for operation in operations { try tree.apply(operation) }
    return tree
  }

  /// Returns the information on the file `Documents/a` after the operations of an app.
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

  /// Returns an operation that saves the file.
  private func save(_ contents: FileOperation.Contents) throws -> FileOperation {
    .write(try path(), contents, method: .inPlace)
  }

  @Test func `only different contents of the same size have different sums`() throws {
    let first = try file(save(.text("abc")))
    #expect(first.mayHaveSameContents(as: try file(save(.text("abc")))))
    #expect(!first.mayHaveSameContents(as: try file(save(.text("abd")))))
    #expect(!first.mayHaveSameContents(as: try file(save(.text("acb")))))
    #expect(!first.mayHaveSameContents(as: try file(save(.zeros(3)))))
    #expect(!first.mayHaveSameContents(as: try file(save(.text("ab")))))
  }

  @Test func `zeros have the same sum however they are written`() throws {
    let zeros = try file(save(.zeros(70_001)))
    let bytes = try file(save(.bytes(Array(repeating: 0, count: 70_001))))
    #expect(zeros.checksum == bytes.checksum && zeros.checksum.isKnown)
    #expect(try file(save(.zeros(8_000_000_000_000))).checksum.isKnown)
  }

  @Test(arguments: [0, 1, 16_383, 16_384, 40_000])
  func `zeros before and after a byte have the same sum however they are written`(count: Int) throws
  {
    let zeros = [UInt8](repeating: 0, count: count)
    let savedAtOnce = try file(save(.bytes(zeros + [7] + zeros)))
    let appended = try file(
      save(.zeros(Int64(count))), .append(path(), .bytes([7])),
      .append(path(), .zeros(Int64(count))))
    #expect(savedAtOnce.checksum == appended.checksum)
    #expect(
      savedAtOnce.checksum != (try file(save(.bytes([7] + zeros + zeros))).checksum) || count == 0)
  }

  @Test func `the sum of an appended file equals that of a file saved at once`() throws {
    let savedAtOnce = try file(save(.text("abc\0\0d")))
    let appended = try file(
      save(.text("ab")), .append(path(), .text("c")), .append(path(), .zeros(2)),
      .append(path(), .text("d")))
    #expect(appended.checksum == savedAtOnce.checksum)
  }

  @Test func `moves and copies keep the sum`() throws {
    let tree = try tree(
      save(.text("abc")), .copy(path(), to: path("b")),
      .move(path(), to: path("c"), replacing: false))
    let kinds = try ["b", "c"].map { tree[try path($0)]?.kind }
    for kind in kinds {
      guard case .file(let information)? = kind else { throw TreeError() }
      #expect(information.checksum == ContentsChecksum(.text("abc")))
    }
  }

  @Test func `a comparison of trees ignores sums, and the sum of a scanned file is unknown`() throws
  {
    #expect(try tree(save(.text("abc"))) == tree(save(.text("abd"))))
    let scanned = FileTree.FileInformation(size: 3)
    #expect(!scanned.checksum.isKnown)
    #expect(scanned.mayHaveSameContents(as: try file(save(.text("abc")))))
    #expect(!scanned.mayHaveSameContents(as: try file(save(.text("ab")))))
  }
}
