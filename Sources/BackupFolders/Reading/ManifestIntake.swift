import BackupDiagnostics
import BackupFileTree

/// Takes in what a manifest says, row by row, and counts what is wrong.
struct ManifestIntake {
  /// What was taken in.
  var contents = BackupContents()
  /// The name of each file's contents in the folder.
  private(set) var fileNames: [ContainerPath: String] = [:]
  /// The domains that are asked for, by the bytes of their names.
  private let domains: [[UInt8]: BackupDomain]
  /// Those bytes.
  private let names: [[UInt8]]
  /// What the names of the domains of the app's extensions begin with.
  private let extensionPrefix: [UInt8]
  /// The containers whose own rows have come.
  private var roots: Set<BackupDomain> = []

  /// The longest path that is read, in bytes.
  private static let longestPath = 4096
  /// The most extensions that are named.
  private static let mostExtensions = 100

  /// Nothing so far.
  init(_ domains: [BackupDomain], app: String) {
    self.domains = Dictionary(
      domains.map { (Array($0.name.utf8), $0) }, uniquingKeysWith: { first, _ in first })
    self.names = Array(self.domains.keys)
    self.extensionPrefix = Array("\(BackupDomain.pluginPrefix)\(app).".utf8)
  }

  /// Takes in a row of a database.
  mutating func take(_ row: SQLiteStatement) {
    guard row.holds(names, in: 1) else {
      guard case .text(let other) = row.value(1) else {
        return contents.note(.types, at: "a row without a domain")
      }
      return noteExtension(other)
    }
    guard case .text(let name) = row.value(1), let domain = domains[name] else { return }
    contents.domains.insert(domain)
    guard case .text(let path) = row.value(2), case .text(let fileID) = row.value(0),
      case .integer(let flags) = row.value(3), case .blob(let archive) = row.value(4)
    else { return contents.note(.types, at: "a row of \(domain.name.shown)") }
    guard let described = FileArchive.read(archive) else {
      return contents.note(.archive, at: Self.shown(path))
    }
    if described.record.flags != flags || described.path.map({ Array($0.utf8) != path }) ?? false {
      contents.note(.contradiction, at: Self.shown(path))
    }
    if !domain.fileID(of: path).utf8.elementsEqual(fileID) {
      contents.note(.name, at: Self.shown(path))
    }
    take(described.record, at: path, in: domain)
  }

  /// Takes in an item of a domain.
  mutating func take(_ record: BackupRecord, at path: [UInt8], in domain: BackupDomain) {
    contents.domains.insert(domain)
    guard path.count <= Self.longestPath, let found = try? domain.path(of: path) else {
      guard path.isEmpty else { return contents.note(.path, at: Self.shown(path)) }
      if !roots.insert(domain).inserted { contents.note(.twice, at: domain.name.shown) }
      return
    }
    if path.isEmpty { roots.insert(domain) }
    guard contents.records.updateValue(record, forKey: found) == nil else {
      return contents.note(.twice, at: found.description.asMessage)
    }
    if record.isFile { fileNames[found] = domain.fileID(of: path) }
  }

  /// The domain of a name, where it is asked for; else it is noted where it is an extension's.
  mutating func domain(named name: [UInt8]) -> BackupDomain? {
    if let domain = domains[name] { return domain }
    noteExtension(name)
    return nil
  }

  /// Looks for items whose directories are not listed, when all rows have come.
  mutating func finish() {
    for path in contents.records.keys.sorted() {
      let parent = path.parent
      let isListed =
        if let parent { contents.records[parent]?.kind == .directory } else {
          path.isContainer || roots.contains { $0.container == nil }
        }
      if !isListed { contents.note(.parent, at: path.description) }
    }
  }

  /// Notes the domain of an extension that was not asked for.
  private mutating func noteExtension(_ name: [UInt8]) {
    guard name.starts(with: extensionPrefix),
      contents.otherExtensions.count < Self.mostExtensions
    else { return }
    contents.otherExtensions.insert(
      String(decoding: name, as: UTF8.self).shown)
  }

  /// A path on one line, shortened where nobody would read all of it.
  private static func shown(_ path: [UInt8]) -> String {
    path.isEmpty ? "the container itself" : EscapedText.escape(Array(path.prefix(200)))
  }
}
