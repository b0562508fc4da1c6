import BackupFileTree
import Testing

@testable import BackupDevice

/// What a failed expectation shows of a backup: a line an item.
@Suite struct BackupSetDescriptionTests {
  /// A backup of a file, a link, an empty directory and what is left out.
  private static func set() throws -> BackupSet {
    try FileTree.app.with("Documents/a.txt", .bytes(10)).with("Documents/l", .link)
      .with("Library/Caches/b").backedUp()
  }

  @Test func `a backup has a line for each file, link and item left out`() throws {
    #expect(
      try Self.set().description == """
        backup of 1 file, 10 bytes:
          in   Documents/a.txt  10 bytes
          in   Documents/l
          out  Library/Caches  (location)
          out  tmp  (location)
        """)
  }

  @Test func `a failed expectation shows these lines, not the tree`() throws {
    let set = try Self.set()
    #expect(String(describingForTest: set) == set.description)
    #expect(!String(describingForTest: set).contains("FileTree"))
  }

  @Test func `decisions in a list stand on lines of their own`() throws {
    let decisions = Array(try Self.set().leftOut)
    #expect(
      String(describingForTest: decisions) == """
        [
          out  Library/Caches  (location),\u{20}
          out  Library/Caches/b  (location),\u{20}
          out  tmp  (location)]
        """)
    #expect(try Self.set().decisions.description.split(separator: "\n").count > decisions.count)
  }
}
