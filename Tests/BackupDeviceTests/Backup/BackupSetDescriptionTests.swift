import BackupFileTree
import Testing

@testable import BackupDevice

/// A failed expectation prints a backup with one line for each item.
@Suite struct BackupSetDescriptionTests {
  /// Returns a backup of a file and a link that leaves out two directories.
  private static func makeBackup() throws -> BackupSet {
    try FileTree.app.with("Documents/a.txt", .bytes(10)).with("Documents/l", .link)
      .with("Library/Caches/b").backedUp()
  }

  @Test func `a backup has a line for each file, link and item left out`() throws {
    #expect(
      try Self.makeBackup().description == """
        backup of 1 file, 10 bytes:
          in   Documents/a.txt  10 bytes
          in   Documents/l
          out  Library/Caches  (location)
          out  tmp  (location)
        """)
  }

  @Test func `a failed expectation shows these lines, not the tree`() throws {
    let set = try Self.makeBackup()
    #expect(String(describingForTest: set) == set.description)
    #expect(!String(describingForTest: set).contains("FileTree"))
  }

  @Test func `decisions in a list stand on lines of their own`() throws {
    let decisions = Array(try Self.makeBackup().leftOut)
    #expect(
      String(describingForTest: decisions) == """
        [
          out  Library/Caches  (location),\u{20}
          out  Library/Caches/b  (location),\u{20}
          out  tmp  (location)]
        """)
    #expect(
      try Self.makeBackup().decisions.description.split(separator: "\n").count > decisions.count)
  }
}
