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
}

extension FileOperation {
  /// The item that the operation makes or changes.
  public var path: ContainerPath {
    switch self {
    case .createDirectory(let path, _), .write(let path, _, method: _), .append(let path, _),
      .remove(let path), .link(let path, _), .setMark(_, on: let path, to: _),
      .move(_, to: let path, _), .copy(_, to: let path):
      path
    }
  }
}

extension FileOperation {
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
}

extension FileOperation {
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
}

extension FileOperation {
  /// The paths at which something is looked for or made.
  package var namedPaths: [ContainerPath] {
    switch self {
    case .move(let source, to: let path, replacing: _), .copy(let source, to: let path):
      [source, path]
    case .createDirectory, .write, .append, .remove, .link, .setMark:
      [path]
    }
  }
}
