extension ContainerPath.Component {
  /// What SQLite appends to a database's name for the files beside it (sqlite.org/tempfiles.html).
  static let databaseSuffixes = ["-wal", "-shm", "-journal"].map { Array($0.utf8) }

  /// The name of the database that a file of this name belongs to, or nil.
  public var databaseName: ContainerPath.Component? {
    Self.databaseSuffixes
      .first { bytes.count > $0.count && bytes.suffix($0.count).elementsEqual($0) }
      .map { ContainerPath.Component(unchecked: Array(bytes.dropLast($0.count))) }
  }

  /// Whether the name is one of a file that SQLite keeps beside a database.
  public var isDatabaseSibling: Bool { databaseName != nil }
}
