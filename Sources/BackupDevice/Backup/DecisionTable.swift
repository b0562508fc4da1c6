import BackupCollections
package import BackupFileTree

/// What a backup does with each item of a tree, without an entry of its own for an item.
///
/// Names and kinds are the tree's, with which this shares its directories; a verdict is kept where
/// it changes. Items are counted in the order of a walk.
struct DecisionTable: Sendable {
  /// A directory of the tree, or the whole container.
  struct Directory: Sendable {
    /// Where it is, nil for the container.
    let path: ContainerPath?
    let children: FileTree.Children
    /// The index of the directory that it is in; the container's is its own.
    let parent: Int
    /// Which of the items right in that directory it is.
    let ordinal: Int
    /// How many items a walk comes to before the first in it.
    let start: Int
    /// How many items a walk has come to when it leaves the directory.
    fileprivate(set) var end: Int
  }

  /// The directories in the order of a walk, the container first.
  private(set) var directories: [Directory]
  /// The verdicts, each with how many items a walk comes to before it begins to hold.
  private(set) var runs: [(start: Int, verdict: BackupSet.Decision.Verdict)] = []
  private(set) var count = 0
  /// The directory whose items are being decided on.
  private var current = 0

  /// A table without decisions on what is in a container.
  init(_ children: FileTree.Children) {
    directories = [
      Directory(path: nil, children: children, parent: 0, ordinal: 0, start: 0, end: .max)
    ]
  }

  mutating func append(_ verdict: BackupSet.Decision.Verdict) {
    if runs.last?.verdict != verdict { runs.append((count, verdict)) }
    count += 1
  }

  /// Goes into the directory that was decided on last.
  mutating func enter(_ children: FileTree.Children, at path: ContainerPath, ordinal: Int) {
    directories.append(
      Directory(
        path: path, children: children, parent: current, ordinal: ordinal, start: count, end: .max))
    current = directories.count - 1
  }

  /// Goes back to the directory above, when all that is in this one was decided on.
  mutating func leave() {
    directories[current].end = count
    current = directories[current].parent
  }

  subscript(index: Int) -> BackupSet.Decision {
    let run = runs.partitioningIndex { $0.start > index } - 1
    let (directory, ordinal) = place(of: index)
    return decision(on: directories[directory].children.list[ordinal], of: directory, run: run)
  }

  /// The decision on what is at a path, or nil; a binary search.
  func decision(on path: ContainerPath) -> BackupSet.Decision? {
    index(of: path).map { self[$0] }
  }

  private func decision(
    on entry: FileTree.Children.Entry, of directory: Int, run: Int
  ) -> BackupSet.Decision {
    BackupSet.Decision(
      path: ContainerPath(entry.name, in: directories[directory].path),
      kind: BackupSet.Decision.ItemKind(entry.item), verdict: runs[run].verdict)
  }

  /// The directory that an item is right in, and which item of it that is.
  private func place(of index: Int) -> (directory: Int, ordinal: Int) {
    var directory = directories.partitioningIndex { $0.start > index } - 1
    var ordinal = index - directories[directory].start
    while index >= directories[directory].end {
      ordinal = directories[directory].ordinal + 1 + index - directories[directory].end
      directory = directories[directory].parent
    }
    return (directory, ordinal)
  }

  /// How many items a walk visits before the one at a path; nil if it does not exist.
  private func index(of path: ContainerPath) -> Int? {
    let parent = path.parent
    var directory =
      directories.partitioningIndex { $0.path.map(path.precedesInWalk) ?? false } - 1
    if directories[directory].path == path { return directories[directory].start - 1 }
    var last: Directory?
    while directories[directory].path != parent {
      guard directory > 0 else { return nil }
      last = directories[directory]
      directory = directories[directory].parent
    }
    guard let ordinal = directories[directory].children.index(of: path.name) else { return nil }
    return last.map { $0.end + ordinal - $0.ordinal - 1 } ?? directories[directory].start + ordinal
  }

  /// Calls `visit` for each item in the order of a walk, and makes no path for it.
  func forEachItem(_ visit: BackupSet.Decisions.Visitor) {
    // How many items the walk has come to, the run that the last was in, and how many directories.
    var (index, run, entered) = (0, -1, 1)
    func visitItems(of directory: Int, depth: Int) {
      let path = directories[directory].path
      directories[directory].children.list.forEachChunk { entries in
        for entry in entries {
          if run + 1 < runs.count, runs[run + 1].start == index { run += 1 }
          index += 1
          let kind = BackupSet.Decision.ItemKind(entry.item)
          visit(path, entry.name, depth, kind, runs[run].verdict)
          guard case .directory = kind else { continue }
          entered += 1
          visitItems(of: entered - 1, depth: depth + 1)
        }
      }
    }
    visitItems(of: 0, depth: 1)
  }

  /// Goes through a table from the first item to the last.
  struct Iterator: IteratorProtocol, Sendable {
    private let table: DecisionTable
    /// How many items it has come to.
    private var index = 0
    private var directory = 0
    /// What is still to come of the directories that it is in, the innermost last.
    private var rest: [ChunkedArray<FileTree.Children.Entry>.Iterator]
    /// How many directories it has been in.
    private var entered = 1
    /// The run that the item before was in.
    private var run = -1

    init(_ table: DecisionTable) {
      self.table = table
      self.rest = [table.directories[0].children.list.makeIterator()]
    }

    mutating func next() -> BackupSet.Decision? {
      guard index < table.count else { return nil }
      while index == table.directories[directory].end {
        rest.removeLast()
        directory = table.directories[directory].parent
      }
      guard let entry = rest[rest.count - 1].next() else { return nil }
      if run + 1 < table.runs.count, table.runs[run + 1].start == index { run += 1 }
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
