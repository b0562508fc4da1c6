/// An operation of an app on its files.
///
/// ``FileTree/apply(_:)`` defines the effect of each operation on iOS. An operation of a
/// `FakeContainer` has the same effect on disk. A copy has the marks of the original
/// (`apple-copyfile`). A file that replaces another file does not get the marks of the replaced
/// file (`swift-foundation`). No operation follows a symbolic link.
///
/// ```swift
/// let notes = try ContainerPath("Documents/notes.txt")
/// try container.apply(.write(notes, .text("hello"), method: .atomically))
/// try container.apply(.setMark(.resourceValue, on: notes, to: true))
/// ```
@nonexhaustive
public enum FileOperation: Hashable, Sendable {
  /// Creates a directory. With `intermediates`, also creates the directories above it, and accepts
  /// directories that exist.
  case createDirectory(ContainerPath, intermediates: Bool)
  /// Writes a whole file, whose parent directory must exist.
  case write(ContainerPath, Contents, method: WriteMethod)
  /// Appends to an existing file, in place.
  case append(ContainerPath, Contents)
  /// Renames an item. With `replacing`, replaces an item at the new path, as rename(2) does.
  case move(ContainerPath, to: ContainerPath, replacing: Bool)
  /// Copies an item with its marks, and all items in it except sockets, pipes and devices.
  case copy(ContainerPath, to: ContainerPath)
  /// Removes an item with all items in it.
  case remove(ContainerPath)
  /// Creates a symbolic link to a destination, which need not exist.
  case link(ContainerPath, destination: ContainerPath)
  /// Sets a mark on an item, or removes it.
  case setMark(ExclusionMark, on: ContainerPath, to: Bool)

  /// The path of the item that the operation creates, changes or removes.
  public var path: ContainerPath {
    switch self {
    case .createDirectory(let path, _), .write(let path, _, method: _), .append(let path, _),
      .remove(let path), .link(let path, _), .setMark(_, on: let path, to: _),
      .move(_, to: let path, _), .copy(_, to: let path):
      path
    }
  }

  /// True if the operation changes attributes of the item, and no contents.
  package var changesAttributes: Bool {
    switch self {
    case .setMark: true
    case .createDirectory, .write, .append, .move, .copy, .remove, .link: false
    }
  }

  /// The contents that a simulated save writes.
  @nonexhaustive
  public enum Contents: Hashable, Sendable {
    /// A number of zeros in a sparse file, so that 700 MB take no disk space. A negative number
    /// counts as 0.
    case zeros(Int64)
    case bytes([UInt8])

    /// Returns the contents of a text in UTF-8.
    ///
    /// - Parameter text: The whole text. No byte order mark or line end is added.
    /// - Returns: The ``bytes(_:)`` of its encoding.
    public static func text(_ text: String) -> FileOperation.Contents { .bytes(Array(text.utf8)) }

    /// The number of bytes.
    public var size: Int64 {
      switch self {
      case .zeros(let size): max(0, size)
      case .bytes(let bytes): Int64(bytes.count)
      }
    }

    /// The number of bytes that the contents take in memory.
    package var memorySize: Int {
      if case .bytes(let bytes) = self { bytes.count } else { 0 }
    }

    /// The bytes at the beginning of every SQLite database (sqlite.org/fileformat.html).
    package static let databaseHeader = Array("SQLite format 3".utf8) + [0]

    /// True if the contents begin like an SQLite database.
    package var isDatabase: Bool {
      if case .bytes(let bytes) = self { bytes.starts(with: Self.databaseHeader) } else { false }
    }

    /// The maximum size of a file in bytes: 8 TB, which every supported file system accepts.
    public static let largest: Int64 = 8_000_000_000_000
  }

  /// A way to write a whole file.
  @nonexhaustive
  public enum WriteMethod: String, CaseIterable, Hashable, Sendable {
    /// Writes a temporary file, and renames it to the path (`swift-foundation`). The file is then a
    /// new item.
    case atomically
    /// Empties the file, and writes to it. The file stays the same item.
    case inPlace
    /// Removes the file, and creates it again. The file is then a new item.
    case deleteFirst
  }

  /// The paths at which the operation looks for an item or creates one.
  package var namedPaths: [ContainerPath] {
    switch self {
    case .move(let source, to: let path, replacing: _), .copy(let source, to: let path):
      [source, path]
    case .createDirectory, .write, .append, .remove, .link, .setMark:
      [path]
    }
  }

  /// The name of the temporary file that an atomic save writes and renames (`swift-foundation`).
  private static let temporaryName = ContainerPath.Component(
    unchecked: Array(".dat.nosync0.save".utf8))

  /// Returns the changes that the operation makes, in order. Returns none if the operation cannot
  /// be performed.
  ///
  /// The app may be killed between two changes. An atomic save writes a temporary file in the same
  /// directory (`swift-foundation`). A copy of a file is a single change, because the system clones
  /// the file with its marks (`apple-copyfile`).
  package func changes(in tree: FileTree) -> [FileChange] {
    guard let items = try? tree.checkedItems(of: self) else { return [] }
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
      // Removes the items in a directory before the directory.
      return changes.reversed()
    }
  }

  private static func changes(
    writing contents: Contents, to path: ContainerPath, _ method: WriteMethod, in tree: FileTree
  ) -> [FileChange] {
    func changesWriting(_ file: ContainerPath, exists: Bool) -> [FileChange] {
      [
        exists ? .resize(file, to: 0) : .create(file),
        .write(file, contents, at: 0, isGrowth: contents.size > 0),
      ]
    }
    let exists = tree.contains(path)
    switch method {
    case .atomically:
      let temporaryPath = ContainerPath(temporaryName, in: path.parent)
      return changesWriting(temporaryPath, exists: tree.contains(temporaryPath))
        + [.rename(temporaryPath, to: path)]
    case .inPlace: return changesWriting(path, exists: exists)
    case .deleteFirst:
      return (exists ? [.remove(path, isDirectory: false)] : [])
        + changesWriting(path, exists: false)
    }
  }

  /// Returns the changes that copy an item. They create a directory before the items in it, and set
  /// the attributes of directories last.
  private static func changes(
    copying source: ContainerPath, to path: ContainerPath, in tree: FileTree
  ) -> [FileChange] {
    var changes: [FileChange] = []
    var attributeChanges: [FileChange] = []
    tree.walk(from: source) { originalPath, item in
      guard let copyPath = originalPath.moved(from: source, to: path) else { return false }
      switch item.kind {
      case .directory:
        changes.append(.createDirectory(copyPath))
        attributeChanges += item.attributes.changes(forNewDirectory: copyPath)
      case .special: break
      case .file, .link, .unreadable: changes.append(.clone(originalPath, to: copyPath))
      }
      return true
    }
    return changes + attributeChanges.reversed()
  }
}
