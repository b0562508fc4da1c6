import BackupFileTree

/// A library that keeps files or directories of its own beside a database, which a mark on the
/// database misses.
enum DatabaseLibrary {
  /// SQLite's `-wal`, `-shm` and `-journal`, which hold the newest transactions.
  case sqlite
  /// Core Data's directory `.NAME_SUPPORT`, named after the store without its extension: values
  /// that are too large for the store (`observed`).
  case coreData
  /// Realm's directory `.management`, its file `.lock` and its pipe `.note`, which Realm makes again
  /// and marks itself (`realm-swift`).
  case realm

  /// How the names of databases end.
  fileprivate static let extensions = [".sqlite", ".sqlite3", ".sqlitedb", ".db", ".db3", ".store"]
  /// The smallest page of SQLite's, in bytes; the others are multiples of it, and so are Realm's.
  fileprivate static let smallestPage: Int64 = 512
  /// What Core Data appends to a store's name.
  private static let supportSuffix: StaticString = "_SUPPORT"
  /// What Realm appends to a database's name.
  private static let realmSuffixes: [StaticString] = [".management", ".lock", ".note"]

  /// The library that names an item so beside a database; nil for most names.
  init?(keeping name: ContainerPath.Component) {
    if name.isDatabaseSibling {
      self = .sqlite
    } else if name.hasSuffix(Self.supportSuffix), name.hasPrefix(".") {
      self = .coreData
    } else if Self.realmSuffixes.contains(where: name.hasSuffix) {
      self = .realm
    } else {
      return nil
    }
  }

  /// The names that the database of such an item may have.
  func databaseNames(of sibling: ContainerPath.Component) -> [ContainerPath.Component] {
    switch self {
    case .sqlite:
      return [sibling.databaseName].compactMap(\.self)
    case .coreData:
      guard let store = sibling.between(".", and: Self.supportSuffix) else { return [] }
      return [store] + Self.extensions.map(store.appending)
    case .realm:
      let names = Self.realmSuffixes.compactMap { sibling.between("", and: $0) }
      return names.filter { $0.hasSuffix(".realm") }
    }
  }

  /// Whether an item of such a name is a database of the library's.
  func isDatabase(_ item: FileTree.Item, named name: ContainerPath.Component) -> Bool {
    guard case .file(let information) = item.kind else { return false }
    return self == .realm || information.isDatabase || name.hasDatabaseExtension
  }

  /// What it does with what it keeps there, as the second half of a sentence.
  var habit: String {
    switch self {
    case .sqlite: "SQLite makes and removes it as it likes"
    case .coreData: "Core Data keeps the values in it that are too large for the database"
    case .realm: "Realm makes it again where it is missing"
    }
  }
}

extension FileTree {
  /// The library that keeps an item beside a database, and the database; nil for any other item.
  func databaseKeeping(
    _ path: ContainerPath
  ) -> (library: DatabaseLibrary, database: ContainerPath)? {
    guard let library = DatabaseLibrary(keeping: path.name) else { return nil }
    let databases = library.databaseNames(of: path.name).map { ContainerPath($0, in: path.parent) }
    let database = databases.first { database in
      self[database].map { library.isDatabase($0, named: database.name) } == true
    }
    return database.map { (library, $0) }
  }
}

extension UserFiles.Version {
  /// Whether this is a part of a database at a path: a library rewrites its bytes whenever it likes.
  /// Contents that are not SQLite's may be encrypted; then they fill whole pages.
  func isOfDatabase(at path: ContainerPath) -> Bool {
    information.isDatabase || path.name.namesSQLite
      || path.name.hasDatabaseExtension && information.size % DatabaseLibrary.smallestPage == 0
      || DatabaseLibrary(keeping: path.name) != nil
      || path.parent.map { DatabaseLibrary(keeping: $0.name) != nil } == true
  }
}

extension ContainerPath.Component {
  fileprivate var namesSQLite: Bool { string.lowercased().contains(".sqlite") }

  /// Whether the name is one that apps give to databases.
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

  /// The name with a text behind it.
  fileprivate func appending(_ text: String) -> ContainerPath.Component {
    ContainerPath.Component(unchecked: Array(slice) + Array(text.utf8))
  }
}
