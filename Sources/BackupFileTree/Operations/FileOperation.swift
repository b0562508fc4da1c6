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

    /// The bytes every SQLite database begins with (sqlite.org/fileformat.html).
    package static let databaseHeader = Array("SQLite format 3".utf8) + [0]

    /// Whether a file of just these contents begins as an SQLite database does.
    var isDatabase: Bool {
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

  /// One of the changes to the file system that an operation is made of.
  package struct Piece {
    package let kind: FileChangeKind
    /// The item that it makes or changes; for a file under a temporary name, the one it is to be.
    package let path: ContainerPath
    /// The change as an operation of its own.
    package let operation: FileOperation

    package init(_ kind: FileChangeKind, _ path: ContainerPath, _ operation: FileOperation) {
      (self.kind, self.path, self.operation) = (kind, path, operation)
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
  package func pieces(in tree: FileTree) -> [Piece] {
    guard let items = try? tree.requirements(of: self) else { return [] }
    switch self {
    case .createDirectory:
      return items.missingDirectories.map(Self.makingDirectory)
    case .write(let path, let contents, method: let method):
      return Self.pieces(writing: contents, to: path, method, isThere: tree.contains(path))
    case .append(let path, _): return [Piece(.write, path, self)]
    case .move(let source, to: let path, replacing: _):
      return source == path ? [] : [Piece(.rename, path, self)]
    case .copy(let source, to: let path): return Self.pieces(copying: source, to: path, in: tree)
    case .remove(let path):
      // What is in a directory goes before it.
      return tree.paths(from: path).reversed().map { Piece(.remove, $0, .remove($0)) }
    case .link(let path, _): return [Piece(.create, path, self)]
    case .setMark(_, on: let path, to: let isSet):
      return [Piece(isSet ? .mark : .unmark, path, self)]
    }
  }

  private static func makingDirectory(_ path: ContainerPath) -> Piece {
    Piece(.createDirectory, path, .createDirectory(path, intermediates: false))
  }

  private static func pieces(
    writing contents: Contents, to path: ContainerPath, _ method: WriteMethod, isThere: Bool
  ) -> [Piece] {
    func writing(_ place: ContainerPath) -> [Piece] {
      [
        Piece(.create, path, .write(place, .bytes([]), method: .inPlace)),
        Piece(.write, path, .write(place, contents, method: .inPlace)),
      ]
    }
    switch method {
    case .atomically:
      let place = path.parent?.appending(temporaryName) ?? ContainerPath(temporaryName)
      let renaming = FileOperation.move(place, to: path, replacing: true)
      return writing(place) + [Piece(.rename, path, renaming)]
    case .inPlace: return writing(path)
    case .deleteFirst:
      let removing: [Piece] = isThere ? [Piece(.remove, path, .remove(path))] : []
      return removing + writing(path)
    }
  }

  /// The changes by which an item is copied, a directory before what is in it and its marks last.
  private static func pieces(
    copying source: ContainerPath, to path: ContainerPath, in tree: FileTree
  ) -> [Piece] {
    var pieces: [Piece] = []
    var marks: [Piece] = []
    tree.walk(from: source) { found, item in
      guard let copy = found.moved(from: source, to: path) else { return false }
      switch item.kind {
      case .directory:
        pieces.append(makingDirectory(copy))
        if !item.marks.isEmpty {
          let marking = FileOperation.setMark(item.marks, on: copy, to: true)
          marks.append(Piece(.mark, copy, marking))
        }
      case .special: break
      default: pieces.append(Piece(.create, copy, .copy(found, to: copy)))
      }
      return true
    }
    return pieces + marks.reversed()
  }
}

/// A kind of change to the file system, before which an app can be killed.
package enum FileChangeKind: String, CaseIterable, Hashable, Sendable {
  /// A file or a link is made, or a file emptied.
  case create
  /// Bytes are written to a file.
  case write
  /// An item gets another path, in the place of what is there.
  case rename
  case remove
  case createDirectory
  case mark
  /// A mark is taken off.
  case unmark
}
