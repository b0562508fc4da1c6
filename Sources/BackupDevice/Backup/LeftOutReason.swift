public import BackupFileTree

extension BackupSet {
  /// Why a backup leaves an item out, naming the item that decided.
  @nonexhaustive
  public enum LeftOutReason: Hashable, Sendable {
    /// It is, or is inside, a place that no backup holds, such as Library/Caches.
    case location(ContainerPath)
    /// It is, or is inside, a place that the system keeps for itself.
    case systemManaged(ContainerPath)
    /// It is outside the directories that backups begin at.
    case outsideRoots(ContainerPath)
    /// It is, or is inside, the app's bundle.
    case bundle(ContainerPath)
    case ownMark(ExclusionMark)
    case markedDirectory(ContainerPath)
    /// Its name is that of a file left behind by an unfinished save.
    case saveRemnant
    /// It belongs to an SQLite database, with which its contents are stored.
    case databaseSibling(of: ContainerPath)
    /// Its path on the device would have this many bytes, more than backups take.
    case pathTooLong(bytes: Int)
    /// It is a socket, pipe or device.
    case specialFile
    /// It could not be read.
    case unreadable(String)
    /// The user has switched the app's backup off.
    case switchedOff

    /// One of each in the words of golden files.
    package static let examples: [LeftOutReason] = {
      let path = ContainerPath.inbox
      return [
        .location(path), .systemManaged(path), .outsideRoots(path), .bundle(path),
        .ownMark(.resourceValue), .ownMark(.extendedAttribute), .markedDirectory(path),
        .saveRemnant, .databaseSibling(of: path), .pathTooLong(bytes: 998), .specialFile,
        .unreadable("…"), .switchedOff,
      ]
    }()
  }
}

extension BackupSet.LeftOutReason: CustomStringConvertible {
  /// The word for it in JSON reports; stable.
  public var word: String {
    switch self {
    case .location: "location"
    case .systemManaged: "system-managed"
    case .outsideRoots: "outside-roots"
    case .bundle: "bundle"
    case .ownMark: "own-mark"
    case .markedDirectory: "marked-directory"
    case .saveRemnant: "save-remnant"
    case .databaseSibling: "database-sibling"
    case .pathTooLong: "path-too-long"
    case .specialFile: "special-file"
    case .unreadable: "unreadable"
    case .switchedOff: "switched-off"
    }
  }

  /// The item that decided, where it is not the item itself.
  public var decidingItem: ContainerPath? {
    switch self {
    case .location(let path), .systemManaged(let path), .outsideRoots(let path),
      .bundle(let path), .markedDirectory(let path), .databaseSibling(of: let path):
      path
    case .ownMark, .saveRemnant, .pathTooLong, .specialFile, .unreadable, .switchedOff:
      nil
    }
  }

  /// Whether a mark of the app's keeps the item out.
  public var isByMark: Bool {
    switch self {
    case .ownMark, .markedDirectory: true
    default: false
    }
  }

  /// The words golden files use; for an item that decides for itself.
  public var description: String { description(naming: \.description) }

  /// The same words, in which other items are named in some way.
  package func description(naming name: (ContainerPath) -> String) -> String {
    switch self {
    case .location: "location"
    case .systemManaged: "system-managed"
    case .outsideRoots: "outside the roots"
    case .bundle: "app bundle"
    case .ownMark(.extendedAttribute): "own mark (extended attribute)"
    case .ownMark: "own mark"
    case .markedDirectory(let path): "marked directory \(name(path))"
    case .saveRemnant: "save remnant"
    case .databaseSibling(let path): "belongs to \(name(path))"
    case .pathTooLong(let bytes): "path too long (\(bytes) bytes)"
    case .specialFile: "not a file"
    case .unreadable(let reason): "unreadable (\(reason))"
    case .switchedOff: "switched off by the user"
    }
  }

  /// The reason in words that need no article on golden files, with the item that decided.
  package var phrase: String {
    switch self {
    case .location(let place): "\(place) is never backed up"
    case .systemManaged(let place): "\(place) belongs to the system"
    case .outsideRoots(let place): "\(place) is outside the folders that are backed up"
    case .bundle(let place): "\(place) is the app's bundle"
    case .saveRemnant: "its name is that of a temporary file of a save"
    case .databaseSibling(let path): "it is stored with the database \(path)"
    default: description
    }
  }
}
