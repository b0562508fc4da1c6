import Foundation

/// A database of text lines with the same files as SQLite.
///
/// A new row goes to a `-wal` file beside the database. A checkpoint moves the rows from there to
/// the database. Until then, a `-shm` file is beside both. All files are written in place.
public struct Database: Sendable {
  /// The database file.
  public let file: URL

  /// Opens a database, and creates it if it is missing. The folder must exist.
  public init(at file: URL) throws {
    self.file = file
    if !FileManager.default.fileExists(atPath: file.path) {
      try Self.header.write(to: file)
    }
  }

  /// Adds a row.
  public func insert(_ row: String) throws {
    for file in [log, index] where !FileManager.default.fileExists(atPath: file.path) {
      try Data().write(to: file)
    }
    try Self.append(Data("\(row)\n".utf8), to: log)
  }

  /// Moves the waiting rows into the database.
  public func checkpoint() throws {
    guard FileManager.default.fileExists(atPath: log.path) else { return }
    try Self.append(Data(contentsOf: log), to: file)
    for file in [log, index] where FileManager.default.fileExists(atPath: file.path) {
      try FileManager.default.removeItem(at: file)
    }
  }

  /// Returns all rows, starting with the oldest.
  public func rows() throws -> [String] {
    let waiting = (try? Data(contentsOf: log)) ?? Data()
    let text = try Data(contentsOf: file).dropFirst(Self.header.count) + waiting
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The first bytes of each SQLite database.
  private static let header = Data("SQLite format 3\0".utf8)

  /// The rows that wait for a checkpoint.
  private var log: URL { URL(filePath: file.path + "-wal") }

  /// The index of the waiting rows.
  private var index: URL { URL(filePath: file.path + "-shm") }

  /// Appends data to a file.
  private static func append(_ data: Data, to file: URL) throws {
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    try handle.seekToEnd()
    try handle.write(contentsOf: data)
  }
}
