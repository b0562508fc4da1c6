/// One call of the file system in a container.
///
/// The app's own code makes such changes, and FileSystemTap notes them; an operation of a simulated
/// app comes to some (``FileOperation/changes(in:)``). An app may be killed before each.
package enum FileChange: Hashable, Sendable {
  /// A file is made, with nothing in it.
  case create(ContainerPath)
  case resize(ContainerPath, to: Int64)
  /// Bytes are written into a file from an offset on. `isCopy` says that they are another file's, and
  /// `isGrowth` that they make the file longer, which fails if the storage is full.
  case write(
    ContainerPath, FileOperation.Contents, at: Int64, isCopy: Bool = false, isGrowth: Bool = false)
  /// An item is copied whole, with its marks (`apple-copyfile`).
  case clone(ContainerPath, to: ContainerPath)
  /// An item gets another path, in the place of what is there.
  case rename(ContainerPath, to: ContainerPath)
  /// A file gets another path besides.
  case addPath(ContainerPath, of: ContainerPath)
  case link(ContainerPath, target: [UInt8])
  /// A file or a link goes, or an empty directory.
  case remove(ContainerPath, isDirectory: Bool)
  case createDirectory(ContainerPath)
  case mark(ExclusionMark, on: ContainerPath, isSet: Bool)
  /// The item is changed in a way that cannot be followed.
  case unseen(ContainerPath)

  /// The item that it makes or changes.
  package var path: ContainerPath {
    switch self {
    case .create(let path), .resize(let path, to: _), .write(let path, _, at: _, _, _),
      .clone(_, to: let path), .rename(_, to: let path), .addPath(let path, of: _),
      .link(let path, target: _), .remove(let path, isDirectory: _), .createDirectory(let path),
      .mark(_, on: let path, isSet: _), .unseen(let path):
      path
    }
  }

  /// The words of scenario files and replay tokens for a change before which an app is killed.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A file or a link is made, or a file emptied.
    case create
    case write
    case rename
    case remove
    case createDirectory
    case mark
    /// A mark is taken off.
    case unmark

    /// The change in the past tense, before the item's name.
    package var past: String {
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

  /// Nil if the change cannot be followed, and so no kill comes before it.
  package var kind: Kind? {
    switch self {
    case .create, .resize(_, to: 0), .clone, .addPath, .link: .create
    case .resize, .write: .write
    case .rename: .rename
    case .remove: .remove
    case .createDirectory: .createDirectory
    case .mark(_, on: _, isSet: let isSet): isSet ? .mark : .unmark
    case .unseen: nil
    }
  }

  package var isGrowth: Bool {
    if case .write(_, _, at: _, isCopy: _, isGrowth: true) = self { true } else { false }
  }

  /// The bytes that its contents take in memory.
  package var byteCount: Int {
    if case .write(_, let contents, at: _, _, _) = self { contents.byteCount } else { 0 }
  }
}
