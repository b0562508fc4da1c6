import BackupContainer
import BackupDiagnostics
import BackupFileTree
import Foundation

extension BackupFolder {
  /// Reads what the manifest says of some containers. Extensions that were not asked for are
  /// recognized by the app's identifier.
  package func contents(
    of domains: [BackupDomain], app: String
  ) throws(BackupFolderError) -> BackupContents {
    var intake = ManifestIntake(domains, app: app)
    if hasDatabase {
      try readDatabase(into: &intake)
    } else {
      try MobileBackupDatabase.read(at: "\(path)/Manifest.mbdb", into: &intake)
    }
    intake.finish()
    intake.contents.withoutContents = try substitutes(for: intake.files)
    return intake.contents
  }

  /// The largest manifest that is copied, in bytes: some four million items. A file with holes says
  /// any size.
  private static let largestManifest: Int64 = 4_000_000_000

  /// Reads a manifest that is a database. SQLite gets a copy, because opening a database may change
  /// it.
  private func readDatabase(into intake: inout ManifestIntake) throws(BackupFolderError) {
    let scratch: ScratchFolder
    do throws(FakeContainerError) {
      scratch = try ScratchFolder()
    } catch {
      throw BackupFolderError(error.path, error.reason)
    }
    defer { withExtendedLifetime(scratch) {} }
    let name = "Manifest.db"
    // The file -shm is not needed: the first to open a database makes it again.
    var size: Int64 = 0
    for suffix in ["", "-wal"] {
      if !suffix.isEmpty {
        guard try Self.has(name + suffix, in: path) else { continue }
      }
      do throws(RegularFile.Obstacle) {
        size += try RegularFile.copy(
          from: "\(path)/\(name)\(suffix)",
          to: scratch.url.appendingPathComponent(name + suffix).path, upTo: Self.largestManifest)
      } catch {
        throw BackupFolderError(error)
      }
    }
    do throws(BackupFolderError) {
      try readRows(of: scratch.url.appendingPathComponent(name).path, size, into: &intake)
    } catch {
      throw BackupFolderError("\(path)/\(name)", error.reason)
    }
  }

  /// At most how many bytes a row is taken to have that says next to nothing.
  private static let leastRow: Int64 = 64

  /// Refuses a manifest whose list of items is anything but rows in the file. SQLite keeps its
  /// statements in `sql` in exactly this form; anything else that makes rows or values may run
  /// without end.
  private func requirePlainTable(in database: SQLiteDatabase) throws(BackupFolderError) {
    let tables = try database.prepare(
      """
      SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'Files'
        AND sql GLOB 'CREATE TABLE *' AND NOT EXISTS (
          SELECT 1 FROM sqlite_master WHERE sql IS NOT NULL AND sql NOT GLOB 'CREATE TABLE *'
            AND sql NOT GLOB 'CREATE INDEX *' AND sql NOT GLOB 'CREATE UNIQUE INDEX *')
      """)
    guard try tables.step() else {
      throw BackupFolderError(
        database.path,
        "is not a backup's manifest: the table 'Files' is missing, or there is something other "
          + "than tables and indexes")
    }
    let columns = try database.prepare("PRAGMA table_xinfo(Files)")
    while try columns.step() {
      guard columns.value(6) != .integer(0) else { continue }
      throw BackupFolderError(
        database.path,
        "is not a backup's manifest: the table 'Files' has "
          + "computed columns")
    }
  }

  /// Reads the rows of a database that is this process's own, of some bytes with its log.
  private func readRows(
    of file: String, _ size: Int64, into intake: inout ManifestIntake
  ) throws(BackupFolderError) {
    let database = try SQLiteDatabase(path: file)
    try database.execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    try requirePlainTable(in: database)
    let rows = try database.prepare(
      "SELECT fileID, domain, relativePath, flags, file FROM Files NOT INDEXED")
    // Pages that are used many times, and values by default, give more than stands in the file.
    var room = 2 * size
    while try rows.step() {
      room -= rows.size(ofFirst: 5) + Self.leastRow
      guard room >= 0 else {
        throw BackupFolderError(file, "is damaged: its rows contain more than the file")
      }
      guard !Task.isCancelled else { throw BackupFolderError(file, "reading was cancelled") }
      intake.take(rows)
    }
  }
}
