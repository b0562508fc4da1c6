import BackupTesting
import Foundation
import TestSupport
import Testing

@testable import BackupFolders

/// The backup of a database whose newest changes are in a write-ahead log.
@Suite struct WriteAheadLogTests {
  /// A container with an open database, whose log has rows that the file lacks.
  private struct OpenDatabase {
    let container: FakeContainer
    let writer: SQLiteDatabase

    init() throws {
      container = try FakeContainer()
      writer = try SQLiteDatabase(path: Self.path(in: container))
      _ = try writer.prepare("PRAGMA journal_mode = WAL").moveToNextRow()
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
    try count(inFileAt: OpenDatabase.path(in: container))
  }

  private func count(inFileAt path: String) throws -> SQLiteStatement.Value? {
    let database = try SQLiteDatabase(path: path)
    let statement = try database.prepare("SELECT count(*) FROM notes")
    return try statement.moveToNextRow() ? statement.columnValue(0) : nil
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

  @Test func `a backup folder has the changes too, with the database's size in its manifest`()
    throws
  {
    let open = try OpenDatabase()
    let place = try TestFolder()
    let backup = try open.container.backUp("b")
    let origin = BackupOrigin(
      app: "a.b", appVersion: "1", system: try #require(SystemProfile.newest).version, seed: "",
      date: 0)
    let device = try SimulatedBackup(
      backup.contents, of: backup.tree, in: open.container, app: "a.b"
    ).write(of: origin, to: place.url("backup").path, from: open.container)
    let domain = BackupDomain(nil, of: "a.b")
    let path = try ContainerPath("Documents/notes.sqlite")
    let folder = try BackupFolder(at: device)
    let contents = try folder.contents(of: [domain], app: "a.b")
    let name = domain.fileID(of: BackupDomain.relativePath(of: path))
    let file = "\(device)/\(name.prefix(2))/\(name)"
    #expect(try count(inFileAt: file) == .integer(100))
    let size = try #require(FileManager.default.attributesOfItem(atPath: file)[.size] as? Int64)
    #expect(contents.records[path]?.kind == .file(size: size))
  }

  @Test func `the backup leaves the app's own database and its log as they are`() throws {
    let open = try OpenDatabase()
    let log = URL(fileURLWithPath: OpenDatabase.path(in: open.container) + "-wal")
    let before = try Data(contentsOf: log)
    try open.container.backUp("b")
    #expect(try Data(contentsOf: log) == before)
    #expect(try count(in: open.container) == .integer(100))
  }

  @Test func `a log that names a page far behind its others is refused, with the file's path`()
    throws
  {
    let open = try OpenDatabase()
    let log = URL(fileURLWithPath: OpenDatabase.path(in: open.container) + "-wal")
    try Self.logOfOnePage(0x10000, header: try Data(contentsOf: log).prefix(32)).write(to: log)
    let error = try #require(throws: RunError.self) { try open.container.backUp("b") }
    #expect(error.description.hasPrefix("Documents/notes.sqlite: cannot be put into the backup"))
    #expect(error.description.contains("SQLite says: "))
  }

  @Test func `a database that SQLite refuses is named, with what SQLite says`() throws {
    let open = try OpenDatabase()
    let file = URL(fileURLWithPath: OpenDatabase.path(in: open.container))
    // The file begins like a database, but its pages have an impossible size.
    try (Data("SQLite format 3\0".utf8) + Data(count: 4080)).write(to: file)
    let log = URL(fileURLWithPath: file.path + "-wal")
    try Data(contentsOf: log).prefix(32).write(to: log)
    let error = try #require(throws: RunError.self) { try open.container.backUp("b") }
    #expect(error.description.contains("SQLite says: "))
  }

  /// Returns a log that commits one page, with correct checksums (sqlite.org/fileformat.html).
  private static func logOfOnePage(_ page: UInt32, header: Data) -> Data {
    let isLittleEndian = header[3] == 0x82
    func word(_ data: Data, _ offset: Int) -> UInt32 {
      let bytes = data.dropFirst(offset).prefix(4)
      return (isLittleEndian ? Array(bytes.reversed()) : Array(bytes)).reduce(0) {
        $0 << 8 | UInt32($1)
      }
    }
    func bigEndian(_ numbers: UInt32...) -> Data {
      Data(
        numbers.flatMap { number in
          stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
        })
    }
    func add(_ data: Data, to sums: (UInt32, UInt32)) -> (UInt32, UInt32) {
      stride(from: 0, to: data.count, by: 8).reduce(sums) { sums, offset in
        let first = sums.0 &+ word(data, offset) &+ sums.1
        return (first, sums.1 &+ word(data, offset + 4) &+ first)
      }
    }
    let (begin, contents) = (bigEndian(page, page), Data(count: 4096))
    let sums = add(contents, to: add(begin, to: add(header.prefix(24), to: (0, 0))))
    return header + begin + header[16..<24] + bigEndian(sums.0, sums.1) + contents
  }
}
