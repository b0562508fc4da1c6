import BackupDiagnostics

extension FileTree {
  /// What is right in one directory, in the byte order of the names.
  public struct Children: Hashable, Sendable {
    /// One item of a directory and its name there.
    public struct Entry: Hashable, Sendable {
      /// The item's name in its directory.
      public let name: ContainerPath.Component
      /// What bears the name, with all in it.
      public var item: Item

      /// An item under a name.
      package init(name: ContainerPath.Component, item: Item) {
        self.name = name
        self.item = item
      }
    }

    /// The entries, sorted by name.
    public private(set) var entries: [Entry]

    /// What is in an empty directory.
    public init() {
      self.entries = []
    }

    /// Takes entries that are in the order of their names, which differ.
    package init(sorted entries: [Entry]) {
      self.entries = entries
    }

    /// The entries with their items changed, without those for which `change` has none.
    func filtered(_ change: (ContainerPath.Component, Item) -> Item?) -> Children {
      Children(
        sorted: entries.compactMap { entry in
          change(entry.name, entry.item).map { Entry(name: entry.name, item: $0) }
        })
    }

    /// Whether nothing is in the directory.
    public var isEmpty: Bool { entries.isEmpty }

    /// The item of a name; setting nil removes it.
    ///
    /// - Parameter name: Compared byte by byte; found by a binary search.
    /// - Returns: The item right in this directory, or nil where no entry has the name.
    public subscript(name: ContainerPath.Component) -> Item? {
      get {
        let index = insertionIndex(of: name)
        return holds(name, at: index) ? entries[index].item : nil
      }
      set {
        let index = insertionIndex(of: name)
        replaceEntry(named: name, at: index, with: newValue)
      }
    }

    /// Changes the item of a name in place; false where there is none.
    mutating func modify<Failure: Error>(
      _ name: ContainerPath.Component, _ change: (inout Item) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
      let index = insertionIndex(of: name)
      guard holds(name, at: index) else { return false }
      try change(&entries[index].item)
      return true
    }

    /// Puts, replaces or removes the entry that belongs at an index.
    private mutating func replaceEntry(
      named name: ContainerPath.Component, at index: Int, with item: Item?
    ) {
      let end = holds(name, at: index) ? index + 1 : index
      entries.replaceSubrange(index..<end, with: item.map { [Entry(name: name, item: $0)] } ?? [])
    }

    /// Whether the entry at an index bears a name.
    private func holds(_ name: ContainerPath.Component, at index: Int) -> Bool {
      index < entries.count && entries[index].name == name
    }

    /// Where a name stands or would stand; a binary search.
    private func insertionIndex(of name: ContainerPath.Component) -> Int {
      entries.partitioningIndex { $0.name >= name }
    }
  }
}
