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
    if let keyBag { return try readEncryptedDatabase(keyBag, into: &intake) }
    let scratch: ScratchFolder
    do throws(RunError) {
      scratch = try ScratchFolder()
    } catch {
      throw BackupFolderError(path, "cannot be read: \(error)")
    }
    defer { withExtendedLifetime(scratch) {} }
    let name = "Manifest.db"
    // The file -shm is not needed: the first to open a database makes it again.
    var size: Int64 = 0
    for suffix in try Self.has("\(name)-wal", in: path) ? ["", "-wal"] : [""] {
      do throws(RegularFile.Obstacle) {
        size += try RegularFile.copy(
          from: "\(path)/\(name)\(suffix)",
          to: scratch.url.appendingPathComponent(name + suffix).path, upTo: Self.largestManifest)
      } catch {
        throw BackupFolderError(error)
      }
    }
    do throws(BackupFolderError) {
      let file = scratch.url.appendingPathComponent(name).path
      try readRows(of: SQLiteDatabase(path: file), size, into: &intake)
    } catch {
      throw BackupFolderError("\(path)/\(name)", error.reason)
    }
  }

  /// The largest manifest that is decrypted in memory, in bytes: some million items.
  private static let largestEncrypted = 1_000_000_000

  /// Reads a manifest that is an encrypted database. What is decrypted stays in memory. A log beside
  /// it is not read.
  private func readEncryptedDatabase(
    _ keyBag: KeyBag, into intake: inout ManifestIntake
  ) throws(BackupFolderError) {
    guard let manifestKey else {
      throw BackupFolderError(
        path,
        "the backup is encrypted, so its manifest cannot be read; decrypt it first, or take a "
          + "backup with 'Encrypt local backup' switched off")
    }
    let file = "\(path)/Manifest.db"
    guard
      let bytes = KeyBag.decrypt(
        try Self.bytes(at: file, atMost: Self.largestEncrypted), by: manifestKey),
      bytes.starts(with: Self.databaseHeader)
    else {
      throw BackupFolderError(
        file, "is damaged: decrypted, it is not a SQLite database; take the backup again")
    }
    try readRows(
      of: SQLiteDatabase(path: file, copyOf: bytes), Int64(bytes.count), into: &intake)
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
        "is not a backup's manifest: the table 'Files' has computed columns")
    }
  }

  private func readRows(
    of database: SQLiteDatabase, _ size: Int64, into intake: inout ManifestIntake
  ) throws(BackupFolderError) {
    try database.execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    try requirePlainTable(in: database)
    let rows = try database.prepare(
      "SELECT fileID, domain, relativePath, flags, file FROM Files NOT INDEXED")
    // Pages that are used many times, and values by default, give more than stands in the file.
    var room = 2 * size
    while try rows.step() {
      room -= rows.size(ofFirst: 5) + Self.leastRow
      guard room >= 0 else {
        throw BackupFolderError(
          database.path, "is damaged: its rows have more bytes than the file could hold")
      }
      guard !Task.isCancelled else {
        throw BackupFolderError(database.path, "reading was cancelled")
      }
      intake.take(rows)
    }
  }
}

/// Takes in what a manifest says, row by row, and counts what is wrong.
struct ManifestIntake {
  typealias File = (path: ContainerPath, hash: SHA1, size: Int64)

  var contents = BackupContents()
  /// The files, whose contents the folder must hold.
  private(set) var files: [File] = []
  private let domains: [BackupDomain]
  private let names: [[UInt8]]
  /// What the names of the domains of the app's extensions begin with.
  private let extensionPrefix: [UInt8]
  /// What the names of the domains of groups begin with.
  private let groupPrefix = Array(BackupDomain.groupPrefix.utf8)
  /// The containers whose own rows have come.
  private var roots: Set<BackupDomain> = []

  /// The longest path that is read, in bytes.
  private static let longestPath = 4096
  /// The most extensions, and the most groups, that are named.
  private static let mostNames = 100

  init(_ domains: [BackupDomain], app: String) {
    self.domains = domains
    self.names = domains.map { Array($0.name.utf8) }
    self.extensionPrefix = Array("\(BackupDomain.pluginPrefix)\(app).".utf8)
  }

  mutating func take(_ row: SQLiteStatement) {
    guard let domain = row.index(of: names, in: 1).map({ domains[$0] }) else {
      guard case .text(let other) = row.value(1) else {
        return contents.note(.types, at: "a row without a domain")
      }
      return noteOther(other)
    }
    contents.domains.insert(domain)
    guard case .text(let path) = row.value(2), let name = row.withText(0, SHA1.init(hexadecimal:)),
      case .integer(let flags) = row.value(3), case .blob(let archive) = row.value(4)
    else { return contents.note(.types, at: "a row of domain \(domain.name.shown)") }
    guard let described = BackupRecord.read(archive: archive) else {
      return contents.note(.archive, at: Self.shown(path))
    }
    if described.record.flags != flags || described.path.map({ Array($0.utf8) != path }) ?? false {
      contents.note(.contradiction, at: Self.shown(path))
    }
    let hash = domain.hash(of: path)
    if name != hash { contents.note(.name, at: Self.shown(path)) }
    take(described.record, at: path, in: domain, hash)
  }

  /// Takes in an item of a domain, with the hash that names it.
  mutating func take(
    _ record: BackupRecord, at path: [UInt8], in domain: BackupDomain, _ hash: SHA1
  ) {
    contents.domains.insert(domain)
    guard !path.isEmpty || record.kind == .directory else {
      return contents.note(.contradiction, at: domain.name.shown)
    }
    guard path.count <= Self.longestPath, let found = try? domain.path(of: path) else {
      guard path.isEmpty else { return contents.note(.path, at: Self.shown(path)) }
      if !roots.insert(domain).inserted { contents.note(.twice, at: domain.name.shown) }
      return
    }
    if path.isEmpty { roots.insert(domain) }
    guard contents.records.updateValue(record, forKey: found) == nil else {
      return contents.note(.twice, at: found.description.asMessage)
    }
    if case .file(let size) = record.kind {
      files.append((found, hash, size))
    }
  }

  /// The domain of a name, where it is asked for; else it is noted where it may be the app's.
  mutating func domain(named name: [UInt8]) -> BackupDomain? {
    if let index = names.firstIndex(of: name) { return domains[index] }
    noteOther(name)
    return nil
  }

  /// Looks for items whose directories are not listed, when all rows have come.
  mutating func finish() {
    for path in contents.records.keys.filter({ !isInListedDirectory($0) }).sorted() {
      contents.note(.parent, at: path.description)
    }
  }

  private func isInListedDirectory(_ path: ContainerPath) -> Bool {
    guard let parent = path.parent else {
      return path.isContainer || roots.contains { $0.container == nil }
    }
    return contents.records[parent]?.kind == .directory
  }

  /// Notes the domain of a group, or of one of the app's extensions, that was not asked for.
  private mutating func noteOther(_ name: [UInt8]) {
    if name.starts(with: extensionPrefix), contents.otherExtensions.count < Self.mostNames {
      contents.otherExtensions.insert(String(decoding: name, as: UTF8.self).shown)
    } else if name.starts(with: groupPrefix), contents.otherGroups.count < Self.mostNames {
      contents.otherGroups.insert(String(decoding: name, as: UTF8.self).shown)
    }
  }

  /// A path on one line, shortened to a length that is still readable.
  private static func shown(_ path: [UInt8]) -> String {
    path.isEmpty ? "the container itself" : EscapedText.escape(Array(path.prefix(200)))
  }
}
