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

    /// The entries, sorted by name; copies share them.
    private var list: ChunkedArray<Entry>

    /// What is in an empty directory.
    public init() {
      self.list = ChunkedArray()
    }

    /// Takes entries that are in the order of their names, which differ.
    package init(sorted entries: [Entry]) {
      self.list = ChunkedArray(entries)
    }

    /// The entries, sorted by name.
    public var entries: [Entry] { list.elements }

    /// Calls `body` with each entry, in the order of the names.
    func forEach<Failure: Error>(_ body: (Entry) throws(Failure) -> Void) throws(Failure) {
      try list.forEach(body)
    }

    /// The entries with their items changed, without those for which `change` has none.
    func filtered(_ change: (ContainerPath.Component, Item) -> Item?) -> Children {
      var kept: [Entry] = []
      forEach { entry in
        if let item = change(entry.name, entry.item) { kept.append(Entry(name: entry.name, item: item)) }
      }
      return Children(sorted: kept)
    }

    /// Whether nothing is in the directory.
    public var isEmpty: Bool { list.isEmpty }

    /// The item of a name; setting nil removes it.
    ///
    /// - Parameter name: Compared byte by byte; found by a binary search.
    /// - Returns: The item right in this directory, or nil where no entry has the name.
    public subscript(name: ContainerPath.Component) -> Item? {
      get {
        let entry = list[position(of: name)]
        return entry?.name == name ? entry?.item : nil
      }
      set {
        let position = position(of: name)
        switch (list[position]?.name == name, newValue) {
        case (true, let item?): list.modify(at: position) { $0.item = item }
        case (true, nil): list.remove(at: position)
        case (false, let item?): list.insert(Entry(name: name, item: item), at: position)
        case (false, nil): break
        }
      }
    }

    /// Changes the item of a name in place; false where there is none.
    mutating func modify<Failure: Error>(
      _ name: ContainerPath.Component, _ change: (inout Item) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
      let position = position(of: name)
      guard list[position]?.name == name else { return false }
      try list.modify(at: position) { entry throws(Failure) in try change(&entry.item) }
      return true
    }

    /// Where a name stands or would stand.
    private func position(of name: ContainerPath.Component) -> ChunkedArray<Entry>.Position {
      list.position { $0.name >= name }
    }
  }
}
