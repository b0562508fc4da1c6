import BackupDevice
import BackupFileTree
import BackupScenarios
import Testing

@testable import BackupRules

/// The size of a backup by class and by folder.
@Suite struct BackupSizesTests {
  /// Returns the sizes of a backup with these files.
  private func sizes(
    _ files: KeyValuePairs<String, Int64>, _ promises: FilePromises? = nil
  ) throws -> BackupSizes {
    let decisions = try files.map { path, size in
      BackupSet.Decision(
        path: try ContainerPath(path), kind: .file(size: size), verdict: .included(despite: []))
    }
    return BackupSizes(of: BackupSet(decisions: decisions), promises)
  }

  @Test func `a folder is a directory at the top, or right in Library`() throws {
    let sizes = try sizes([
      "Documents/a/b/c": 1, "GeoJSON/a": 2, "Library/Logs/a/b": 4, "Library/x": 8, "top": 16,
    ])
    #expect(
      sizes.byFolder.map { "\($0.folder?.description ?? "."): \($0.sum.byteCount)" } == [
        ".: 16", "Documents: 1", "GeoJSON: 2", "Library: 8", "Library/Logs: 4",
      ])
    #expect(sizes.byClass == nil)
  }

  @Test func `folders whose names only look alike are counted separately`() throws {
    let sizes = try sizes(["Library/\u{E9}/a": 1, "Library/e\u{301}/a": 10])
    #expect(sizes.byFolder.map(\.sum.byteCount).sorted() == [1, 10])
  }

  @Test func `a sum that is too large is the largest number`() throws {
    let sizes = try sizes(
      ["Documents/a": .max, "Documents/b": .max, "Documents/c": .max],
      try FilePromises(["**": .critical]))
    #expect(
      sizes.byFolder.map(\.sum.byteCount) == [.max] && sizes.byFolder.map(\.sum.fileCount) == [3])
    #expect(sizes.byClass?["critical"]?.byteCount == .max)
  }

  @Test func `only the largest of many folders are named`() throws {
    let sizes = try sizes([
      "a/x": 1, "b/x": 2, "c/x": 3, "d/x": 4, "e/x": 5, "f/x": 6, "g/x": 7, "h/x": 7,
    ])
    let line = try #require(sizes.breakdownLines.last)
    #expect(line.hasPrefix("by folder: g 7 bytes in 1 file, h 7 bytes in 1 file, f 6 bytes"))
    #expect(line.hasSuffix(", c 3 bytes in 1 file and 2 more"))
  }
}
