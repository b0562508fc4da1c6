#if os(Linux)
  import CBackupSQLite
  import Foundation

  /// The database of a store of Core Data's, which threads may share.
  final class StoreDatabase: @unchecked Sendable {
    struct Row {
      var number: Int64?
      let entity: String
      var values: [String: Any] = [:]

      init(entity: String) { self.entity = entity }
    }

    private var database: OpaquePointer?
    private let lock = NSRecursiveLock()

    /// Opens the database in a file; without a URL, one in memory. Makes a file that is not there,
    /// unless it is only read.
    init(at url: URL?, isReadOnly: Bool, pragmas: [String: Any]) throws {
      guard csq_is_there() == 1 else {
        throw Self.error("SQLite cannot be loaded; install the system's libsqlite3")
      }
      if isReadOnly, let url, !FileManager.default.fileExists(atPath: url.path) {
        throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: url.path])
      }
      if let url, !isReadOnly {
        let folder = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      }
      let result = csq_open(url?.path ?? ":memory:", .max, .max, &database)
      guard result == CSQ_OK.rawValue else { throw failure() }
      do {
        try run("PRAGMA busy_timeout = 60000")
        let tables = try tables()
        guard tables.isEmpty && !isReadOnly || tables.contains("ZOBJECT Z_PK,Z_ENT,ZVALUES") else {
          throw Self.error(
            "\(url?.path ?? "") was not made by AppleShim, which can read no other store")
        }
        csq_keep_log(database)
        if isReadOnly {
          try run("PRAGMA query_only = 1")
        } else {
          try run("PRAGMA journal_mode = WAL")
          for (name, value) in pragmas { try run("PRAGMA \(name) = \(value)") }
          try run(
            """
            CREATE TABLE IF NOT EXISTS ZOBJECT
              (Z_PK INTEGER PRIMARY KEY AUTOINCREMENT, Z_ENT TEXT NOT NULL, ZVALUES BLOB NOT NULL)
            """)
        }
      } catch {
        close()
        throw error
      }
    }

    deinit { close() }

    func close() {
      lock.withLock {
        csq_close(database)
        database = nil
      }
    }

    /// The names of the tables with those of their columns.
    private func tables() throws -> [String] {
      let query = """
        SELECT name || ' ' || (SELECT group_concat(name) FROM pragma_table_info(tables.name))
          FROM sqlite_master AS tables WHERE type = 'table'
        """
      var tables: [String] = []
      try withStatement(query) { statement in
        while try hasRow(statement) {
          tables.append(String(decoding: bytes(0, of: statement), as: UTF8.self))
        }
      }
      return tables
    }

    func run(_ statements: String) throws {
      lock.lock()
      defer { lock.unlock() }
      guard database != nil else { throw Self.error("the store was removed") }
      guard csq_execute(database, statements) == CSQ_OK.rawValue else { throw failure() }
    }

    /// Copies the database to a file, in the place of what is there.
    func copy(to url: URL) throws {
      for suffix in ["", "-wal", "-shm", "-journal"] {
        let file = url.path + suffix
        if FileManager.default.fileExists(atPath: file) {
          try FileManager.default.removeItem(atPath: file)
        }
      }
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      // Only this database is read, but SQLite takes the copy for a change.
      try run("PRAGMA query_only = 0")
      try run("VACUUM INTO '\(url.path.replacingOccurrences(of: "'", with: "''"))'")
    }

    /// The rows of an entity, or of all, in the order in which they were added.
    func rows(of entity: String?) throws -> [Row] {
      let query = "SELECT Z_PK, Z_ENT, ZVALUES FROM ZOBJECT ORDER BY Z_PK"
      var rows: [Row] = []
      try withStatement(query) { statement in
        while try hasRow(statement) {
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
      lock.lock()
      defer { lock.unlock() }
      var numbers: [Int64] = []
      try run("BEGIN IMMEDIATE")
      do {
        for number in removed { try run("DELETE FROM ZOBJECT WHERE Z_PK = \(number)") }
        for row in added {
          try write(row, "INSERT INTO ZOBJECT (Z_ENT, ZVALUES) VALUES (?, ?)")
          try withStatement("SELECT last_insert_rowid()") { statement in
            if try hasRow(statement) { numbers.append(csq_column_integer(statement, 0)) }
          }
        }
        for row in updated {
          let number = row.number ?? 0
          try write(row, "UPDATE ZOBJECT SET Z_ENT = ?, ZVALUES = ? WHERE Z_PK = \(number)")
        }
        try run("COMMIT")
      } catch {
        try? run("ROLLBACK")
        throw error
      }
      return numbers
    }

    private func write(_ row: Row, _ text: String) throws {
      let values: Data
      do {
        values = try PropertyListSerialization.data(
          fromPropertyList: row.values, format: .binary, options: 0)
      } catch {
        throw Self.error("\(row.entity) has a value that AppleShim cannot store: \(error)")
      }
      try withStatement(text) { statement in
        csq_bind_text(statement, 1, row.entity, row.entity.utf8.count)
        values.withUnsafeBytes { _ = csq_bind_blob(statement, 2, $0.baseAddress, $0.count) }
        _ = try hasRow(statement)
      }
    }

    private func hasRow(_ statement: OpaquePointer?) throws -> Bool {
      let result = csq_step(statement)
      guard result == CSQ_ROW.rawValue || result == CSQ_DONE.rawValue else { throw failure() }
      return result == CSQ_ROW.rawValue
    }

    private func withStatement(_ text: String, _ body: (OpaquePointer?) throws -> Void) throws {
      lock.lock()
      defer { lock.unlock() }
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

    static func error(_ words: String) -> any Error {
      CocoaError(.persistentStoreOpen, userInfo: [NSLocalizedDescriptionKey: words])
    }
  }
#endif
