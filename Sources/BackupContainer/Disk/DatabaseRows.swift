import BackupFileTree
import CBackupFiles
import CBackupSQLite
import Foundation

extension DiskPath {
  /// The largest database that is read, in bytes, its longest value, and the most steps that SQLite may take.
  private static let (mostRead, longestValue, mostSteps): (Int64, Int32, Int64) =
    (16_000_000, 1_000_000, 20_000_000)
  /// The files beside a database without which it cannot be read.
  private static let siblings = ["-wal", "-journal"]

  /// Returns the values in the rows of a database. Each column of a table is one place.
  ///
  /// The kit reads a copy of the database and its log, because opening a database may change it.
  ///
  /// - Returns: nil if SQLite is missing on this machine, or does not read the file.
  func rows(named name: ContainerPath.Component) throws(SystemError) -> ContentsValues? {
    guard csq_is_there() == 1, let size = try status()?.size, size <= Self.mostRead else {
      return nil
    }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("sbt-rows-\(UUID().uuidString)")
    let copy = DiskPath(folder)
    try copy.makeDirectory()
    defer { try? copy.removeItem() }
    let database = copy.appending(Array("database".utf8))
    try copyFile(to: database)
    for sibling in Self.siblings {
      let beside = parent.appending(name.bytes + Array(sibling.utf8))
      guard try beside.status() != nil else { continue }
      try beside.copyFile(to: copy.appending(Array("database\(sibling)".utf8)))
    }
    return Self.rows(of: database.string)
  }

  private static func rows(of path: String) -> ContentsValues? {
    var database: OpaquePointer?
    defer { csq_close(database) }
    guard csq_open(path, longestValue, mostSteps, &database) == CSQ_OK.rawValue, let database,
      let tables = names(of: database, "SELECT name FROM sqlite_master WHERE type = 'table'")
    else { return nil }
    var values = ContentsValues(areRows: true)
    for table in tables {
      let quoted = "\"" + table.replacing("\"", with: "\"\"") + "\""
      guard let columns = names(of: database, "SELECT name FROM pragma_table_info(\(quoted))"),
        read(table, columns, of: database, "SELECT * FROM \(quoted)", into: &values)
      else { return nil }
    }
    return values
  }

  private static func names(of database: OpaquePointer, _ query: String) -> [String]? {
    var names: [String] = []
    let isRead = forEachRow(of: database, query) { names.append(text(of: $0, 0)) }
    return isRead ? names : nil
  }

  private static func read(
    _ table: String, _ columns: [String], of database: OpaquePointer, _ query: String,
    into values: inout ContentsValues
  ) -> Bool {
    forEachRow(of: database, query) { row in
      for (index, column) in columns.enumerated() {
        values.add(value(of: row, Int32(index)), at: ContentsPlace()[table][column])
      }
    }
  }

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
