import BackupCollections
package import BackupFileTree

extension BackupSet {
  /// The decisions of a backup, a directory before what is in it, names in byte order.
  ///
  /// Each is made when it is asked for: a backup of a million items takes little more memory than
  /// their tree. Two collections are equal where their decisions are, however they came about.
  ///
  /// ```swift
  /// set.decisions.filter { $0.reason == .saveRemnant }.map(\.path.description)  // []
  /// ```
  public struct Decisions: Sendable {
    /// Where decisions come from.
    private enum Storage: Sendable {
      /// Somebody's list.
      case list([Decision])
      /// A tree that was decided on.
      case table(DecisionTable)
    }

    /// Where these come from.
    private let storage: Storage

    init(_ list: [Decision]) {
      self.storage = .list(list)
    }

    /// Decisions on the items of a tree.
    init(_ table: DecisionTable) {
      self.storage = .table(table)
    }

    /// The decision on an item, or nil where there is none; a binary search.
    func decision(on path: ContainerPath) -> Decision? {
      switch storage {
      case .list(let list): list.element(at: path, by: \.path)
      case .table(let table): table.decision(on: path)
      }
    }
  }
}

extension BackupSet.Decisions {
  /// Calls `visit` for each decision in turn, and makes no path for it where it is one on a tree.
  ///
  /// - Parameter visit: Takes the directory that an item is right in, nil for the container, its name
  ///   there, how many components its path has, what it is, and what the backup does with it.
  package func forEachItem(
    _ visit: (
      ContainerPath?, ContainerPath.Component, Int, BackupSet.Decision.ItemKind,
      BackupSet.Decision.Verdict
    ) -> Void
  ) {
    switch storage {
    case .table(let table): table.forEachItem(visit)
    case .list(let list):
      for one in list {
        visit(one.path.parent, one.path.name, one.path.components.count, one.kind, one.verdict)
      }
    }
  }
}

extension BackupSet.Decisions: RandomAccessCollection {
  /// Goes through decisions from the first to the last, in time linear in their number.
  public struct Iterator: IteratorProtocol, Sendable {
    /// Goes through a tree; nil for a list.
    private var table: DecisionTable.Iterator?
    /// Goes through a list, an empty one for a tree.
    private var list: IndexingIterator<[BackupSet.Decision]>

    fileprivate init(_ list: [BackupSet.Decision]) {
      self.list = list.makeIterator()
    }

    fileprivate init(_ table: DecisionTable) {
      self.table = DecisionTable.Iterator(table)
      self.list = [].makeIterator()
    }

    /// The next decision, nil after the last.
    public mutating func next() -> BackupSet.Decision? {
      table == nil ? list.next() : table?.next()
    }
  }

  /// An iterator that stands before the first decision.
  public func makeIterator() -> Iterator {
    switch storage {
    case .list(let list): Iterator(list)
    case .table(let table): Iterator(table)
    }
  }

  /// The position of the first decision, 0.
  public var startIndex: Int { 0 }

  /// The position after the last decision, their number.
  public var endIndex: Int {
    switch storage {
    case .list(let list): list.count
    case .table(let table): table.count
    }
  }

  /// The decision at a position; of a backup's own, found by a binary search.
  ///
  /// - Parameter position: At least 0 and less than ``count``.
  public subscript(position: Int) -> BackupSet.Decision {
    precondition(indices.contains(position), "there is no decision \(position)")
    return switch storage {
    case .list(let list): list[position]
    case .table(let table): table[position]
    }
  }
}

extension BackupSet.Decisions: Hashable {
  /// Whether both decide the same on the same items.
  public static func == (left: BackupSet.Decisions, right: BackupSet.Decisions) -> Bool {
    left.count == right.count && left.elementsEqual(right)
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for decision in self { hasher.combine(decision) }
  }
}
