/// A change of a container by one file system call.
///
/// The module FileSystemTap logs the changes that an app's own code makes. If the kit simulates the
/// app, each ``FileOperation`` consists of changes (``FileOperation/changes(in:)``). The app may be
/// killed before each change.
package enum FileChange: Hashable, Sendable {
  /// Creates an empty file.
  case create(ContainerPath)
  /// Changes the size of a file to a number of bytes. If the file becomes longer, adds zeros.
  case resize(ContainerPath, to: Int64)
  /// Writes bytes into a file, starting at an offset. `isCopy` is true if the bytes come from
  /// another file. `isGrowth` is true if the file becomes longer, which fails if the storage is
  /// full.
  case write(
    ContainerPath, FileOperation.Contents, at: Int64, isCopy: Bool = false, isGrowth: Bool = false)
  /// Copies an item whole, with its marks (`apple-copyfile`).
  case clone(ContainerPath, to: ContainerPath)
  /// Renames an item. Replaces the item at the new path if one is there.
  case rename(ContainerPath, to: ContainerPath)
  /// Creates a hard link, which is a second path of the same file.
  case hardLink(ContainerPath, of: ContainerPath)
  /// Creates a symbolic link.
  case link(ContainerPath, target: [UInt8])
  /// Removes a file, a link or an empty directory.
  case remove(ContainerPath, isDirectory: Bool)
  case createDirectory(ContainerPath)
  case setMark(ExclusionMark, on: ContainerPath, isSet: Bool)
  /// Changes an item in a way that the kit cannot follow.
  case unseen(ContainerPath)

  /// The path of the item that the change creates, changes or removes.
  package var path: ContainerPath {
    switch self {
    case .create(let path), .resize(let path, to: _), .write(let path, _, at: _, _, _),
      .clone(_, to: let path), .rename(_, to: let path), .hardLink(let path, of: _),
      .link(let path, target: _), .remove(let path, isDirectory: _), .createDirectory(let path),
      .setMark(_, on: let path, isSet: _), .unseen(let path):
      path
    }
  }

  /// A kind of change. If an app is killed before a change, scenario files and replay tokens name
  /// the kind of the change.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The app creates a file or a link, or empties a file.
    case create
    case write
    case rename
    case remove
    case createDirectory
    case mark
    /// The app removes a mark.
    case unmark

    /// The verb in the past tense, before the item's name.
    package var pastTenseVerb: String {
      switch self {
      case .create: "created"
      case .write: "wrote"
      case .rename: "renamed"
      case .remove: "removed"
      case .createDirectory: "made"
      case .mark: "marked"
      case .unmark: "unmarked"
      }
    }
  }

  /// The kind; nil for a change that the kit cannot follow. The kit never kills an app before such
  /// a change.
  package var kind: Kind? {
    switch self {
    case .create, .resize(_, to: 0), .clone, .hardLink, .link: .create
    case .resize, .write: .write
    case .rename: .rename
    case .remove: .remove
    case .createDirectory: .createDirectory
    case .setMark(_, on: _, isSet: let isSet): isSet ? .mark : .unmark
    case .unseen: nil
    }
  }

  /// True if the change makes a file longer, which fails if the storage is full.
  package var isGrowth: Bool {
    if case .write(_, _, at: _, isCopy: _, isGrowth: true) = self { true } else { false }
  }

  /// The number of bytes that the contents take in memory.
  package var memorySize: Int {
    if case .write(_, let contents, at: _, _, _) = self { contents.memorySize } else { 0 }
  }
}
