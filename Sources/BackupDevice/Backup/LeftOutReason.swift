public import BackupFileTree

extension BackupSet {
  /// The reason why a backup leaves an item out. Some cases have the path of the item that decides,
  /// such as a marked directory.
  @nonexhaustive
  public enum LeftOutReason: Hashable, Sendable {
    /// The item is, or is inside, a directory that no backup holds, such as Library/Caches.
    case location(ContainerPath)
    /// The item is, or is inside, a place that the system manages for itself.
    case systemManaged(ContainerPath)
    /// The item is outside the directories that backups hold, such as Documents and Library.
    case outsideRoots(ContainerPath)
    /// The item is, or is inside, the app's bundle.
    case bundle(ContainerPath)
    case ownMark(ExclusionMark)
    case markedDirectory(ContainerPath)
    /// The item has the name of a file that an unfinished save leaves behind.
    case saveRemnant
    /// The item is a file such as `a.sqlite-wal`. The backup stores its contents with the database
    /// `a.sqlite`.
    case databaseSibling(of: ContainerPath)
    /// The item's path on a device has this many bytes, which is too long for a backup.
    case pathTooLong(bytes: Int)
    /// The item is a socket, pipe or device.
    case specialFile
    /// The item could not be read, for this reason.
    case unreadable(String)
    /// The user has switched the app's backup off.
    case switchedOff

    /// An example of each phrase that golden files use for a reason.
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
  /// The word for the reason in JSON reports. It is the same in all versions of the kit.
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

  /// The path of the item that decides, such as a marked directory. This may be the path of the
  /// left-out item itself. Nil if the reason has no path.
  public var decidingItem: ContainerPath? {
    switch self {
    case .location(let path), .systemManaged(let path), .outsideRoots(let path),
      .bundle(let path), .markedDirectory(let path), .databaseSibling(of: let path):
      path
    case .ownMark, .saveRemnant, .pathTooLong, .specialFile, .unreadable, .switchedOff:
      nil
    }
  }

  /// A Boolean value that indicates whether one of the app's marks keeps the item out.
  public var isByMark: Bool {
    switch self {
    case .ownMark, .markedDirectory: true
    default: false
    }
  }

  /// The phrase that golden files use.
  public var description: String { description(naming: \.description) }

  /// Returns the phrase that golden files use; `name` turns the path of another item into text.
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

  /// The reason as a phrase for readers who do not know golden files.
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
