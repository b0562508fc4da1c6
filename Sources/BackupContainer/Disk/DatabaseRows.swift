import BackupFileTree
import CBackupFiles
import CBackupSQLite
import Foundation

extension DiskPath {
  /// The size of the largest database that is read, in bytes.
  private static let largestDatabaseSize: Int64 = 16_000_000
  /// The size of the longest value, in bytes.
  private static let longestValueSize: Int32 = 1_000_000
  /// The number of steps that SQLite may take for a query.
  private static let stepLimit: Int64 = 20_000_000
  /// The suffixes of the files beside a database that may have a part of its contents.
  private static let siblingSuffixes = ["-wal", "-journal"]

  /// Returns the values in the rows of a database. All values of a column share one
  /// ``ContentsPlace``.
  ///
  /// The kit reads a copy of the database and its log, because opening a database may change it.
  ///
  /// - Returns: The values; nil if SQLite is missing on this machine, or if the file is too large
  ///   or cannot be read.
  func rows(ofDatabaseNamed name: ContainerPath.Component) throws(SystemError) -> ContentsValues? {
    guard csq_is_there() == 1, let size = try status()?.size, size <= Self.largestDatabaseSize
    else {
      return nil
    }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("sbt-rows-\(UUID().uuidString)")
    let copyFolder = DiskPath(folder)
    try copyFolder.makeDirectory()
    defer { try? copyFolder.removeItem() }
    let database = copyFolder.appending(Array("database".utf8))
    try copyFile(to: database)
    for suffix in Self.siblingSuffixes {
      let sibling = parent.appending(name.bytes + Array(suffix.utf8))
      guard try sibling.status() != nil else { continue }
      try sibling.copyFile(to: copyFolder.appending(Array("database\(suffix)".utf8)))
    }
    return Self.rows(of: database.string)
  }

  private static func rows(of path: String) -> ContentsValues? {
    var database: OpaquePointer?
    defer { csq_close(database) }
    guard csq_open(path, longestValueSize, stepLimit, &database) == CSQ_OK.rawValue, let database,
      let tables = firstColumn(of: database, "SELECT name FROM sqlite_master WHERE type = 'table'")
    else { return nil }
    var values = ContentsValues(containsRows: true)
    for table in tables {
      let quotedTable = "\"" + table.replacing("\"", with: "\"\"") + "\""
      guard
        let columns = firstColumn(
          of: database, "SELECT name FROM pragma_table_info(\(quotedTable))"),
        addRows(of: table, columns, in: database, "SELECT * FROM \(quotedTable)", to: &values)
      else { return nil }
    }
    return values
  }

  /// Returns the first value of each row as text; nil if the query fails.
  private static func firstColumn(of database: OpaquePointer, _ query: String) -> [String]? {
    var texts: [String] = []
    let hasSucceeded = forEachRow(of: database, query) { texts.append(text(of: $0, 0)) }
    return hasSucceeded ? texts : nil
  }

  /// Adds the values of all rows. Returns false if the query fails.
  private static func addRows(
    of table: String, _ columns: [String], in database: OpaquePointer, _ query: String,
    to values: inout ContentsValues
  ) -> Bool {
    forEachRow(of: database, query) { row in
      for (index, column) in columns.enumerated() {
        values.add(value(of: row, Int32(index)), at: ContentsPlace()[table][column])
      }
    }
  }

  /// Calls `body` with each row. Returns false if the query fails.
  private static func forEachRow(
    of database: OpaquePointer, _ query: String, _ body: (OpaquePointer) -> Void
  ) -> Bool {
    var statement: OpaquePointer?
    defer { csq_end(statement) }
    guard csq_prepare(database, query, &statement) == CSQ_OK.rawValue, let statement else {
      return false
    }
    var result = csq_step(statement)
    while result == CSQ_ROW.rawValue {
      body(statement)
      result = csq_step(statement)
    }
    return result == CSQ_DONE.rawValue
  }

  private static func value(of row: OpaquePointer, _ index: Int32) -> PropertyList {
    switch csq_column_type(row, index) {
    case Int32(CSQ_INTEGER.rawValue): .integer(csq_column_integer(row, index))
    case Int32(CSQ_NULL.rawValue): .null
    case Int32(CSQ_BLOB.rawValue): .data(bytes(of: row, index))
    default: .string(text(of: row, index))
    }
  }

  private static func text(of row: OpaquePointer, _ index: Int32) -> String {
    String(decoding: bytes(of: row, index), as: UTF8.self)
  }

  private static func bytes(of row: OpaquePointer, _ index: Int32) -> [UInt8] {
    var size = 0
    guard let start = csq_column_bytes(row, index, &size) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: size))
  }
}
