#if os(macOS) || os(Linux)
import Foundation

@testable import BackupFolders

/// An SQLite database with a table of words.
struct WordDatabase {
  private let database: SQLiteDatabase

  /// Opens a database, or creates it.
  ///
  /// - Parameters:
  ///   - file: The location of the database.
  ///   - journal: The journal mode of SQLite, for example `WAL`.
  ///   - isShared: Whether other processes may open the database too. In the mode `WAL`, SQLite
  ///     then maps a shared file.
  /// - Throws: An error of SQLite.
  init(_ file: URL, journal: String, isShared: Bool = true) throws {
    database = try SQLiteDatabase(path: file.path)
    if !isShared { try database.execute("PRAGMA locking_mode=EXCLUSIVE") }
    try database.execute("PRAGMA journal_mode=\(journal)")
    try database.execute("CREATE TABLE IF NOT EXISTS words (word TEXT PRIMARY KEY)")
  }

  func add(_ word: String) throws {
    try database.execute("INSERT OR REPLACE INTO words VALUES ('\(word)')")
  }
}
#endif
