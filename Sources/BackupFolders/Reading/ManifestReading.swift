import BackupContainer
import BackupDiagnostics
import BackupFileTree
import Foundation

extension BackupFolder {
  /// Reads what the manifest says of some containers.
  ///
  /// - Parameters:
  ///   - domains: The containers' domains.
  ///   - app: The app's bundle identifier, by which extensions are told that were not asked for.
  /// - Returns: What is said of their items, and what is wrong with it.
  /// - Throws: ``BackupFolderError`` where the manifest cannot be read, or has no such domain.
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
    let names = namesOfContents()
    for (path, hash) in intake.fileNames where !names.contains(hash) {
      intake.contents.withoutContents.insert(path)
    }
    return intake.contents
  }

  /// The names of all contents that the folder holds, from lists of its folders: a look at each item
  /// would take many times as long. What is behind a link is none of it.
  private func namesOfContents() -> Set<SHA1> {
    let digits = Array("0123456789abcdef")
    let folders =
      hasDatabase ? digits.flatMap { high in digits.map { "\(path)/\(high)\($0)" } } : [path]
    var names: Set<SHA1> = []
    for folder in folders where PlainFile(path: folder).isDirectory {
      for var name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
        guard let hash = name.withUTF8({ SHA1(hexadecimal: UnsafeRawBufferPointer($0)) }),
          !hasDatabase || folder.hasSuffix("/\(name.prefix(2))")
        else { continue }
        names.insert(hash)
      }
    }
    return names
  }

  /// Where the folder holds what a file holds.
  func contentsPath(of name: String) -> String {
    hasDatabase ? "\(path)/\(name.prefix(2))/\(name)" : "\(path)/\(name)"
  }

  /// Reads a manifest that is a database, of which SQLite gets a copy: opening one may change it.
  private func readDatabase(into intake: inout ManifestIntake) throws(BackupFolderError) {
    let scratch: ScratchFolder
    do throws(FakeContainerError) {
      scratch = try ScratchFolder()
    } catch {
      throw BackupFolderError(error.path, error.reason)
    }
    defer { withExtendedLifetime(scratch) {} }
    let name = "Manifest.db"
    // Of the file -shm nothing is needed: whoever opens a database first makes it anew.
    for suffix in ["", "-wal"]
    where suffix.isEmpty || PlainFile(path: "\(path)/\(name)\(suffix)").isThere {
      try PlainFile(path: "\(path)/\(name)\(suffix)").copy(
        to: scratch.url.appendingPathComponent(name + suffix).path)
    }
    do throws(BackupFolderError) {
      try readRows(of: scratch.url.appendingPathComponent(name).path, into: &intake)
    } catch {
      throw BackupFolderError("\(path)/\(name)", error.reason)
    }
  }

  /// Reads the rows of a database that is this process's own.
  private func readRows(
    of file: String, into intake: inout ManifestIntake
  ) throws(BackupFolderError) {
    let database = try SQLiteDatabase(path: file)
    try database.execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    let table = try database.prepare(
      "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'Files' "
        + "AND sql NOT LIKE 'CREATE VIRTUAL%'")
    guard try table.step() else {
      throw BackupFolderError(file, "has no table 'Files', which lists the items")
    }
    let rows = try database.prepare(
      "SELECT fileID, domain, relativePath, flags, file FROM Files NOT INDEXED")
    while try rows.step() {
      guard !Task.isCancelled else { throw BackupFolderError(file, "reading was cancelled") }
      intake.take(rows)
    }
  }
}
