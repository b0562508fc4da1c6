import BackupTesting
import Foundation
import TestSupport
import Testing

@testable import BackupFolders

/// What a backup holds of a database whose newest changes are in a write-ahead log.
@Suite struct WriteAheadLogTests {
  /// A container with a database that is open, and whose log has rows that the file does not have.
  private struct OpenDatabase {
    let container: FakeContainer
    let writer: SQLiteDatabase

    init() throws {
      container = try FakeContainer()
      writer = try SQLiteDatabase(path: Self.path(in: container))
      _ = try writer.prepare("PRAGMA journal_mode = WAL").step()
      try writer.execute("CREATE TABLE notes(text)")
      for number in 1...100 {
        try writer.execute("INSERT INTO notes VALUES (zeroblob(1000) || \(number))")
      }
    }

    static func path(in container: FakeContainer) -> String {
      container.documents.appendingPathComponent("notes.sqlite").path
    }
  }

  private func count(in container: FakeContainer) throws -> SQLiteStatement.Value? {
    let database = try SQLiteDatabase(path: OpenDatabase.path(in: container))
    let statement = try database.prepare("SELECT count(*) FROM notes")
    return try statement.step() ? statement.value(0) : nil
  }

  @Test func `a restored database has the changes in its write-ahead log`() throws {
    let open = try OpenDatabase()
    let container = open.container
    let backup = try container.backUp("b")
    try container.restore(from: backup)
    let names = try FileManager.default.contentsOfDirectory(atPath: container.documents.path)
    #expect(names == ["notes.sqlite"])
    #expect(try count(in: container) == .integer(100))
    #expect(try container.findings().isEmpty)
  }

  @Test func `the backup leaves the app's own database and its log as they are`() throws {
    let open = try OpenDatabase()
    let log = URL(fileURLWithPath: OpenDatabase.path(in: open.container) + "-wal")
    let before = try Data(contentsOf: log)
    try open.container.backUp("b")
    #expect(try Data(contentsOf: log) == before)
    #expect(try count(in: open.container) == .integer(100))
  }

  @Test func `a log whose page number was changed adds no hole to the copy`() throws {
    let open = try OpenDatabase()
    let log = URL(fileURLWithPath: OpenDatabase.path(in: open.container) + "-wal")
    // The page of the first frame is far behind the last; the frame's checksum no longer holds.
    var bytes = try Data(contentsOf: log)
    bytes.replaceSubrange(32..<36, with: [0x7F, 0xFF, 0xFF, 0xFF])
    try bytes.write(to: log)
    let backup = try open.container.backUp("b")
    try open.container.restore(from: backup)
    let file = OpenDatabase.path(in: open.container)
    let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
    #expect(try #require(size) < 1_000_000)
  }
}
