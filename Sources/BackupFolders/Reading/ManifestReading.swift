import BackupContainer
import BackupDiagnostics
import BackupFileTree
import Foundation

extension BackupFolder {
  /// Reads the manifest's entries for some containers, and for other groups and extensions of the
  /// app.
  ///
  /// Another group or extension is the app's if its identifier, without `group.`, begins with the
  /// app's. An extension is also the app's if its bundle is in the app's bundle.
  package func contents(
    of domains: [BackupDomain], app: String
  ) throws(BackupFolderError) -> BackupContents {
    var collector = ManifestCollector(domains, app: app, extensions: extensions(of: app))
    if manifestIsDatabase {
      try readDatabase { collector.add($0) }
    } else {
      try MobileBackupDatabase.read(at: "\(path)/Manifest.mbdb", into: &collector)
    }
    collector.finish()
    collector.contents.filesWithoutContents = try substitutes(for: collector.files)
    return collector.contents
  }

  /// Returns the identifiers of the apps that wrote a container list (`ContainerList`) on the
  /// device. Returns an empty array for a `Manifest.mbdb`.
  package func appsWithContainerList() throws(BackupFolderError) -> [String] {
    var apps: Set<String> = []
    let prefix = BackupDomain.appPrefix
    guard manifestIsDatabase else { return [] }
    try readDatabase { row in
      guard row.index(of: [ContainerList.firstListPath.bytes], in: 2) != nil,
        case .text(let domain) = row.columnValue(1), domain.starts(with: prefix.utf8)
      else { return }
      apps.insert(String(decoding: domain.dropFirst(prefix.utf8.count), as: UTF8.self))
    }
    return apps.filter { ContainerPath.Component.problem(withApp: $0) == nil }.sorted()
  }

  /// The size, in bytes, of the largest manifest that the kit copies: some four million items.
  /// Without a limit, a sparse file could claim any size.
  private static let maximumManifestSize: Int64 = 4_000_000_000

  /// Returns the problem with a database file that begins with `firstBytes`, or nil if there is
  /// none.
  ///
  /// The header of the file (sqlite.org/fileformat.html, section 1.3) has the number of the file's
  /// pages. The file is damaged if it is more than one page larger than its pages and the log
  /// beside it.
  private static func problem(
    withDatabase firstBytes: [UInt8], _ size: Int64, logSize: Int64
  ) -> String? {
    func number(at offset: Int, count: Int) -> Int64 {
      firstBytes[offset..<(offset + count)].reduce(0) { $0 << 8 | Int64($1) }
    }
    guard firstBytes.starts(with: databaseHeader), firstBytes.count >= 100 else {
      return "is damaged: it is not a SQLite database; take the backup again"
    }
    let pageSize = number(at: 16, count: 2) == 1 ? 65_536 : number(at: 16, count: 2)
    let pageCount = number(at: 28, count: 4)
    let isPageCountValid = number(at: 24, count: 4) == number(at: 92, count: 4)
    // If the header has no valid number of pages, SQLite uses the file's size.
    guard isPageCountValid, size > pageSize * (pageCount + 1) + logSize else { return nil }
    let pages = "\(Int(pageCount).counted("page")) of \(pageSize) bytes"
    return "is damaged: its header says \(pages), but it has \(Int(size).formattedSize); take the "
      + "backup again"
  }

  /// Reads a manifest that is a database. The kit copies the manifest first, because SQLite may
  /// change a database that it opens.
  private func readDatabase(_ body: (SQLiteStatement) -> Void) throws(BackupFolderError) {
    if keyBag != nil { return try readEncryptedDatabase(body) }
    let scratch: ScratchFolder
    do throws(RunError) {
      scratch = try ScratchFolder()
    } catch {
      throw BackupFolderError(path, "cannot be read: \(error)")
    }
    defer { withExtendedLifetime(scratch) {} }
    let name = "Manifest.db"
    // No copy of the `-shm` file is needed: SQLite creates it when it opens a database.
    var size: Int64 = 0
    for suffix in try Self.hasItem("\(name)-wal", in: path) ? ["-wal", ""] : [""] {
      let logSize = size
      do throws(RegularFile.AccessError) {
        size += try RegularFile.copy(
          from: "\(path)/\(name)\(suffix)",
          to: scratch.url.appendingPathComponent(name + suffix).path, upTo: Self.maximumManifestSize
        ) { start, size in
          suffix.isEmpty ? Self.problem(withDatabase: start, size, logSize: logSize) : nil
        }
      } catch {
        throw BackupFolderError(error)
      }
    }
    do throws(BackupFolderError) {
      let file = scratch.url.appendingPathComponent(name).path
      try readRows(of: SQLiteDatabase(path: file), size, body)
    } catch {
      throw BackupFolderError("\(path)/\(name)", error.reason)
    }
  }

  /// The size, in bytes, of the largest manifest that the kit decrypts in memory: some million
  /// items.
  private static let maximumEncryptedSize = 1_000_000_000

  /// Reads a manifest that is an encrypted database. The decrypted bytes stay in memory. The
  /// write-ahead log is not read.
  private func readEncryptedDatabase(
    _ body: (SQLiteStatement) -> Void
  ) throws(BackupFolderError) {
    guard let keys else {
      throw BackupFolderError(
        path,
        "the backup is encrypted, so its manifest cannot be read; decrypt it first, or take a "
          + "backup with 'Encrypt local backup' turned off")
    }
    let file = "\(path)/Manifest.db"
    guard
      let bytes = KeyBag.decrypt(
        try Self.bytes(at: file, atMost: Self.maximumEncryptedSize), by: keys.manifestKey),
      bytes.starts(with: Self.databaseHeader)
    else {
      throw BackupFolderError(
        file, "is damaged: decrypted, it is not a SQLite database; take the backup again")
    }
    try readRows(of: SQLiteDatabase(path: file, copyOf: bytes), Int64(bytes.count), body)
  }

  /// The number of bytes to count for each row in addition to the size of its values.
  private static let fixedRowSize: Int64 = 64

  /// Throws an error if `Files` is not a plain table. A view, a trigger, a virtual table or a
  /// computed column may create rows or values without end. SQLite begins each statement in `sql`
  /// exactly as the patterns below do, for example with `CREATE TABLE`.
  private func requirePlainTable(in database: SQLiteDatabase) throws(BackupFolderError) {
    let tables = try database.prepare(
      """
      SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'Files'
        AND sql GLOB 'CREATE TABLE *' AND NOT EXISTS (
          SELECT 1 FROM sqlite_master WHERE sql IS NOT NULL AND sql NOT GLOB 'CREATE TABLE *'
            AND sql NOT GLOB 'CREATE INDEX *' AND sql NOT GLOB 'CREATE UNIQUE INDEX *')
      """)
    guard try tables.moveToNextRow() else {
      throw BackupFolderError(
        database.path,
        "is not a backup's manifest: the table 'Files' is missing, or there is something other "
          + "than tables and indexes")
    }
    let columns = try database.prepare("PRAGMA table_xinfo(Files)")
    while try columns.moveToNextRow() {
      guard columns.columnValue(6) != .integer(0) else { continue }
      throw BackupFolderError(
        database.path,
        "is not a backup's manifest: the table 'Files' has computed columns")
    }
  }

  private func readRows(
    of database: SQLiteDatabase, _ size: Int64, _ body: (SQLiteStatement) -> Void
  ) throws(BackupFolderError) {
    try database.execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    try requirePlainTable(in: database)
    let rows = try database.prepare(
      "SELECT fileID, domain, relativePath, flags, file FROM Files NOT INDEXED")
    // Rows can have more bytes than the file, because rows may share pages or have default values.
    // Reading stops at twice the size of the file.
    var remainingSize = 2 * size
    while try rows.moveToNextRow() {
      remainingSize -= rows.size(ofFirstColumns: 5) + Self.fixedRowSize
      guard remainingSize >= 0 else {
        throw BackupFolderError(
          database.path, "is damaged: its rows have more bytes than the file could hold")
      }
      guard !Task.isCancelled else {
        throw BackupFolderError(database.path, "reading was cancelled")
      }
      body(rows)
    }
  }
}

/// Collects the entries of a manifest row by row, and counts the manifest's faults.
struct ManifestCollector {
  struct File {
    let path: ContainerPath
    let hash: SHA1
    let size: Int64
  }

  var contents = BackupContents()
  /// The files in the manifest. The folder must contain their contents.
  private(set) var files: [File] = []
  /// The domains to collect: those given to `init`, and the app's other domains found so far.
  private var domains: [BackupDomain]
  /// The names of `domains`, in the same order.
  private var domainNames: [[UInt8]]
  private let app: String
  /// The identifiers of the extensions in the app's bundle. They need not begin with the app's
  /// identifier.
  private let extensions: Set<String>
  /// The domains with a row for the container itself, among the rows read so far.
  private var domainsWithContainerRow: Set<BackupDomain> = []

  /// The length, in bytes, of the longest path that the kit reads.
  private static let maximumPathLength = 4096
  /// The largest number of domains to collect, and of other groups to name.
  private static let maximumNameCount = 100

  init(_ domains: [BackupDomain], app: String, extensions: Set<String> = []) {
    self.domains = domains
    self.domainNames = domains.map { Array($0.name.utf8) }
    self.app = app
    self.extensions = extensions
  }

  /// Adds a row of the table `Files`.
  mutating func add(_ row: SQLiteStatement) {
    var rowDomain = row.index(of: domainNames, in: 1).map { domains[$0] }
    if rowDomain == nil {
      guard case .text(let domainName) = row.columnValue(1) else {
        return contents.addFault(.wrongTypes, at: "a row without a domain")
      }
      rowDomain = domain(named: domainName)
    }
    guard let domain = rowDomain else { return }
    contents.domains.insert(domain)
    guard case .text(let path) = row.columnValue(2),
      let name = row.withColumnText(0, SHA1.init(hexadecimal:)),
      case .integer(let flags) = row.columnValue(3), case .blob(let archive) = row.columnValue(4)
    else {
      return contents.addFault(.wrongTypes, at: "a row of domain \(domain.name.escapedExcerpt)")
    }
    guard let description = BackupRecord.read(archive: archive) else {
      return contents.addFault(.unreadableArchive, at: Self.pathText(path))
    }
    if description.record.flags != flags
      || description.path.map({ Array($0.utf8) != path }) ?? false
    {
      contents.addFault(.contradiction, at: Self.pathText(path))
    }
    let hash = domain.hash(of: path)
    if name != hash { contents.addFault(.wrongName, at: Self.pathText(path)) }
    add(description.record, at: path, in: domain, hash)
    // `add` has counted an invalid path as a fault.
    if let treePath = try? domain.treePath(of: path), let list = treePath.pathWithoutContainerName,
      ContainerList.allPaths.contains(list)
    {
      contents.wrappedListKeys[treePath] = BackupRecord.encryptionKey(archive: archive)
    }
  }

  /// Adds an item of a domain. `hash` is the name of the file with the item's contents.
  mutating func add(
    _ record: BackupRecord, at path: [UInt8], in domain: BackupDomain, _ hash: SHA1
  ) {
    contents.domains.insert(domain)
    guard !path.isEmpty || record.kind == .directory else {
      return contents.addFault(.contradiction, at: domain.name.escapedExcerpt)
    }
    guard path.count <= Self.maximumPathLength, let treePath = try? domain.treePath(of: path) else {
      guard path.isEmpty else { return contents.addFault(.impossiblePath, at: Self.pathText(path)) }
      if !domainsWithContainerRow.insert(domain).inserted {
        contents.addFault(.duplicateItem, at: domain.name.escapedExcerpt)
      }
      return
    }
    if path.isEmpty { domainsWithContainerRow.insert(domain) }
    guard contents.records.updateValue(record, forKey: treePath) == nil else {
      return contents.addFault(.duplicateItem, at: treePath.description.asMessage)
    }
    if case .file(let size) = record.kind {
      files.append(File(path: treePath, hash: hash, size: size))
    }
  }

  /// Returns the domain with a name if it was given to `init` or belongs to the app. For any other
  /// domain, returns nil, and adds a group's identifier to `contents.otherGroups`.
  mutating func domain(named name: [UInt8]) -> BackupDomain? {
    if let index = domainNames.firstIndex(of: name) { return domains[index] }
    let (groups, plugins) = (BackupDomain.groupPrefix.utf8, BackupDomain.pluginPrefix.utf8)
    let isGroup = name.starts(with: groups)
    guard isGroup || name.starts(with: plugins) else { return nil }
    let bytes = name.dropFirst(isGroup ? groups.count : plugins.count)
    let identifier = String(decoding: bytes, as: UTF8.self)
    guard belongsToApp(identifier), domains.count < Self.maximumNameCount else {
      if isGroup, contents.otherGroups.count < Self.maximumNameCount {
        contents.otherGroups.insert(identifier.escapedExcerpt)
      }
      return nil
    }
    let domain =
      isGroup
      ? BackupDomain(group: identifier)
      : BackupDomain(ContainerPath.Component(containerOf: identifier), of: app)
    domains.append(domain)
    domainNames.append(name)
    return domain
  }

  /// Returns whether a group or an extension belongs to the app. Its identifier or the path of its
  /// bundle decides.
  private func belongsToApp(_ identifier: String) -> Bool {
    let name = identifier.hasPrefix("group.") ? identifier.dropFirst(6) : identifier[...]
    let belongs = name == app || name.hasPrefix("\(app).") || extensions.contains(identifier)
    return belongs && ContainerPath.Component.isIdentifier(identifier)
  }

  /// Counts a fault for each item whose directory the manifest does not list. Call this after the
  /// last row.
  mutating func finish() {
    for path in contents.records.keys.filter({ !isInListedDirectory($0) }).sorted() {
      contents.addFault(.unlistedParent, at: path.description)
    }
  }

  private func isInListedDirectory(_ path: ContainerPath) -> Bool {
    guard let parent = path.parent else {
      return path.isContainer || domainsWithContainerRow.contains { $0.container == nil }
    }
    return contents.records[parent]?.kind == .directory
  }

  /// Returns the first 200 bytes of a path as text on one line, or a phrase for an empty path.
  private static func pathText(_ path: [UInt8]) -> String {
    path.isEmpty ? "the container itself" : EscapedText.escape(Array(path.prefix(200)))
  }
}
