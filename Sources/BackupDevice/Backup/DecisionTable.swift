import BackupCollections
package import BackupFileTree

/// The decisions of a backup on all items of a tree, run-length encoded.
///
/// Names and kinds come from the tree; a verdict is stored only where it changes. An item's index is its position in a
/// depth-first walk.
struct DecisionTable: Sendable {
  /// A directory of the tree, or the whole container.
  struct Directory: Sendable {
    /// The path of the directory, or nil for the container.
    let path: ContainerPath?
    let children: FileTree.Children
    /// The index of the parent directory; for the container its own index.
    let parent: Int
    /// The position among the items of the parent directory.
    let ordinal: Int
    /// The index of the first item in the directory.
    let firstIndex: Int
    /// The index after the last item in the directory.
    fileprivate(set) var endIndex: Int
  }

  /// The directories in the order of a walk, the container first.
  private(set) var directories: [Directory]
  /// The verdicts, each with the index of the first item to which it applies.
  private(set) var verdictRuns: [(start: Int, verdict: BackupSet.Decision.Verdict)] = []
  private(set) var count = 0
  /// The directory whose items are being decided on.
  private var current = 0

  init(_ children: FileTree.Children) {
    directories = [
      Directory(path: nil, children: children, parent: 0, ordinal: 0, firstIndex: 0, endIndex: .max)
    ]
  }

  mutating func append(_ verdict: BackupSet.Decision.Verdict) {
    if verdictRuns.last?.verdict != verdict { verdictRuns.append((count, verdict)) }
    count += 1
  }

  /// Enters a directory. Call this right after `append` for it, even if it is empty.
  mutating func enter(_ children: FileTree.Children, at path: ContainerPath, ordinal: Int) {
    directories.append(
      Directory(
        path: path, children: children, parent: current, ordinal: ordinal, firstIndex: count,
        endIndex: .max))
    current = directories.count - 1
  }

  /// Returns to the parent directory, after all items in this one were decided on.
  mutating func leave() {
    directories[current].endIndex = count
    current = directories[current].parent
  }

  subscript(index: Int) -> BackupSet.Decision {
    let run = verdictRuns.partitioningIndex { $0.start > index } - 1
    let (directory, ordinal) = place(of: index)
    return decision(on: directories[directory].children.list[ordinal], of: directory, run: run)
  }

  /// Returns the decision on the item at a path by a binary search, or nil if there is none.
  func decision(on path: ContainerPath) -> BackupSet.Decision? {
    index(of: path).map { self[$0] }
  }

  private func decision(
    on entry: FileTree.Children.Entry, of directory: Int, run: Int
  ) -> BackupSet.Decision {
    BackupSet.Decision(
      path: ContainerPath(entry.name, in: directories[directory].path),
      kind: BackupSet.Decision.ItemKind(entry.item), verdict: verdictRuns[run].verdict)
  }

  /// Returns the directory of an item and the position of the item in it.
  private func place(of index: Int) -> (directory: Int, ordinal: Int) {
    var directory = directories.partitioningIndex { $0.firstIndex > index } - 1
    var ordinal = index - directories[directory].firstIndex
    while index >= directories[directory].endIndex {
      ordinal = directories[directory].ordinal + 1 + index - directories[directory].endIndex
      directory = directories[directory].parent
    }
    return (directory, ordinal)
  }

  /// Returns the index of the item at a path, or nil if there is no such item.
  private func index(of path: ContainerPath) -> Int? {
    let parent = path.parent
    var directory =
      directories.partitioningIndex { $0.path.map(path.precedesInWalk) ?? false } - 1
    if directories[directory].path == path { return directories[directory].firstIndex - 1 }
    var last: Directory?
    while directories[directory].path != parent {
      guard directory > 0 else { return nil }
      last = directories[directory]
      directory = directories[directory].parent
    }
    guard let ordinal = directories[directory].children.index(of: path.name) else { return nil }
    return last.map { $0.endIndex + ordinal - $0.ordinal - 1 }
      ?? directories[directory].firstIndex + ordinal
  }

  /// Calls `visit` for each item in the order of a walk, without making the item's path.
  func forEachItem(_ visit: BackupSet.Decisions.Visitor) {
    // The number of items visited, the run of the last one, and the number of directories entered.
    var (index, run, entered) = (0, -1, 1)
    func visitItems(of directory: Int, depth: Int) {
      let path = directories[directory].path
      directories[directory].children.list.forEachChunk { entries in
        for entry in entries {
          if run + 1 < verdictRuns.count, verdictRuns[run + 1].start == index { run += 1 }
          index += 1
          let kind = BackupSet.Decision.ItemKind(entry.item)
          visit(path, entry.name, depth, kind, verdictRuns[run].verdict)
          guard case .directory = kind else { continue }
          entered += 1
          visitItems(of: entered - 1, depth: depth + 1)
        }
      }
    }
    visitItems(of: 0, depth: 1)
  }

  /// An iterator over the decisions from the first item to the last.
  struct Iterator: IteratorProtocol, Sendable {
    private let table: DecisionTable
    private var index = 0
    private var directory = 0
    /// The remaining items of the directories that the iterator is in, the innermost last.
    private var rest: [ChunkedArray<FileTree.Children.Entry>.Iterator]
    /// The number of directories entered, the container included.
    private var entered = 1
    /// The run of the last item.
    private var run = -1

    init(_ table: DecisionTable) {
      self.table = table
      self.rest = [table.directories[0].children.list.makeIterator()]
    }

    mutating func next() -> BackupSet.Decision? {
      guard index < table.count else { return nil }
      while index == table.directories[directory].endIndex {
        rest.removeLast()
        directory = table.directories[directory].parent
      }
      guard let entry = rest[rest.count - 1].next() else { return nil }
      if run + 1 < table.verdictRuns.count, table.verdictRuns[run + 1].start == index { run += 1 }
      let decision = table.decision(on: entry, of: directory, run: run)
      index += 1
      if case .directory(let children) = entry.item.kind {
        directory = entered
        entered += 1
        rest.append(children.list.makeIterator())
      }
      return decision
    }
  }
}

extension BackupSet.Decision.ItemKind {
  package init(_ item: FileTree.Item) {
    switch item.kind {
    case .file(let information): self = .file(size: information.size)
    case .directory(let children): self = .directory(isEmpty: children.isEmpty)
    case .link: self = .link
    case .special, .unreadable: self = .other
    }
  }
}
