#if os(macOS) || os(Linux)
import Foundation

@testable import BackupFolders

/// An SQLite database of words.
struct WordDatabase {
  /// The open database, which is closed with its last reference.
  private let database: SQLiteDatabase

  /// Opens a database, or makes it.
  ///
  /// - Parameters:
  ///   - file: Where it is.
  ///   - journal: How SQLite undoes what was not finished, such as `WAL`.
  ///   - isShared: Whether other processes may open it too, for which SQLite maps a file of a `WAL`.
  /// - Throws: What SQLite refuses.
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
