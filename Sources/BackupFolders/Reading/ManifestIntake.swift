import BackupDiagnostics
import BackupFileTree

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
