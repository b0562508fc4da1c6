import BackupFileTree
import BackupScenarios

/// A library that keeps files or directories of its own beside a database, which a mark on the
/// database misses.
enum DatabaseLibrary {
  /// SQLite's `-wal`, `-shm` and `-journal`, which hold the newest transactions.
  case sqlite
  /// Core Data's directory `.NAME_SUPPORT`, named after the store without its extension: values
  /// that are too large for the store; and `NAME_ckAssets`, those that CloudKit brings (`observed`).
  case coreData
  /// Realm's directory `.management`, its file `.lock` and its pipe `.note`, which hold nothing that
  /// lasts, and which Realm makes again and marks itself (`realm-swift`).
  case realm
  /// Realm's copies of a whole database: `.tmp_compaction_space` while it compacts one, and
  /// `NAME.v9.backup.realm` before it changes the format (`realm-swift`).
  case realmCopy

  /// What the libraries' guides and templates name databases.
  fileprivate static let extensions = [
    ".sqlite", ".sqlite3", ".sqlitedb", ".db", ".db3", ".store", ".realm",
  ]
  /// The smallest page of SQLite's, in bytes; the others are multiples of it, and so are Realm's.
  fileprivate static let smallestPage: Int64 = 512
  /// What Core Data appends to a store's name, and puts before it.
  private static let coreDataNames: [(start: StaticString, end: StaticString)] = [
    (".", "_SUPPORT"), ("", "_ckAssets"),
  ]
  private static let realmSuffixes: [StaticString] = [
    ".realm.management", ".realm.lock", ".realm.note",
  ]
  private static let compactionSuffix: StaticString = ".tmp_compaction_space"
  private static let formerFormatSuffix: StaticString = ".backup.realm"

  /// The library that names an item so beside a database; nil for most names.
  init?(keeping name: ContainerPath.Component) {
    if name.isDatabaseSibling {
      self = .sqlite
    } else if Self.coreDataNames.contains(where: { name.between($0.start, and: $0.end) != nil }) {
      self = .coreData
    } else if Self.realmSuffixes.contains(where: name.hasSuffix) {
      self = .realm
    } else if name.hasSuffix(Self.compactionSuffix) || name.hasSuffix(Self.formerFormatSuffix) {
      self = .realmCopy
    } else {
      return nil
    }
  }

  /// The names that the database of such an item may have.
  private func databaseNames(of sibling: ContainerPath.Component) -> [ContainerPath.Component] {
    switch self {
    case .sqlite:
      return [sibling.databaseName].compactMap(\.self)
    case .coreData:
      let stores = Self.coreDataNames.compactMap { sibling.between($0.start, and: $0.end) }
      return stores.flatMap { store in [store] + Self.extensions.map(store.appending) }
    case .realm:
      let names = Self.realmSuffixes.compactMap { sibling.between("", and: $0) }
      return names.map { $0.appending(".realm") }
    case .realmCopy:
      if let name = sibling.between("", and: Self.compactionSuffix) { return [name] }
      return [sibling.between("", and: Self.formerFormatSuffix)?.withoutVersion].compactMap(\.self)
    }
  }

  /// Where the database of such an item may be.
  func databases(of sibling: ContainerPath) -> [ContainerPath] {
    databaseNames(of: sibling.name).map { ContainerPath($0, in: sibling.parent) }
  }

  /// What it does with what it keeps there, as the second half of a sentence.
  var habit: String {
    switch self {
    case .sqlite: "SQLite creates and removes it at any time"
    case .coreData: "Core Data stores large values there, or values from CloudKit"
    case .realm: "Realm creates it again if it is missing"
    case .realmCopy: "it is Realm's copy of the whole database"
    }
  }
}

/// Which files of a run are databases, for all rules.
///
/// A file is one if it begins as SQLite's do; else by its name, if that is one that a library gives; else
/// if SQLite keeps, or has kept, a file of its own beside it. SQLite appends to the whole name, whatever
/// that is (sqlite.org/fileformat2.html, section 4).
///
/// Names such as `a.db` may be of another format. What code writes has its true size, which is whole pages
/// in a database, encrypted or not.
struct Databases: Hashable {
  /// The files beside which SQLite has kept one of its own.
  private var withFileBeside: Set<ContainerPath> = []
  /// The paths beside which there has been such a file, whether or not the database was there.
  private var besideFile: Set<ContainerPath> = []
  /// The files with a name that other formats have too, and that code wrote last.
  private var ofCode: Set<ContainerPath> = []

  init(in tree: FileTree) {
    tree.forEachItem { path, _ in
      if path.name.isDatabaseSibling { note(path, in: tree) }
    }
  }

  func contains(_ path: ContainerPath, _ information: FileTree.FileInformation) -> Bool {
    information.isDatabase
      || isNamed(path)
        && (!ofCode.contains(path) || withFileBeside.contains(path)
          || information.size % DatabaseLibrary.smallestPage == 0)
  }

  /// Whether a file is a database, or is kept beside one: a library changes it whenever it likes.
  func holds(_ path: ContainerPath, _ information: FileTree.FileInformation) -> Bool {
    contains(path, information) || isBeside(path)
  }

  /// Whether a library keeps an item beside a database, or a directory above it: `a.db-journal`, and
  /// `travel-journal` only beside `travel`.
  func isBeside(_ path: ContainerPath) -> Bool {
    (path.ancestors + [path]).contains { place in
      DatabaseLibrary(keeping: place.name)?.databases(of: place).contains(where: isNamed) == true
    }
  }

  /// The library that keeps an item beside a database, and the database; nil for any other item.
  func database(
    keeping path: ContainerPath, in tree: FileTree
  ) -> (library: DatabaseLibrary, database: ContainerPath)? {
    guard let library = DatabaseLibrary(keeping: path.name) else { return nil }
    let database = library.databases(of: path).first { database in
      tree.file(at: database).map { contains(database, $0) } == true
    }
    return database.map { (library, $0) }
  }

  private func isNamed(_ path: ContainerPath) -> Bool {
    path.name.isLibraryName || withFileBeside.contains(path)
  }

  mutating func follow(_ entry: Transcript.Entry) {
    switch entry.event {
    case .changes(let changes): for change in changes { follow(change, in: entry) }
    case .system(let event, lost: _):
      if let path = event.placedFile { note(path, in: entry.tree) }
    default: break
    }
  }

  private mutating func follow(_ change: FileTree.Change, in entry: Transcript.Entry) {
    switch change {
    case .created(let path), .replaced(let path), .savedInPlace(let path):
      if entry.isOfCode, path.name.isLibraryName, !path.name.isOfOneFormat {
        ofCode.insert(path)
      } else {
        ofCode.remove(path)
      }
      note(path, in: entry.tree)
    case .moved(let source, to: let path), .copied(let source, to: let path):
      let isFile = entry.tree.file(at: path) != nil
      withFileBeside.followMove(from: source, to: path, ofFile: isFile)
      besideFile.followMove(from: source, to: path, ofFile: isFile)
      ofCode.followMove(from: source, to: path, ofFile: isFile)
      note(path, in: entry.tree)
    case .removed, .marked, .cleared: break
    }
  }

  /// Notes a new file as a database, or the file that it is beside.
  private mutating func note(_ path: ContainerPath, in tree: FileTree) {
    let database = path.name.databaseName.map { ContainerPath($0, in: path.parent) }
    guard database != nil || besideFile.contains(path), tree.file(at: path) != nil else { return }
    if let database {
      besideFile.insert(database)
      noteDatabase(database, in: tree)
    }
    if besideFile.contains(path),
      path.databaseSiblings.contains(where: { tree.file(at: $0) != nil })
    {
      noteDatabase(path, in: tree)
    }
  }

  private mutating func noteDatabase(_ path: ContainerPath, in tree: FileTree) {
    if !path.name.isOfOneFormat, tree.file(at: path) != nil { withFileBeside.insert(path) }
  }
}

extension Set<ContainerPath> {
  /// Takes in where an item, and each item in it, is after a move or a copy.
  fileprivate mutating func followMove(
    from source: ContainerPath, to target: ContainerPath, ofFile isFile: Bool
  ) {
    if !isFile {
      formUnion(compactMap { $0.moved(from: source, to: target) })
    } else if contains(source) {
      insert(target)
    }
  }
}

extension ContainerPath.Component {
  /// `NAME.realm` for `NAME.v9`.
  fileprivate var withoutVersion: ContainerPath.Component? {
    guard let point = slice.lastIndex(of: UInt8(ascii: ".")), point > slice.startIndex,
      slice[(point + 1)...].first == UInt8(ascii: "v"),
      slice[(point + 2)...].allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return ContainerPath.Component(unchecked: Array(slice[..<point])).appending(".realm")
  }

  /// Whether a library names a database so.
  fileprivate var isLibraryName: Bool {
    guard !isDatabaseSibling else { return false }
    let name = string.lowercased()
    return DatabaseLibrary.extensions.contains { name.hasSuffix($0) } || isOfOneFormat
  }

  /// Whether no other format has such a name.
  fileprivate var isOfOneFormat: Bool {
    let name = string.lowercased()
    return !isDatabaseSibling && (name.contains(".sqlite") || name.hasSuffix(".realm"))
  }

  /// What stands between two texts that the name begins and ends with; nil for another name.
  fileprivate func between(
    _ start: StaticString, and end: StaticString
  ) -> ContainerPath.Component? {
    let length = start.utf8CodeUnitCount + end.utf8CodeUnitCount
    guard count > length, hasPrefix(start), hasSuffix(end) else { return nil }
    return ContainerPath.Component(
      unchecked: Array(
        slice.dropFirst(start.utf8CodeUnitCount).dropLast(end.utf8CodeUnitCount)))
  }

  fileprivate func appending(_ text: String) -> ContainerPath.Component {
    ContainerPath.Component(unchecked: Array(slice) + Array(text.utf8))
  }
}
