import BackupFileTree
import BackupScenarios

/// A library that keeps its own files or directories beside a database. A mark on the database does
/// not apply to them.
enum DatabaseLibrary {
  /// SQLite's files with the suffixes `-wal`, `-shm` and `-journal`, for the newest transactions.
  case sqlite
  /// Core Data's directories for the store `NAME.sqlite`. `.NAME_SUPPORT` contains values that are
  /// too large for the store, and `NAME_ckAssets` contains values from CloudKit (`observed`).
  case coreData
  /// Realm's directory `NAME.realm.management`, its file `NAME.realm.lock` and its pipe
  /// `NAME.realm.note`. They contain no data. Realm creates them again and marks them itself
  /// (`realm-swift`).
  case realm
  /// Realm's copies of a whole database. Realm creates `NAME.realm.tmp_compaction_space` while it
  /// compacts the database, and `NAME.v9.backup.realm` before it changes the format
  /// (`realm-swift`).
  case realmCopy

  /// The extensions of databases in the guides and templates of the libraries.
  fileprivate static let databaseExtensions: [StaticString] = [
    ".sqlite", ".sqlite3", ".sqlitedb", ".db", ".db3", ".store", ".realm",
  ]
  /// The smallest size of a page in SQLite, in bytes. All page sizes of SQLite and Realm are
  /// multiples of it.
  fileprivate static let smallestPageSize: Int64 = 512
  /// The texts that Core Data adds to a store's name, at its start and at its end.
  private static let coreDataAffixes: [(start: StaticString, end: StaticString)] = [
    (".", "_SUPPORT"), ("", "_ckAssets"),
  ]
  private static let realmSuffixes: [StaticString] = [
    ".realm.management", ".realm.lock", ".realm.note",
  ]
  private static let compactionSuffix: StaticString = ".tmp_compaction_space"
  private static let formerFormatSuffix: StaticString = ".backup.realm"

  /// Finds the library that gives this name to an item beside a database. Returns nil if no library
  /// does.
  init?(keeping name: ContainerPath.Component) {
    if name.isDatabaseSibling {
      self = .sqlite
    } else if Self.coreDataAffixes.contains(where: { name.between($0.start, and: $0.end) != nil }) {
      self = .coreData
    } else if Self.realmSuffixes.contains(where: name.hasSuffix) {
      self = .realm
    } else if name.hasSuffix(Self.compactionSuffix) || name.hasSuffix(Self.formerFormatSuffix) {
      self = .realmCopy
    } else {
      return nil
    }
  }

  /// Returns the names that the database of an item may have.
  private func databaseNames(of sibling: ContainerPath.Component) -> [ContainerPath.Component] {
    switch self {
    case .sqlite:
      return [sibling.databaseName].compactMap(\.self)
    case .coreData:
      let stores = Self.coreDataAffixes.compactMap { sibling.between($0.start, and: $0.end) }
      return stores.flatMap { store in
        [store] + Self.databaseExtensions.map { store.appending("\($0)") }
      }
    case .realm:
      let names = Self.realmSuffixes.compactMap { sibling.between("", and: $0) }
      return names.map { $0.appending(".realm") }
    case .realmCopy:
      if let name = sibling.between("", and: Self.compactionSuffix) { return [name] }
      return [sibling.between("", and: Self.formerFormatSuffix)?.copiedDatabaseName].compactMap(
        \.self)
    }
  }

  /// Returns the paths that the database of an item may have.
  func databases(of sibling: ContainerPath) -> [ContainerPath] {
    databaseNames(of: sibling.name).map { ContainerPath($0, in: sibling.parent) }
  }

  /// A clause on the library and the item, for the second half of a sentence.
  var behavior: String {
    switch self {
    case .sqlite: "SQLite creates and removes it at any time"
    case .coreData: "Core Data stores large values there, or values from CloudKit"
    case .realm: "Realm creates it again if it is missing"
    case .realmCopy: "it is Realm's copy of the whole database"
    }
  }
}

/// Finds out which files of a run are databases.
///
/// A file is a database in three cases: its contents begin like SQLite's, its name is typical of a
/// library, or SQLite has kept its own file beside it. SQLite appends `-wal` to any file name
/// (sqlite.org/fileformat2.html, section 4).
///
/// A file with a name such as `a.db` may also have another format. If the app's own code wrote the
/// file, the size decides: each database, encrypted or not, consists of whole pages.
struct Databases: Hashable {
  /// The databases beside which SQLite has kept its own file.
  private var databasesWithSiblings: Set<ContainerPath> = []
  /// The paths beside which SQLite's own file has existed, even without a database.
  private var pathsBesideSiblings: Set<ContainerPath> = []
  /// The files that the app's own code wrote last, and whose names other formats also use.
  private var filesWrittenByCode: Set<ContainerPath> = []

  init(in tree: FileTree) {
    tree.forEachItem { path, _ in
      if path.name.isDatabaseSibling { record(path, in: tree) }
    }
  }

  func contains(_ path: ContainerPath, _ information: FileTree.FileInformation) -> Bool {
    information.isDatabase
      || hasDatabaseName(path)
        && (!filesWrittenByCode.contains(path) || databasesWithSiblings.contains(path)
          || information.size % DatabaseLibrary.smallestPageSize == 0)
  }

  /// Returns true if a library may change the file at any time, because it is a database or beside
  /// one.
  func mayBeChangedByLibrary(
    _ path: ContainerPath, _ information: FileTree.FileInformation
  ) -> Bool {
    contains(path, information) || isBesideDatabase(path)
  }

  /// Returns true if a library keeps an item, or a directory above it, beside a database. For
  /// example, `a.db-journal` is such an item. `travel-journal` is such an item only if SQLite has
  /// kept a file beside `travel`.
  func isBesideDatabase(_ path: ContainerPath) -> Bool {
    (path.ancestors + [path]).contains { item in
      DatabaseLibrary(keeping: item.name)?.databases(of: item).contains(where: hasDatabaseName)
        == true
    }
  }

  /// Returns the library that keeps an item beside a database, and the database; nil for any other
  /// item.
  func database(
    beside path: ContainerPath, in tree: FileTree
  ) -> (library: DatabaseLibrary, database: ContainerPath)? {
    guard let library = DatabaseLibrary(keeping: path.name) else { return nil }
    let database = library.databases(of: path).first { database in
      tree.fileInformation(at: database).map { contains(database, $0) } == true
    }
    return database.map { (library, $0) }
  }

  private func hasDatabaseName(_ path: ContainerPath) -> Bool {
    path.name.isDatabaseName || databasesWithSiblings.contains(path)
  }

  mutating func record(_ entry: Transcript.Entry) {
    switch entry.event {
    case .changes(let changes): for change in changes { record(change, in: entry) }
    case .system(let event, lost: _):
      if let path = event.placedFile { record(path, in: entry.tree) }
    default: break
    }
  }

  private mutating func record(_ change: FileTree.Change, in entry: Transcript.Entry) {
    switch change {
    case .created(let path), .replaced(let path), .savedInPlace(let path):
      if entry.isOfCode, path.name.isDatabaseName, !path.name.isUnambiguousDatabaseName {
        filesWrittenByCode.insert(path)
      } else {
        filesWrittenByCode.remove(path)
      }
      record(path, in: entry.tree)
    case .moved(let source, to: let path), .copied(let source, to: let path):
      let isFile = entry.tree.fileInformation(at: path) != nil
      databasesWithSiblings.insertNewPaths(from: source, to: path, ofFile: isFile)
      pathsBesideSiblings.insertNewPaths(from: source, to: path, ofFile: isFile)
      filesWrittenByCode.insertNewPaths(from: source, to: path, ofFile: isFile)
      record(path, in: entry.tree)
    case .removed, .marked, .cleared: break
    }
  }

  /// Records a new file, if it is a database or beside one.
  private mutating func record(_ path: ContainerPath, in tree: FileTree) {
    let database = path.name.databaseName.map { ContainerPath($0, in: path.parent) }
    guard database != nil || pathsBesideSiblings.contains(path),
      tree.fileInformation(at: path) != nil
    else {
      return
    }
    if let database {
      pathsBesideSiblings.insert(database)
      recordDatabase(database, in: tree)
    }
    if pathsBesideSiblings.contains(path),
      path.databaseSiblings.contains(where: { tree.fileInformation(at: $0) != nil })
    {
      recordDatabase(path, in: tree)
    }
  }

  private mutating func recordDatabase(_ path: ContainerPath, in tree: FileTree) {
    if !path.name.isUnambiguousDatabaseName, tree.fileInformation(at: path) != nil {
      databasesWithSiblings.insert(path)
    }
  }
}

extension Set<ContainerPath> {
  /// Inserts the new paths of an item, and of all items in it, after a move or a copy.
  fileprivate mutating func insertNewPaths(
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
  /// The name of the database that Realm copied: `NAME.realm` for `NAME.v9`; nil for any other
  /// name.
  fileprivate var copiedDatabaseName: ContainerPath.Component? {
    guard let dot = slice.lastIndex(of: UInt8(ascii: ".")), dot > slice.startIndex,
      slice[(dot + 1)...].first == UInt8(ascii: "v"),
      slice[(dot + 2)...].allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return ContainerPath.Component(unchecked: Array(slice[..<dot])).appending(".realm")
  }

  /// True if a database may have this name, such as `a.db`.
  fileprivate var isDatabaseName: Bool {
    guard hasExtension, !isDatabaseSibling else { return false }
    return DatabaseLibrary.databaseExtensions.contains(where: lowercased.hasSuffix)
      || isUnambiguousDatabaseName
  }

  /// True if only a database has this name, such as `a.sqlite` or `a.realm`.
  fileprivate var isUnambiguousDatabaseName: Bool {
    guard hasExtension, !isDatabaseSibling else { return false }
    let name = lowercased
    return name.hasSuffix(".realm") || (0..<name.count).contains { name.has(".sqlite", at: $0) }
  }

  private var hasExtension: Bool { slice.contains(UInt8(ascii: ".")) }

  /// The name with ASCII letters in lower case.
  private var lowercased: ContainerPath.Component {
    ContainerPath.Component(
      unchecked: slice.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 32 : $0 })
  }

  /// Returns the part of the name between two texts; nil if the name does not begin and end with
  /// them.
  fileprivate func between(
    _ start: StaticString, and end: StaticString
  ) -> ContainerPath.Component? {
    let affixLength = start.utf8CodeUnitCount + end.utf8CodeUnitCount
    guard count > affixLength, hasPrefix(start), hasSuffix(end) else { return nil }
    return ContainerPath.Component(
      unchecked: Array(
        slice.dropFirst(start.utf8CodeUnitCount).dropLast(end.utf8CodeUnitCount)))
  }

  fileprivate func appending(_ text: String) -> ContainerPath.Component {
    ContainerPath.Component(unchecked: Array(slice) + Array(text.utf8))
  }
}
