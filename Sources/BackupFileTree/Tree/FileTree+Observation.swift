extension FileTree {
  /// What tells one look at the disk from the next.
  public struct Observation: Sendable {
    /// The kit's stamp on the item, or 0; it stays with the item through moves and writes in place.
    public var identity: UInt64 = 0
    /// The inode number, by which an in-place save differs from a new file; 0 if it is unknown.
    public var inode: UInt64 = 0
    /// When the contents last changed, in nanoseconds since 1970.
    public var modified: Int64 = 0
    /// When anything of the item last changed, its attributes too, in nanoseconds since 1970.
    package var changed: Int64 = 0

    /// An item that was never on disk.
    public init() {}
  }
}

extension FileTree.Item {
  /// The kit's stamp, 0 for none.
  package var identity: UInt64 { observation.identity }

  package var isUnreadable: Bool {
    if case .unreadable = kind { true } else { false }
  }

  /// Whether a stamp can be stored on such an item everywhere.
  package var canBeStamped: Bool {
    switch kind {
    case .file, .directory: true
    case .link, .special, .unreadable: false
    }
  }
}

extension FileTree {
  package var withoutMarks: FileTree {
    var tree = self
    visit {
      !$0.marks.isEmpty
    } _: { path, _ in
      tree.modify(path) { $0.marks = [] }
    }
    return tree
  }

  /// When the file that was saved last was saved, in nanoseconds since 1970.
  package var newestModification: Int64 {
    var newest: Int64 = 0
    visit { item in
      if item.size != nil { newest = max(newest, item.observation.modified) }
      return false
    } _: { _, _ in
    }
    return newest
  }
}
