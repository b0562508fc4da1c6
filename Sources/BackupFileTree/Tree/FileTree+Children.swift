package import BackupCollections
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

      package init(name: ContainerPath.Component, item: Item) {
        self.name = name
        self.item = item
      }
    }

    /// The entries, sorted by name; copies share them.
    package private(set) var list: ChunkedArray<Entry>

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

    /// The entries with their items changed, without those for which `change` has none.
    func filtered(_ change: (ContainerPath.Component, Item) -> Item?) -> Children {
      Children(
        sorted: list.compactMap { entry in
          change(entry.name, entry.item).map { Entry(name: entry.name, item: $0) }
        })
    }

    /// Whether nothing is in the directory.
    public var isEmpty: Bool { list.isEmpty }

    /// The item of a name; setting nil removes it.
    ///
    /// - Parameter name: Compared byte by byte; found by a binary search.
    /// - Returns: The item right in this directory, or nil if no entry has the name.
    public subscript(name: ContainerPath.Component) -> Item? {
      get { index(of: name).map { list[$0].item } }
      set {
        switch (index(of: name), newValue) {
        case (let index?, let item?): list.modify(at: index) { $0.item = item }
        case (let index?, nil): list.remove(at: index)
        case (nil, let item?):
          list.insert(Entry(name: name, item: item), at: insertionIndex(of: name))
        case (nil, nil): break
        }
      }
    }

    /// Changes the item with a name in place; false if it does not exist.
    mutating func modify<Failure: Error>(
      _ name: ContainerPath.Component, _ change: (inout Item) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
      guard let index = index(of: name) else { return false }
      try list.modify(at: index) { entry throws(Failure) in try change(&entry.item) }
      return true
    }

    /// Which of the entries has a name, from 0; nil for none.
    package func index(of name: ContainerPath.Component) -> Int? {
      let index = insertionIndex(of: name)
      return index < list.endIndex && list[index].name == name ? index : nil
    }

    /// Where a name stands or would stand.
    private func insertionIndex(of name: ContainerPath.Component) -> Int {
      list.firstIndex(from: { $0.name >= name })
    }
  }
}
