import BackupDevice
import BackupFileTree
import BackupScenarios
import Testing

@testable import BackupRules

/// How large a backup is, by class and by folder.
@Suite struct BackupSizesTests {
  /// The sizes of a backup of some files.
  private func sizes(
    _ files: KeyValuePairs<String, Int64>, _ promises: FilePromises? = nil
  ) throws -> BackupSizes {
    let decisions = try files.map { path, size in
      BackupSet.Decision(
        path: try ContainerPath(path), kind: .file(size: size), verdict: .included(despite: []))
    }
    return BackupSizes(of: BackupSet(decisions: decisions), promises)
  }

  @Test func `a folder is a topmost one, in Library the one below it`() throws {
    let sizes = try sizes([
      "Documents/a/b/c": 1, "GeoJSON/a": 2, "Library/Logs/a/b": 4, "Library/x": 8, "top": 16,
    ])
    #expect(
      sizes.byFolder.map { "\($0.folder?.description ?? "."): \($0.sum.bytes)" } == [
        ".: 16", "Documents: 1", "GeoJSON: 2", "Library: 8", "Library/Logs: 4",
      ])
    #expect(sizes.byClass == nil)
  }

  @Test func `folders whose names only look alike are two`() throws {
    let sizes = try sizes(["Library/\u{E9}/a": 1, "Library/e\u{301}/a": 10])
    #expect(sizes.byFolder.map(\.sum.bytes).sorted() == [1, 10])
  }

  @Test func `sizes that no sum can hold are the largest there is`() throws {
    let sizes = try sizes(
      ["Documents/a": .max, "Documents/b": .max, "Documents/c": .max],
      try FilePromises(["**": .critical]))
    #expect(sizes.byFolder.map(\.sum.bytes) == [.max] && sizes.byFolder.map(\.sum.files) == [3])
    #expect(sizes.byClass?["critical"]?.bytes == .max)
  }

  @Test func `of many folders the largest are named`() throws {
    let sizes = try sizes([
      "a/x": 1, "b/x": 2, "c/x": 3, "d/x": 4, "e/x": 5, "f/x": 6, "g/x": 7, "h/x": 7,
    ])
    let line = try #require(sizes.breakdownLines.last)
    #expect(line.hasPrefix("by folder: g 7 bytes in 1 file, h 7 bytes in 1 file, f 6 bytes"))
    #expect(line.hasSuffix(", c 3 bytes in 1 file and 2 more"))
  }
}
