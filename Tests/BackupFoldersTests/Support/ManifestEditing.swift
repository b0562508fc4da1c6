import TestSupport

@testable import BackupFolders

/// Changes manifests as another program could.
enum ManifestEditing {
  static func execute(_ statements: String, in file: String) throws {
    try SQLiteDatabase(path: file).execute(statements)
  }

  /// Sets the description of an item.
  static func describe(
    _ path: String, as record: BackupRecord, named name: String? = nil, in file: String
  ) throws {
    let database = try SQLiteDatabase(path: file)
    let bytes = record.archive(at: name ?? path)
    try database.prepare("UPDATE Files SET file = ?, flags = ? WHERE relativePath = ?").run(
      .blob(bytes), .integer(record.flags), .text(Array(path.utf8)))
  }

  static func add(
    _ record: BackupRecord, at path: String, in domain: BackupDomain, of file: String
  ) throws {
    let database = try SQLiteDatabase(path: file)
    try database.prepare("INSERT INTO Files VALUES (?, ?, ?, ?, ?)").run(
      .text(Array(domain.fileID(of: Array(path.utf8)).utf8)), .text(Array(domain.name.utf8)),
      .text(Array(path.utf8)), .integer(record.flags), .blob(record.archive(at: path)))
  }

  /// Returns the bytes of the description of an item.
  static func description(of path: String, in file: String) throws -> [UInt8] {
    let database = try SQLiteDatabase(path: file)
    let rows = try database.prepare("SELECT file FROM Files WHERE relativePath = '\(path)'")
    guard try rows.moveToNextRow(), case .blob(let bytes) = rows.columnValue(0) else {
      throw TestError("there is no row of \(path)")
    }
    return bytes
  }
}
