import CBackupSQLite
import Foundation

/// An open SQLite database. The kit accesses it with the machine's own SQLite library.
final class SQLiteDatabase {
  /// The size, in bytes, of the largest value that the kit reads from a database or writes to it.
  private static let maximumValueSize: Int32 = 64_000_000
  /// The number of steps of SQLite's virtual machine that one statement may take. This is enough
  /// for a manifest of some ten million rows.
  static let maximumStepCount: Int64 = 1_000_000_000

  let path: String
  fileprivate let handle: OpaquePointer?

  /// Opens or creates the database at `path`, which no other process may use. If `bytes` is not
  /// nil, opens a copy of `bytes` in memory instead. In this case, `path` is only the name in
  /// errors. `maximumStepCount` limits the steps of each statement.
  init(
    path: String, copyOf bytes: [UInt8]? = nil, maximumStepCount: Int64 = maximumStepCount
  ) throws(BackupFolderError) {
    guard csq_is_there() == 1 else {
      throw BackupFolderError(
        path,
        "SQLite is missing on this machine, and a backup's manifest is a SQLite database; install "
          + "it so that \(Self.libraryNames.joined(separator: " or ")) can be loaded")
    }
    var handle: OpaquePointer?
    let result =
      if let bytes {
        csq_open_copy(bytes, bytes.count, Self.maximumValueSize, maximumStepCount, &handle)
      } else { csq_open(path, Self.maximumValueSize, maximumStepCount, &handle) }
    self.path = path
    self.handle = handle
    guard result == CSQ_OK.rawValue else { throw failure }
  }

  deinit {
    csq_close(handle)
  }

  static var libraryNames: [String] {
    sequence(first: 0) { $0 + 1 }.lazy.map { csq_library_name($0) }.prefix { $0 != nil }
      .compactMap { $0.map { String(cString: $0) } }
  }

  func execute(_ statements: String) throws(BackupFolderError) {
    guard csq_execute(handle, statements) == CSQ_OK.rawValue else { throw failure }
  }

  func prepare(_ text: String) throws(BackupFolderError) -> SQLiteStatement {
    var statement: OpaquePointer?
    guard csq_prepare(handle, text, &statement) == CSQ_OK.rawValue, let statement else {
      throw failure
    }
    return SQLiteStatement(statement, of: self)
  }

  fileprivate var failure: BackupFolderError {
    BackupFolderError(path, "SQLite says: \(String(cString: csq_message(handle)))")
  }
}

/// A prepared statement of a database. It keeps the database open.
final class SQLiteStatement {
  enum Value: Equatable {
    case integer(Int64)
    case text([UInt8])
    case blob([UInt8])
    case other
  }

  private let handle: OpaquePointer
  private let database: SQLiteDatabase

  fileprivate init(_ handle: OpaquePointer, of database: SQLiteDatabase) {
    self.handle = handle
    self.database = database
  }

  deinit {
    csq_end(handle)
  }

  /// Moves to the next row. Returns false after the last row.
  func moveToNextRow() throws(BackupFolderError) -> Bool {
    switch UInt32(bitPattern: csq_step(handle)) {
    case CSQ_ROW.rawValue: return true
    case CSQ_DONE.rawValue: return false
    case CSQ_INTERRUPT.rawValue:
      throw BackupFolderError(
        database.path,
        "reading stopped because it takes far longer than for a real backup; take the backup "
          + "again, or check where the folder is from")
    default: throw database.failure
    }
  }

  /// Executes the statement once with the values of its parameters.
  func run(_ parameters: Value...) throws(BackupFolderError) {
    for (index, parameter) in parameters.enumerated() {
      guard bind(parameter, at: Int32(index + 1)) == CSQ_OK.rawValue else { throw database.failure }
    }
    _ = try moveToNextRow()
    csq_reset(handle)
  }

  private func bind(_ value: Value, at index: Int32) -> Int32 {
    switch value {
    case .integer(let number): csq_bind_integer(handle, index, number)
    case .text(let bytes):
      (bytes + [0]).withUnsafeBytes { buffer in
        csq_bind_text(
          handle, index, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
      }
    case .blob(let bytes):
      (bytes + [0]).withUnsafeBytes {
        csq_bind_blob(handle, index, $0.baseAddress, bytes.count)
      }
    case .other: 0
    }
  }

  func columnValue(_ column: Int32) -> Value {
    switch UInt32(bitPattern: csq_column_type(handle, column)) {
    case CSQ_INTEGER.rawValue: .integer(csq_column_integer(handle, column))
    case CSQ_TEXT.rawValue: .text(bytes(column))
    case CSQ_BLOB.rawValue: .blob(bytes(column))
    default: .other
    }
  }

  /// Returns the index in `texts` of the text in a column of the row, or nil if `texts` lacks it.
  /// This does not copy the column's text.
  func index(of texts: [[UInt8]], in column: Int32) -> Int? {
    withColumnText(column) { text in
      texts.firstIndex { $0.count == text.count && $0.elementsEqual(text) }
    } ?? nil
  }

  /// Calls `body` with the text in a column of the row. Returns nil if the column contains no text.
  func withColumnText<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result)
    -> Result?
  {
    guard UInt32(bitPattern: csq_column_type(handle, column)) == CSQ_TEXT.rawValue else {
      return nil
    }
    var size = 0
    let bytes = csq_column_bytes(handle, column, &size)
    return body(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : size))
  }

  /// Returns the total size, in bytes, of the texts and blobs in the first columns of the row.
  func size(ofFirstColumns columns: Int32) -> Int64 { csq_row_size(handle, columns) }

  private func bytes(_ column: Int32) -> [UInt8] {
    var size = 0
    guard let bytes = csq_column_bytes(handle, column, &size) else { return [] }
    return Array(UnsafeRawBufferPointer(start: bytes, count: size))
  }
}
