import BackupFileTree

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

  fileprivate static let extensions = [".sqlite", ".sqlite3", ".sqlitedb", ".db", ".db3", ".store"]
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

  /// Whether an item of such a name is a database of the library's.
  func isDatabase(_ item: FileTree.Item, named name: ContainerPath.Component) -> Bool {
    guard case .file(let information) = item.kind else { return false }
    return self == .realm || self == .realmCopy || information.isDatabase
      || name.hasDatabaseExtension
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

extension FileTree {
  /// The library that keeps an item beside a database, and the database; nil for any other item.
  func databaseKeeping(
    _ path: ContainerPath
  ) -> (library: DatabaseLibrary, database: ContainerPath)? {
    guard let library = DatabaseLibrary(keeping: path.name) else { return nil }
    let database = library.databases(of: path).first { database in
      self[database].map { library.isDatabase($0, named: database.name) } == true
    }
    return database.map { (library, $0) }
  }
}

extension FileTree.FileInformation {
  /// Whether this is a part of a database at a path: a library rewrites its bytes whenever it likes.
  /// Encrypted contents show only by their name, and that they fill whole pages; Realm's by their name.
  func isOfDatabase(at path: ContainerPath) -> Bool {
    isDatabase || path.name.namesSQLite || path.name.hasSuffix(".realm")
      || path.name.hasDatabaseExtension && size % DatabaseLibrary.smallestPage == 0
      || path.isNamedBesideDatabase || path.parent?.isNamedBesideDatabase == true
  }
}

extension ContainerPath {
  /// Whether a library names an item so beside a database that has the name of one: `a.db-journal`, and
  /// not `travel-journal`.
  fileprivate var isNamedBesideDatabase: Bool {
    DatabaseLibrary(keeping: name)?.databases(of: self).contains { database in
      database.name.hasDatabaseExtension || database.name.namesSQLite
        || database.name.hasSuffix(".realm")
    } == true
  }
}

extension ContainerPath.Component {
  fileprivate var namesSQLite: Bool { string.lowercased().contains(".sqlite") }

  /// `NAME.realm` for `NAME.v9`.
  fileprivate var withoutVersion: ContainerPath.Component? {
    guard let point = slice.lastIndex(of: UInt8(ascii: ".")), point > slice.startIndex,
      slice[(point + 1)...].first == UInt8(ascii: "v"),
      slice[(point + 2)...].allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return ContainerPath.Component(unchecked: Array(slice[..<point])).appending(".realm")
  }

  fileprivate var hasDatabaseExtension: Bool {
    let name = string.lowercased()
    return DatabaseLibrary.extensions.contains { name.hasSuffix($0) }
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
