import BackupCollections

/// A detector of the changes that an app made between two snapshots of the disk.
///
/// Items are recognized by their stamp (``FileTree/Observation/identity``), and items without one
/// by path and inode number. The order within an action is unknown: moves and copies come first,
/// then created, saved and marked items, and last the removed ones. Equal parts are skipped, so a
/// container with few changes costs one walk.
package struct ChangeDetector {
  private typealias LocatedItem = DifferingItems.LocatedItem

  /// The items of the first snapshot with the stamps of `differing`, by stamp.
  private var formerItems: [UInt64: LocatedItem] = [:]
  private let before: FileTree
  private let after: FileTree
  private let differing: DifferingItems
  /// The path of each stamped item now. Other items with the same stamp are copies.
  private var currentPaths: [UInt64: ContainerPath] = [:]
  /// The move or copy by which each item came to its path.
  private var arrivals: [ContainerPath: FileTree.Change] = [:]
  /// The earlier paths of the items that still exist or were replaced.
  private var keptPaths: Set<ContainerPath> = []
  private var movesAndCopies: [FileTree.Change] = []
  private var changes: [FileTree.Change] = []

  /// Returns the changes between two snapshots. All items in the first one must have stamps; an
  /// item without a stamp in the second one is new.
  package static func changes(from before: FileTree, to after: FileTree) -> [FileTree.Change] {
    var detector = ChangeDetector(before, after)
    for entry in detector.differing.now { detector.recordChanges(of: entry.item, at: entry.path) }
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

  /// Finds each stamped item now: at its earlier path, else by its inode number, else anywhere.
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
    if let same = before[formerPath], same.isSameItem(as: item) {
      return recordChanges(
        of: item, at: path, since: LocatedItem(path: formerPath, item: same), isOriginal: true)
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

  private mutating func recordChanges(
    of item: FileTree.Item, at path: ContainerPath, since former: LocatedItem, isOriginal: Bool
  ) {
    if isOriginal { keptPaths.insert(former.path) }
    if path != former.path {
      recordMoveOrCopy(isOriginal ? .moved(former.path, to: path) : .copied(former.path, to: path))
    }
    let isSaved =
      isOriginal ? item.wasSaved(since: former.item) : item.hasOtherSize(than: former.item)
    if isSaved { changes.append(.savedInPlace(path)) }
    recordAttributes(of: item, at: path, before: former.item)
  }

  /// Returns the earlier path of an item in a directory that was moved with it, or else `path`.
  private func formerPath(of path: ContainerPath) -> ContainerPath {
    guard let parent = path.parent, case .moved(let source, to: _)? = arrivals[parent] else {
      return path
    }
    return source.appending(path.name)
  }

  /// Records a move or copy of an item, unless its directory was moved or copied with it.
  private mutating func recordMoveOrCopy(_ change: FileTree.Change) {
    let path = change.path
    arrivals[path] = change
    if let parent = path.parent, let ofParent = arrivals[parent], ofParent.isMove == change.isMove,
      ofParent.source?.appending(path.name) == change.source
    {
      return
    }
    movesAndCopies.append(change)
  }

  /// Records the attributes that changed, if both snapshots could read them.
  private mutating func recordAttributes(
    of item: FileTree.Item, at path: ContainerPath, before formerItem: FileTree.Item?
  ) {
    if item.isUnreadable || formerItem?.isUnreadable == true { return }
    let (now, former) = (item.attributes, formerItem?.attributes ?? .ofNewItem)
    guard now != former else { return }
    for stored in ItemAttributes.Stored.all where now[stored] != former[stored] {
      switch stored {
      case .mark(let mark):
        changes.append(now.marks.contains(mark) ? .marked(path, mark) : .cleared(path, mark))
      }
    }
  }

  /// Records the topmost removed items. Items in an unreadable directory may still exist.
  private mutating func recordRemovals() {
    for entry in differing.former {
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
/// An item is equal if it and every directory above it have the same paths and stamps as before,
/// and neither its contents nor its attributes changed.
struct DifferingItems {
  /// An item and its path in one of the two snapshots.
  struct LocatedItem {
    let path: ContainerPath
    let item: FileTree.Item
  }

  /// The items of the second snapshot that are new or changed, in the order of a walk.
  private(set) var now: [LocatedItem] = []
  /// The items of the first snapshot that are gone, in whole or in part, in the order of a walk.
  private(set) var former: [LocatedItem] = []
  /// The stamps of the items that are not at their earlier paths.
  private(set) var stamps: Set<UInt64> = []

  init(_ before: FileTree, _ after: FileTree) {
    compare(before.children, after.children, in: nil)
  }

  /// Compares the entries of a directory, which have the same order in both snapshots.
  private mutating func compare(
    _ before: FileTree.Children, _ after: FileTree.Children, in directory: ContainerPath?
  ) {
    // Uses indices, so that equal entries are not copied.
    let (before, after) = (before.entries, after.entries)
    var next = 0
    for index in after.indices {
      while next < before.count, before[next].name < after[index].name {
        former.append(
          LocatedItem(
            path: ContainerPath(before[next].name, in: directory), item: before[next].item))
        next += 1
      }
      if next < before.count, before[next].name == after[index].name {
        compare(before[next].item, with: after[index], in: directory)
        next += 1
      } else {
        addAll(of: after[index].item, at: ContainerPath(after[index].name, in: directory))
      }
    }
    for entry in before[next...] {
      former.append(
        LocatedItem(path: ContainerPath(entry.name, in: directory), item: entry.item))
    }
  }

  /// Compares the items with the same name.
  private mutating func compare(
    _ before: FileTree.Item, with entry: FileTree.Children.Entry, in directory: ContainerPath?
  ) {
    let item = entry.item
    guard before.isSameItem(as: item) else {
      addAll(of: item, at: ContainerPath(entry.name, in: directory))
      return former.append(
        LocatedItem(path: ContainerPath(entry.name, in: directory), item: before))
    }
    if item.attributes != before.attributes || item.wasSaved(since: before) {
      now.append(LocatedItem(path: ContainerPath(entry.name, in: directory), item: item))
    }
    switch (before.kind, item.kind) {
    case (.directory(let old), .directory(let new)):
      compare(old, new, in: ContainerPath(entry.name, in: directory))
    case (.directory, _), (_, .directory):
      for child in item.children.list {
        addAll(of: child.item, at: ContainerPath(entry.name, in: directory).appending(child.name))
      }
      former.append(
        LocatedItem(path: ContainerPath(entry.name, in: directory), item: before))
    default:
      break
    }
  }

  private mutating func addAll(of item: FileTree.Item, at path: ContainerPath) {
    item.forEachItem(at: path) { path, item in
      now.append(LocatedItem(path: path, item: item))
      if item.identity != 0 { stamps.insert(item.identity) }
    }
  }
}

extension FileTree.Item {
  /// Returns true if a later item at the same path is this item.
  func isSameItem(as item: FileTree.Item) -> Bool {
    let isSameInode = observation.inode == item.observation.inode
    if isUnreadable || item.isUnreadable { return isSameInode }
    if canBeStamped || item.canBeStamped { return identity != 0 && identity == item.identity }
    return isSameInode && kind == item.kind
  }

  /// Returns true if the file was written to after `former`.
  func wasSaved(since former: FileTree.Item) -> Bool {
    guard size != nil, former.size != nil else { return false }
    return hasOtherSize(than: former)
      || observation.modified != former.observation.modified
  }

  func hasOtherSize(than former: FileTree.Item) -> Bool {
    guard let size, let formerSize = former.size else { return false }
    return size != formerSize
  }
}

/// An order in which moves and copies can have happened.
///
/// Of `a → b` and `b → c`, the second was first, as in a rotation of logs. An item left a directory
/// before the directory was moved. In a circle, such as a swap, any order is possible.
struct MoveOrder {
  private let changes: [FileTree.Change]
  private var bySource: [ContainerPath: [Int]] = [:]
  /// The indices of the moves and copies out of each moved directory.
  private var byMovedDirectory: [ContainerPath: [Int]] = [:]
  /// The indices that are in the order, or wait for their predecessors.
  private var visited: Set<Int> = []
  /// The moves and copies so far, the earliest first.
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
      if let source = change.source { bySource[source, default: []].append(index) }
    }
    let moved = Set(changes.filter(\.isMove).compactMap(\.source))
    for (index, change) in changes.enumerated() {
      for directory in change.source?.ancestors ?? [] where moved.contains(directory) {
        byMovedDirectory[directory, default: []].append(index)
      }
    }
  }

  /// Adds a move or copy after its predecessors. Not recursive, because chains may be long.
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

  private func predecessors(of index: Int) -> [Int] {
    let change = changes[index]
    let fromTarget = bySource[change.path] ?? []
    guard change.isMove, let source = change.source else { return fromTarget }
    return fromTarget + (byMovedDirectory[source] ?? []) + (bySource[source] ?? [])
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
