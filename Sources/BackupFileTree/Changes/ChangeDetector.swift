import BackupCollections

/// A detector of the changes that an app made between two snapshots of the disk.
///
/// The detector recognizes an item by its stamp, a number that the kit stores on the item
/// (``FileTree/Observation/identity``). It recognizes an item without a stamp by its path and its
/// inode number.
///
/// The detector cannot find out in which order the app made the changes. It returns moves and
/// copies first, then created, saved and marked items, and then removed items.
package struct ChangeDetector {
  private typealias LocatedItem = DifferingItems.LocatedItem

  /// The items of the first snapshot whose stamps are in `differing`, by stamp.
  private var formerItems: [UInt64: LocatedItem] = [:]
  private let before: FileTree
  private let after: FileTree
  private let differing: DifferingItems
  /// The path in the second snapshot of each item in `formerItems`. Other items with its stamp are
  /// copies.
  private var currentPaths: [UInt64: ContainerPath] = [:]
  /// The moves and copies, by the path to which an item was moved or copied.
  private var movesAndCopiesByPath: [ContainerPath: FileTree.Change] = [:]
  /// The paths in the first snapshot of the items that still exist or were replaced.
  private var keptPaths: Set<ContainerPath> = []
  private var movesAndCopies: [FileTree.Change] = []
  private var changes: [FileTree.Change] = []

  /// Returns the changes between two snapshots. All files and directories in the first snapshot
  /// must have stamps. A file or directory without a stamp in the second snapshot is new.
  package static func changes(from before: FileTree, to after: FileTree) -> [FileTree.Change] {
    var detector = ChangeDetector(before, after)
    for entry in detector.differing.laterItems {
      detector.recordChanges(of: entry.item, at: entry.path)
    }
    detector.recordRemovals()
    return MoveOrder.ordered(detector.movesAndCopies) + detector.changes
  }

  private init(_ before: FileTree, _ after: FileTree) {
    self.before = before
    self.after = after
    self.differing = DifferingItems(before, after)
    guard !differing.stamps.isEmpty else { return }
    before.forEachItem { path, item in
      if differing.stamps.contains(item.identity) {
        formerItems[item.identity] = LocatedItem(path: path, item: item)
      }
    }
    findCurrentPaths()
  }

  /// Finds ``currentPaths``. If several items have the same stamp, prefers the item that is still
  /// at its path, or else an item with the same inode number.
  private mutating func findCurrentPaths() {
    var ranks: [UInt64: Int] = [:]
    after.forEachItem { path, item in
      guard let former = formerItems[item.identity] else { return }
      let isSameInode = former.item.observation.inode == item.observation.inode
      let rank = path == former.path ? 3 : isSameInode ? 2 : 1
      if rank > ranks[item.identity, default: 0] {
        ranks[item.identity] = rank
        currentPaths[item.identity] = path
      }
    }
  }

  private mutating func recordChanges(of item: FileTree.Item, at path: ContainerPath) {
    let formerPath = formerPath(of: path)
    if let original = before[formerPath], original.isSameItem(as: item) {
      return recordChanges(
        of: item, at: path, since: LocatedItem(path: formerPath, item: original), isOriginal: true)
    }
    guard item.identity != 0, let former = formerItems[item.identity] else {
      let isReplacement = before.contains(formerPath)
      if isReplacement { keptPaths.insert(formerPath) }
      changes.append(isReplacement ? .replaced(path) : .created(path))
      return recordAttributes(of: item, at: path, before: nil)
    }
    recordChanges(
      of: item, at: path, since: former, isOriginal: currentPaths[item.identity] == path)
  }

  /// Records the changes of an item since the first snapshot. `isOriginal` is false if the item is
  /// a copy of the former item.
  private mutating func recordChanges(
    of item: FileTree.Item, at path: ContainerPath, since former: LocatedItem, isOriginal: Bool
  ) {
    if isOriginal { keptPaths.insert(former.path) }
    if path != former.path {
      recordMoveOrCopy(isOriginal ? .moved(former.path, to: path) : .copied(former.path, to: path))
    }
    let isSaved =
      isOriginal ? item.wasSaved(since: former.item) : item.hasDifferentSize(than: former.item)
    if isSaved { changes.append(.savedInPlace(path)) }
    recordAttributes(of: item, at: path, before: former.item)
  }

  /// Returns the path at which an item was before its directory was moved. Returns `path` if the
  /// directory was not moved.
  private func formerPath(of path: ContainerPath) -> ContainerPath {
    guard let parent = path.parent, case .moved(let source, to: _)? = movesAndCopiesByPath[parent]
    else {
      return path
    }
    return source.appending(path.name)
  }

  /// Records a move or copy of an item, unless the item was moved or copied with its directory.
  private mutating func recordMoveOrCopy(_ change: FileTree.Change) {
    let path = change.path
    movesAndCopiesByPath[path] = change
    if let parent = path.parent, let parentChange = movesAndCopiesByPath[parent],
      parentChange.isMove == change.isMove,
      parentChange.source?.appending(path.name) == change.source
    {
      return
    }
    movesAndCopies.append(change)
  }

  /// Records the attributes that changed, unless one of the snapshots could not read the item.
  private mutating func recordAttributes(
    of item: FileTree.Item, at path: ContainerPath, before formerItem: FileTree.Item?
  ) {
    if item.isUnreadable || formerItem?.isUnreadable == true { return }
    let (now, former) = (item.attributes, formerItem?.attributes ?? .ofNewItem)
    guard now != former else { return }
    for attribute in ItemAttributes.ExtendedAttribute.all
    where now[attribute] != former[attribute] {
      switch attribute {
      case .mark(let mark):
        changes.append(now.marks.contains(mark) ? .marked(path, mark) : .cleared(path, mark))
      }
    }
  }

  /// Records removed items, but not the items in a removed directory. Skips directories that are
  /// unreadable now, because the items in them may still exist.
  private mutating func recordRemovals() {
    for entry in differing.earlierItems {
      entry.item.walk(at: entry.path) { path, _ in
        if let item = after[path] { return !item.isUnreadable }
        if keptPaths.contains(path) { return true }
        changes.append(.removed(path))
        return false
      }
    }
  }
}

/// The items that differ between two snapshots.
///
/// An item differs if its contents or attributes have changed. It also differs if it, or a
/// directory above it, has another path or another stamp.
struct DifferingItems {
  /// An item and its path in one of the two snapshots.
  struct LocatedItem {
    let path: ContainerPath
    let item: FileTree.Item
  }

  /// The items of the second snapshot that are new or changed, in the order of a walk.
  private(set) var laterItems: [LocatedItem] = []
  /// The items of the first snapshot that are no longer at their paths, in the order of a walk. A
  /// directory stands for all items in it.
  private(set) var earlierItems: [LocatedItem] = []
  /// The stamps of the items of the second snapshot that were not at their paths before.
  private(set) var stamps: Set<UInt64> = []

  init(_ before: FileTree, _ after: FileTree) {
    compare(before.children, after.children, in: nil)
  }

  /// Compares the entries of a directory. In both snapshots, the entries are sorted by name.
  private mutating func compare(
    _ before: FileTree.Children, _ after: FileTree.Children, in directory: ContainerPath?
  ) {
    // Uses indices, because a loop over the entries would copy each of them.
    let (before, after) = (before.entries, after.entries)
    var beforeIndex = 0
    for index in after.indices {
      while beforeIndex < before.count, before[beforeIndex].name < after[index].name {
        earlierItems.append(
          LocatedItem(
            path: ContainerPath(before[beforeIndex].name, in: directory),
            item: before[beforeIndex].item))
        beforeIndex += 1
      }
      if beforeIndex < before.count, before[beforeIndex].name == after[index].name {
        compare(before[beforeIndex].item, with: after[index], in: directory)
        beforeIndex += 1
      } else {
        addAll(of: after[index].item, at: ContainerPath(after[index].name, in: directory))
      }
    }
    for entry in before[beforeIndex...] {
      earlierItems.append(
        LocatedItem(path: ContainerPath(entry.name, in: directory), item: entry.item))
    }
  }

  /// Compares an earlier item with the later item of the same name.
  private mutating func compare(
    _ before: FileTree.Item, with entry: FileTree.Children.Entry, in directory: ContainerPath?
  ) {
    let item = entry.item
    guard before.isSameItem(as: item) else {
      addAll(of: item, at: ContainerPath(entry.name, in: directory))
      return earlierItems.append(
        LocatedItem(path: ContainerPath(entry.name, in: directory), item: before))
    }
    if item.attributes != before.attributes || item.wasSaved(since: before) {
      laterItems.append(LocatedItem(path: ContainerPath(entry.name, in: directory), item: item))
    }
    switch (before.kind, item.kind) {
    case (.directory(let old), .directory(let new)):
      compare(old, new, in: ContainerPath(entry.name, in: directory))
    case (.directory, _), (_, .directory):
      for child in item.children.list {
        addAll(of: child.item, at: ContainerPath(entry.name, in: directory).appending(child.name))
      }
      earlierItems.append(
        LocatedItem(path: ContainerPath(entry.name, in: directory), item: before))
    default:
      break
    }
  }

  private mutating func addAll(of item: FileTree.Item, at path: ContainerPath) {
    item.forEachItem(at: path) { path, item in
      laterItems.append(LocatedItem(path: path, item: item))
      if item.identity != 0 { stamps.insert(item.identity) }
    }
  }
}

extension FileTree.Item {
  /// Returns true if the item at the same path in a later snapshot is still this item.
  func isSameItem(as item: FileTree.Item) -> Bool {
    let isSameInode = observation.inode == item.observation.inode
    if isUnreadable || item.isUnreadable { return isSameInode }
    if canBeStamped || item.canBeStamped { return identity != 0 && identity == item.identity }
    return isSameInode && kind == item.kind
  }

  /// Returns true if the file was written to since an earlier snapshot. `former` is the file in
  /// that snapshot.
  func wasSaved(since former: FileTree.Item) -> Bool {
    guard size != nil, former.size != nil else { return false }
    return hasDifferentSize(than: former)
      || observation.modified != former.observation.modified
  }

  func hasDifferentSize(than former: FileTree.Item) -> Bool {
    guard let size, let formerSize = former.size else { return false }
    return size != formerSize
  }
}

/// An order in which an app can have made moves and copies.
///
/// The move `b → c` comes before the move `a → b`, as when an app renames old logs. A move out of a
/// directory comes before the move of the directory. If moves form a circle, as in a swap of two
/// files, any order is possible.
struct MoveOrder {
  private let changes: [FileTree.Change]
  /// The indices of the moves and copies from each path.
  private var indicesBySource: [ContainerPath: [Int]] = [:]
  /// The indices of the moves and copies out of each moved directory.
  private var indicesByMovedDirectory: [ContainerPath: [Int]] = [:]
  /// The indices that are already in the order, or that wait for their predecessors.
  private var visited: Set<Int> = []
  /// The moves and copies that are already in order, the earliest first.
  private var order: [FileTree.Change] = []

  /// Returns the same moves and copies in a possible order.
  static func ordered(_ changes: [FileTree.Change]) -> [FileTree.Change] {
    guard changes.count > 1 else { return changes }
    var moveOrder = MoveOrder(changes)
    for index in changes.indices { moveOrder.add(index) }
    return moveOrder.order
  }

  private init(_ changes: [FileTree.Change]) {
    self.changes = changes
    for (index, change) in changes.enumerated() {
      if let source = change.source { indicesBySource[source, default: []].append(index) }
    }
    let movedPaths = Set(changes.filter(\.isMove).compactMap(\.source))
    for (index, change) in changes.enumerated() {
      for directory in change.source?.ancestors ?? [] where movedPaths.contains(directory) {
        indicesByMovedDirectory[directory, default: []].append(index)
      }
    }
  }

  /// Adds a move or copy after its predecessors. This is not recursive, because chains of
  /// predecessors may be long.
  private mutating func add(_ index: Int) {
    var pending = [(index: index, isReady: false)]
    while let next = pending.popLast() {
      if next.isReady {
        order.append(changes[next.index])
      } else if visited.insert(next.index).inserted {
        pending.append((next.index, true))
        pending += predecessors(of: next.index).reversed().map { ($0, false) }
      }
    }
  }

  /// Returns the indices of the moves and copies that must come before a move or copy.
  private func predecessors(of index: Int) -> [Int] {
    let change = changes[index]
    let fromTarget = indicesBySource[change.path] ?? []
    guard change.isMove, let source = change.source else { return fromTarget }
    return fromTarget + (indicesByMovedDirectory[source] ?? []) + (indicesBySource[source] ?? [])
  }
}

extension FileTree.Change {
  /// The earlier path of a moved or copied item.
  fileprivate var source: ContainerPath? {
    switch self {
    case .moved(let source, _), .copied(let source, _): source
    default: nil
    }
  }

  fileprivate var isMove: Bool {
    if case .moved = self { true } else { false }
  }
}
