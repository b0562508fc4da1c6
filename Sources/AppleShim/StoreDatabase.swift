#if os(Linux)
  import CBackupSQLite
  import Foundation

  /// The database of a store of Core Data's.
  final class StoreDatabase {
    struct Row {
      var number: Int64?
      let entity: String
      var values: [String: Any] = [:]

      init(entity: String) { self.entity = entity }
    }

    private var database: OpaquePointer?

    /// Opens the database in a file, made where nothing is; without a URL, one in memory.
    init(at url: URL?, isReadOnly: Bool, pragmas: [String: Any]) throws {
      guard csq_is_there() == 1 else {
        throw Self.error("SQLite cannot be loaded; install the system's libsqlite3")
      }
      if let url {
        let folder = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      }
      let result = csq_open(url?.path ?? ":memory:", .max, .max, &database)
      guard result == CSQ_OK.rawValue else { throw failure() }
      do {
        try run("PRAGMA journal_mode = WAL")
        for (name, value) in pragmas { try run("PRAGMA \(name) = \(value)") }
        try run(
          """
          CREATE TABLE IF NOT EXISTS ZOBJECT
            (Z_PK INTEGER PRIMARY KEY, Z_ENT TEXT NOT NULL, ZVALUES BLOB NOT NULL)
          """)
        if isReadOnly { try run("PRAGMA query_only = 1") }
      } catch {
        close()
        throw error
      }
    }

    deinit { close() }

    func close() {
      csq_close(database)
      database = nil
    }

    func run(_ statements: String) throws {
      guard database != nil else { throw Self.error("the store was removed") }
      guard csq_execute(database, statements) == CSQ_OK.rawValue else { throw failure() }
    }

    /// Copies the database to a file, in the place of what is there.
    func copy(to url: URL) throws {
      for suffix in ["", "-wal", "-shm"] {
        let file = url.path + suffix
        if FileManager.default.fileExists(atPath: file) {
          try FileManager.default.removeItem(atPath: file)
        }
      }
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try run("VACUUM INTO '\(url.path.replacingOccurrences(of: "'", with: "''"))'")
    }

    /// The rows of an entity, or of all, in the order in which they were added.
    func rows(of entity: String?) throws -> [Row] {
      let query = "SELECT Z_PK, Z_ENT, ZVALUES FROM ZOBJECT ORDER BY Z_PK"
      var rows: [Row] = []
      try withStatement(query) { statement in
        while true {
          let result = csq_step(statement)
          guard result == CSQ_ROW.rawValue else {
            guard result == CSQ_DONE.rawValue else { throw failure() }
            return
          }
          var row = Row(entity: String(decoding: bytes(1, of: statement), as: UTF8.self))
          guard entity == nil || entity == row.entity else { continue }
          row.number = csq_column_integer(statement, 0)
          let values = try PropertyListSerialization.propertyList(
            from: bytes(2, of: statement), format: nil)
          row.values = values as? [String: Any] ?? [:]
          rows.append(row)
        }
      }
      return rows
    }

    func add(_ rows: [Row]) throws { _ = try change(adding: rows, updating: [], removing: []) }

    /// Changes rows in one transaction, and gives the numbers of those that were added.
    func change(adding added: [Row], updating updated: [Row], removing removed: [Int64]) throws
      -> [Int64]
    {
      var last: Int64 = 0
      try withStatement("SELECT MAX(Z_PK) FROM ZOBJECT") { statement in
        guard csq_step(statement) == CSQ_ROW.rawValue else { throw failure() }
        last = csq_column_integer(statement, 0)
      }
      let numbers = added.indices.map { last + 1 + Int64($0) }
      try run("BEGIN IMMEDIATE")
      do {
        for number in removed { try run("DELETE FROM ZOBJECT WHERE Z_PK = \(number)") }
        for (row, number) in zip(added, numbers) { try write(row, number) }
        for row in updated { try write(row, row.number ?? 0) }
        try run("COMMIT")
      } catch {
        try? run("ROLLBACK")
        throw error
      }
      return numbers
    }

    private func write(_ row: Row, _ number: Int64) throws {
      let values: Data
      do {
        values = try PropertyListSerialization.data(
          fromPropertyList: row.values, format: .binary, options: 0)
      } catch {
        throw Self.error("\(row.entity) has a value that AppleShim cannot store: \(error)")
      }
      try withStatement("INSERT OR REPLACE INTO ZOBJECT VALUES (?, ?, ?)") { statement in
        csq_bind_integer(statement, 1, number)
        csq_bind_text(statement, 2, row.entity, row.entity.utf8.count)
        values.withUnsafeBytes { _ = csq_bind_blob(statement, 3, $0.baseAddress, $0.count) }
        guard csq_step(statement) == CSQ_DONE.rawValue else { throw failure() }
      }
    }

    private func withStatement(_ text: String, _ body: (OpaquePointer?) throws -> Void) throws {
      guard database != nil else { throw Self.error("the store was removed") }
      var statement: OpaquePointer?
      guard csq_prepare(database, text, &statement) == CSQ_OK.rawValue else { throw failure() }
      defer { csq_end(statement) }
      try body(statement)
    }

    private func bytes(_ column: Int32, of statement: OpaquePointer?) -> Data {
      var size = 0
      guard let bytes = csq_column_bytes(statement, column, &size) else { return Data() }
      return Data(bytes: bytes, count: size)
    }

    private func failure() -> any Error { Self.error(String(cString: csq_message(database))) }

    private static func error(_ words: String) -> any Error {
      CocoaError(.persistentStoreOpen, userInfo: [NSLocalizedDescriptionKey: words])
    }
  }
#endif
