/// One thing that an app does to its files.
///
/// ``FileTree/apply(_:)`` defines what each does, with iOS's semantics; `FakeContainer` does the
/// same on disk. A copy keeps the marks (`apple-copyfile`), a replacement loses them
/// (`swift-foundation`). No operation follows a symbolic link.
///
/// ```swift
/// let notes = try ContainerPath("Documents/notes.txt")
/// try container.apply(.write(notes, .text("hello"), method: .atomically))
/// try container.apply(.setMark(.resourceValue, on: notes, to: true))
/// ```
@nonexhaustive
public enum FileOperation: Hashable, Sendable {
  /// Makes a directory; with `intermediates` those above it too, and one that exists is no error.
  case createDirectory(ContainerPath, intermediates: Bool)
  /// Writes a whole file, whose parent directory must exist.
  case write(ContainerPath, Contents, method: WriteMethod)
  /// Writes to the end of a file that exists, in place.
  case append(ContainerPath, Contents)
  /// Renames; with `replacing` over what is there, as rename(2) would.
  case move(ContainerPath, to: ContainerPath, replacing: Bool)
  /// Copies an item, with all in it and every mark; sockets, pipes and devices inside are left out.
  case copy(ContainerPath, to: ContainerPath)
  case remove(ContainerPath)
  /// Makes a symbolic link that points to a destination, which need not exist.
  case link(ContainerPath, destination: ContainerPath)
  case setMark(ExclusionMark, on: ContainerPath, to: Bool)

  /// The item that the operation makes or changes.
  public var path: ContainerPath {
    switch self {
    case .createDirectory(let path, _), .write(let path, _, method: _), .append(let path, _),
      .remove(let path), .link(let path, _), .setMark(_, on: let path, to: _),
      .move(_, to: let path, _), .copy(_, to: let path):
      path
    }
  }

  /// Whether the operation changes an attribute of the item, and no contents.
  package var changesAttributes: Bool {
    switch self {
    case .setMark: true
    case .createDirectory, .write, .append, .move, .copy, .remove, .link: false
    }
  }

  /// What a simulated save writes.
  @nonexhaustive
  public enum Contents: Hashable, Sendable {
    /// This many bytes of zero, at least none; a sparse file, so 700 MB cost nothing.
    case zeros(Int64)
    case bytes([UInt8])

    /// The text in UTF-8.
    ///
    /// - Parameter text: What the file holds, without a byte order mark or a line end of its own.
    /// - Returns: The ``bytes(_:)`` of its encoding.
    public static func text(_ text: String) -> FileOperation.Contents { .bytes(Array(text.utf8)) }

    /// How many bytes there are.
    public var size: Int64 {
      switch self {
      case .zeros(let size): max(0, size)
      case .bytes(let bytes): Int64(bytes.count)
      }
    }

    /// The bytes that they take in memory.
    package var byteCount: Int {
      if case .bytes(let bytes) = self { bytes.count } else { 0 }
    }

    /// The bytes every SQLite database begins with (sqlite.org/fileformat.html).
    package static let databaseHeader = Array("SQLite format 3".utf8) + [0]

    /// Whether a file of just these contents begins as an SQLite database does.
    package var isDatabase: Bool {
      if case .bytes(let bytes) = self { bytes.starts(with: Self.databaseHeader) } else { false }
    }

    /// The largest file the kit makes, in bytes: 8 TB, which every supported file system takes.
    public static let largest: Int64 = 8_000_000_000_000
  }

  /// How an app writes a whole file.
  @nonexhaustive
  public enum WriteMethod: String, CaseIterable, Hashable, Sendable {
    /// A temporary file, then a rename over: a new item (`swift-foundation`).
    case atomically
    /// Truncated and written again: the same item.
    case inPlace
    /// Removed and created again: a new item.
    case deleteFirst
  }

  /// The paths at which something is looked for or made.
  package var namedPaths: [ContainerPath] {
    switch self {
    case .move(let source, to: let path, replacing: _), .copy(let source, to: let path):
      [source, path]
    case .createDirectory, .write, .append, .remove, .link, .setMark:
      [path]
    }
  }

  /// The name of the file that an atomic save writes before it renames it (`swift-foundation`).
  private static let temporaryName = ContainerPath.Component(
    unchecked: Array(".dat.nosync0.save".utf8))

  /// The changes that make up the operation, in order; empty if it cannot be performed, which whoever
  /// performs it is told.
  ///
  /// The app may be killed between two of them. A save is atomic by a temporary file in the same
  /// directory (`swift-foundation`); a copied file comes whole, with its marks (`apple-copyfile`, a
  /// clone).
  package func changes(in tree: FileTree) -> [FileChange] {
    guard let items = try? tree.requirements(of: self) else { return [] }
    switch self {
    case .createDirectory, .append, .move, .link, .setMark: return tree.changes(of: self, on: items)
    case .write(let path, let contents, method: let method):
      return Self.changes(writing: contents, to: path, method, in: tree)
    case .copy(let source, to: let path): return Self.changes(copying: source, to: path, in: tree)
    case .remove(let path):
      var changes: [FileChange] = []
      tree.forEachItem(from: path) { path, item in
        changes.append(.remove(path, isDirectory: item.isDirectory))
      }
      // What is in a directory goes before it.
      return changes.reversed()
    }
  }

  private static func changes(
    writing contents: Contents, to path: ContainerPath, _ method: WriteMethod, in tree: FileTree
  ) -> [FileChange] {
    func writing(_ place: ContainerPath, isThere: Bool) -> [FileChange] {
      [
        isThere ? .resize(place, to: 0) : .create(place),
        .write(place, contents, at: 0, isGrowth: contents.size > 0),
      ]
    }
    let isThere = tree.contains(path)
    switch method {
    case .atomically:
      let place = ContainerPath(temporaryName, in: path.parent)
      return writing(place, isThere: tree.contains(place)) + [.rename(place, to: path)]
    case .inPlace: return writing(path, isThere: isThere)
    case .deleteFirst:
      return (isThere ? [.remove(path, isDirectory: false)] : []) + writing(path, isThere: false)
    }
  }

  /// The changes by which an item is copied, a directory before what is in it and its attributes
  /// last.
  private static func changes(
    copying source: ContainerPath, to path: ContainerPath, in tree: FileTree
  ) -> [FileChange] {
    var changes: [FileChange] = []
    var attributes: [FileChange] = []
    tree.walk(from: source) { found, item in
      guard let copy = found.moved(from: source, to: path) else { return false }
      switch item.kind {
      case .directory:
        changes.append(.createDirectory(copy))
        attributes += item.attributes.changes(to: copy)
      case .special: break
      case .file, .link, .unreadable: changes.append(.clone(found, to: copy))
      }
      return true
    }
    return changes + attributes.reversed()
  }
}
