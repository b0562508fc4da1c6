import BackupCollections
package import BackupFileTree

/// The decisions of a backup on all items of a tree, run-length encoded.
///
/// Names and kinds come from the tree. A verdict is stored only where it changes. The index of an
/// item is its position in a depth-first walk.
struct DecisionTable: Sendable {
  /// A directory of the tree, or the whole container.
  struct Directory: Sendable {
    /// The path of the directory, or nil for the container.
    let path: ContainerPath?
    let children: FileTree.Children
    /// The index of the parent directory in `directories`. The container is its own parent.
    let parent: Int
    /// The position of the directory among the items of its parent.
    let ordinal: Int
    /// The index of the first item in the directory.
    let firstIndex: Int
    /// The index after the last item in the directory.
    fileprivate(set) var endIndex: Int
  }

  /// The directories in the order of the walk, the container first.
  private(set) var directories: [Directory]
  /// The runs of items with the same verdict. `start` is the index of the first item in the run.
  private(set) var verdictRuns: [(start: Int, verdict: BackupSet.Decision.Verdict)] = []
  /// The number of items with a verdict so far.
  private(set) var count = 0
  /// The index of the directory that the walk is in.
  private var currentDirectory = 0

  init(_ children: FileTree.Children) {
    directories = [
      Directory(path: nil, children: children, parent: 0, ordinal: 0, firstIndex: 0, endIndex: .max)
    ]
  }

  /// Adds the verdict on the next item of the walk.
  mutating func append(_ verdict: BackupSet.Decision.Verdict) {
    if verdictRuns.last?.verdict != verdict { verdictRuns.append((count, verdict)) }
    count += 1
  }

  /// Enters a directory. Call this directly after `append` for the directory, even if it is empty.
  mutating func enter(_ children: FileTree.Children, at path: ContainerPath, ordinal: Int) {
    directories.append(
      Directory(
        path: path, children: children, parent: currentDirectory, ordinal: ordinal,
        firstIndex: count,
        endIndex: .max))
    currentDirectory = directories.count - 1
  }

  /// Returns to the parent directory, after the last item of this directory has a verdict.
  mutating func leave() {
    directories[currentDirectory].endIndex = count
    currentDirectory = directories[currentDirectory].parent
  }

  subscript(index: Int) -> BackupSet.Decision {
    let runIndex = verdictRuns.partitioningIndex { $0.start > index } - 1
    let (directory, ordinal) = place(of: index)
    return decision(
      on: directories[directory].children.chunkedEntries[ordinal], of: directory, runIndex: runIndex
    )
  }

  /// Returns the decision on the item at a path by a binary search, or nil if there is none.
  func decision(on path: ContainerPath) -> BackupSet.Decision? {
    index(of: path).map { self[$0] }
  }

  private func decision(
    on entry: FileTree.Children.Entry, of directory: Int, runIndex: Int
  ) -> BackupSet.Decision {
    BackupSet.Decision(
      path: ContainerPath(entry.name, in: directories[directory].path),
      kind: BackupSet.Decision.ItemKind(entry.item), verdict: verdictRuns[runIndex].verdict)
  }

  /// Returns the index of the item's directory, and the position of the item in the directory.
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
    // The last directory that the walk reaches no later than the item.
    var directory =
      directories.partitioningIndex { $0.path.map(path.precedesInWalk) ?? false } - 1
    if directories[directory].path == path { return directories[directory].firstIndex - 1 }
    // The last directory before the item in the same parent directory.
    var previousSibling: Directory?
    while directories[directory].path != parent {
      guard directory > 0 else { return nil }
      previousSibling = directories[directory]
      directory = directories[directory].parent
    }
    guard let ordinal = directories[directory].children.index(of: path.name) else { return nil }
    return previousSibling.map { $0.endIndex + ordinal - $0.ordinal - 1 }
      ?? directories[directory].firstIndex + ordinal
  }

  /// Calls `visit` for each item in the order of the walk. This creates no path for the item.
  func forEachItem(_ visit: BackupSet.Decisions.Visitor) {
    var (index, runIndex, enteredDirectoryCount) = (0, -1, 1)
    func visitItems(of directory: Int, depth: Int) {
      let path = directories[directory].path
      directories[directory].children.chunkedEntries.forEachChunk { entries in
        for entry in entries {
          if runIndex + 1 < verdictRuns.count, verdictRuns[runIndex + 1].start == index {
            runIndex += 1
          }
          index += 1
          let kind = BackupSet.Decision.ItemKind(entry.item)
          visit(path, entry.name, depth, kind, verdictRuns[runIndex].verdict)
          guard case .directory = kind else { continue }
          enteredDirectoryCount += 1
          visitItems(of: enteredDirectoryCount - 1, depth: depth + 1)
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
    /// The remaining items of each directory that the iterator is in, the innermost directory last.
    private var remainingItems: [ChunkedArray<FileTree.Children.Entry>.Iterator]
    /// The number of directories entered so far. The container is one of them.
    private var enteredDirectoryCount = 1
    /// The index in `verdictRuns` of the run of the previous item; -1 before the first item.
    private var runIndex = -1

    init(_ table: DecisionTable) {
      self.table = table
      self.remainingItems = [table.directories[0].children.chunkedEntries.makeIterator()]
    }

    mutating func next() -> BackupSet.Decision? {
      guard index < table.count else { return nil }
      while index == table.directories[directory].endIndex {
        remainingItems.removeLast()
        directory = table.directories[directory].parent
      }
      guard let entry = remainingItems[remainingItems.count - 1].next() else { return nil }
      if runIndex + 1 < table.verdictRuns.count,
        table.verdictRuns[runIndex + 1].start == index
      {
        runIndex += 1
      }
      let decision = table.decision(on: entry, of: directory, runIndex: runIndex)
      index += 1
      if case .directory(let children) = entry.item.kind {
        directory = enteredDirectoryCount
        enteredDirectoryCount += 1
        remainingItems.append(children.chunkedEntries.makeIterator())
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
