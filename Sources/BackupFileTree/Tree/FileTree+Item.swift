import BackupCollections

extension FileTree {
  /// One item of a container.
  public struct Item: Sendable {
    /// What it is, with what belongs to that.
    public var kind: Kind
    /// The exclusion marks on the item itself.
    public var marks: ExclusionMark
    /// How the scanner found it on disk; not part of what two trees compare.
    public var observation: Observation

    /// An item, unmarked and not from disk unless said.
    ///
    /// - Parameters:
    ///   - kind: What it is, a directory with all in it.
    ///   - marks: The marks on the item itself, not those above it.
    ///   - observation: How it was found on disk, which comparisons leave out.
    public init(
      _ kind: Kind, marks: ExclusionMark = [], observation: Observation = Observation()
    ) {
      self.kind = kind
      self.marks = marks
      self.observation = observation
    }
  }

  /// The kinds of items that a file system has, each with what belongs to it.
  @nonexhaustive
  public enum Kind: Hashable, Sendable {
    case file(FileInformation)
    case directory(Children)
    /// A symbolic link and the bytes it points to; never followed.
    case link(target: [UInt8])
    /// A socket, pipe or device.
    case special
    /// Something that could not be read, with the platform's words for why.
    case unreadable(reason: String)
  }

  /// What a tree knows of a file's contents.
  public struct FileInformation: Sendable {
    /// Its logical size in bytes.
    public var size: Int64
    /// What tells its contents from others; not part of what two trees compare.
    package var contents = ContentsSum.unknown
    /// The words of a text or property list, whatever its format; nil for anything else; not
    /// compared either.
    package var words: Set<String>?
    /// Whether they begin with what the file held before they were written; not compared either.
    package var isGrown = false
    /// Whether its contents begin as an SQLite database's do.
    public var isDatabase: Bool

    /// A file of a size in bytes.
    ///
    /// - Parameters:
    ///   - size: The logical size in bytes.
    ///   - isDatabase: Whether the contents begin as an SQLite database's do.
    public init(size: Int64, isDatabase: Bool = false) {
      self.size = size
      self.isDatabase = isDatabase
    }
  }
}

extension FileTree.Item: Hashable {
  /// Whether both are the same item to an app: kind, contents' size and marks, not the observation.
  public static func == (left: FileTree.Item, right: FileTree.Item) -> Bool {
    left.marks == right.marks && left.kind == right.kind
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(marks)
    hasher.combine(kind)
  }
}

extension FileTree.Item {
  /// Whether the item is a directory; a link to one is not.
  public var isDirectory: Bool {
    if case .directory = kind { true } else { false }
  }

  /// The size in bytes of a regular file, nil for anything else.
  public var size: Int64? {
    if case .file(let information) = kind { information.size } else { nil }
  }

  /// What is right in the item; empty for anything but a directory.
  public var children: FileTree.Children {
    if case .directory(let children) = kind { children } else { FileTree.Children() }
  }

  /// Whether both are directories that share what is in them, so that nothing there differs; false
  /// says nothing.
  package func sharesChildren(with other: FileTree.Item?) -> Bool {
    guard case .directory(let mine) = kind, case .directory(let theirs) = other?.kind else {
      return false
    }
    return mine.list.isIdentical(to: theirs.list)
  }

  /// A directory as it is made: unmarked, with nothing in it.
  static let emptyDirectory = FileTree.Item(.directory(FileTree.Children()))
}
