import BackupCollections

/// A detector of the changes that an app made between two snapshots of the disk.
///
/// The detector recognizes an item by its stamp, a number that the kit stores on the item
/// (``FileTree/Observation/identity``). The detector recognizes an item that cannot have a stamp,
/// such as a link, by its path and its inode number.
///
/// The detector cannot find out in which order the app made the changes. It returns moves and
/// copies first, removals last, and all other changes between these.
package struct ChangeDetector {
  private typealias LocatedItem = DifferingItems.LocatedItem

  /// The items of the first snapshot whose stamps are in `differingItems`, by stamp.
  private var formerItemsByStamp: [UInt64: LocatedItem] = [:]
  private let earlierTree: FileTree
  private let laterTree: FileTree
  private let differingItems: DifferingItems
  /// The path in the second snapshot of each item in `formerItemsByStamp`. Other items with
  /// the same stamp are copies.
  private var currentPathsByStamp: [UInt64: ContainerPath] = [:]
  /// The moves and copies, by the path to which an item was moved or copied.
  private var movesAndCopiesByPath: [ContainerPath: FileTree.Change] = [:]
  /// The paths in the first snapshot of the items that still exist or were replaced.
  private var keptPaths: Set<ContainerPath> = []
  private var movesAndCopies: [FileTree.Change] = []
  private var otherChanges: [FileTree.Change] = []

  /// Returns the changes between two snapshots. All files and directories in the first snapshot
  /// must have stamps. A file or directory without a stamp in the second snapshot counts as new.
  package static func changes(from earlierTree: FileTree, to laterTree: FileTree) -> [FileTree
    .Change]
  {
    var detector = ChangeDetector(earlierTree, laterTree)
    for entry in detector.differingItems.laterItems {
      detector.recordChanges(of: entry.item, at: entry.path)
    }
    detector.recordRemovals()
    return MoveOrder.ordered(detector.movesAndCopies) + detector.otherChanges
  }

  private init(_ earlierTree: FileTree, _ laterTree: FileTree) {
    self.earlierTree = earlierTree
    self.laterTree = laterTree
    self.differingItems = DifferingItems(earlierTree, laterTree)
    guard !differingItems.stampsAtNewPaths.isEmpty else { return }
    earlierTree.forEachItem { path, item in
      if differingItems.stampsAtNewPaths.contains(item.stamp) {
        formerItemsByStamp[item.stamp] = LocatedItem(path: path, item: item)
      }
    }
    findCurrentPaths()
  }

  /// Finds ``currentPathsByStamp``. If several items have the same stamp, prefers the item at the
  /// former path, or else an item with the former inode number.
  private mutating func findCurrentPaths() {
    var ranks: [UInt64: Int] = [:]
    laterTree.forEachItem { path, item in
      guard let formerItem = formerItemsByStamp[item.stamp] else { return }
      let isSameInode = formerItem.item.observation.inode == item.observation.inode
      let rank = path == formerItem.path ? 3 : isSameInode ? 2 : 1
      if rank > ranks[item.stamp, default: 0] {
        ranks[item.stamp] = rank
        currentPathsByStamp[item.stamp] = path
      }
    }
  }

  private mutating func recordChanges(of item: FileTree.Item, at path: ContainerPath) {
    let formerPath = formerPath(of: path)
    if let itemAtFormerPath = earlierTree[formerPath], itemAtFormerPath.isSameItem(as: item) {
      return recordChanges(
        of: item, at: path, since: LocatedItem(path: formerPath, item: itemAtFormerPath),
        isOriginal: true)
    }
    guard item.stamp != 0, let formerItem = formerItemsByStamp[item.stamp] else {
      let isReplacement = earlierTree.contains(formerPath)
      if isReplacement { keptPaths.insert(formerPath) }
      otherChanges.append(isReplacement ? .replaced(path) : .created(path))
      return recordAttributes(of: item, at: path, since: nil)
    }
    recordChanges(
      of: item, at: path, since: formerItem, isOriginal: currentPathsByStamp[item.stamp] == path)
  }

  /// Records the changes of an item since the first snapshot. `isOriginal` is false if the item is
  /// a copy of the former item.
  private mutating func recordChanges(
    of item: FileTree.Item, at path: ContainerPath, since formerItem: LocatedItem, isOriginal: Bool
  ) {
    if isOriginal { keptPaths.insert(formerItem.path) }
    if path != formerItem.path {
      recordMoveOrCopy(
        isOriginal ? .moved(formerItem.path, to: path) : .copied(formerItem.path, to: path))
    }
    let isSavedInPlace =
      isOriginal
      ? item.wasSaved(since: formerItem.item) : item.hasDifferentSize(than: formerItem.item)
    if isSavedInPlace { otherChanges.append(.savedInPlace(path)) }
    recordAttributes(of: item, at: path, since: formerItem.item)
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

  /// Records the attributes that changed, unless the item is unreadable in one of the snapshots.
  private mutating func recordAttributes(
    of item: FileTree.Item, at path: ContainerPath, since formerItem: FileTree.Item?
  ) {
    if item.isUnreadable || formerItem?.isUnreadable == true { return }
    let (attributes, formerAttributes) = (item.attributes, formerItem?.attributes ?? .ofNewItem)
    guard attributes != formerAttributes else { return }
    for attribute in ItemAttributes.ExtendedAttribute.all
    where attributes[attribute] != formerAttributes[attribute] {
      switch attribute {
      case .mark(let mark):
        otherChanges.append(
          attributes.marks.contains(mark) ? .marked(path, mark) : .cleared(path, mark))
      }
    }
  }

  /// Records removed items, but not the items in a removed directory. Skips directories that are
  /// unreadable now, because the items in them may still exist.
  private mutating func recordRemovals() {
    for entry in differingItems.earlierItems {
      entry.item.walk(at: entry.path) { path, _ in
        if let item = laterTree[path] { return !item.isUnreadable }
        if keptPaths.contains(path) { return true }
        otherChanges.append(.removed(path))
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
  private(set) var stampsAtNewPaths: Set<UInt64> = []

  init(_ earlierTree: FileTree, _ laterTree: FileTree) {
    compare(earlierTree.children, laterTree.children, in: nil)
  }

  /// Compares the entries of a directory. In both snapshots, the entries are sorted by name.
  private mutating func compare(
    _ earlierChildren: FileTree.Children, _ laterChildren: FileTree.Children,
    in directory: ContainerPath?
  ) {
    // Uses indices, because a loop over the entries would copy each of them.
    let (earlierEntries, laterEntries) = (earlierChildren.entries, laterChildren.entries)
    var earlierIndex = 0
    for laterIndex in laterEntries.indices {
      while earlierIndex < earlierEntries.count,
        earlierEntries[earlierIndex].name < laterEntries[laterIndex].name
      {
        earlierItems.append(
          LocatedItem(
            path: ContainerPath(earlierEntries[earlierIndex].name, in: directory),
            item: earlierEntries[earlierIndex].item))
        earlierIndex += 1
      }
      if earlierIndex < earlierEntries.count,
        earlierEntries[earlierIndex].name == laterEntries[laterIndex].name
      {
        compare(earlierEntries[earlierIndex].item, with: laterEntries[laterIndex], in: directory)
        earlierIndex += 1
      } else {
        addLaterItems(
          in: laterEntries[laterIndex].item,
          at: ContainerPath(laterEntries[laterIndex].name, in: directory))
      }
    }
    for entry in earlierEntries[earlierIndex...] {
      earlierItems.append(
        LocatedItem(path: ContainerPath(entry.name, in: directory), item: entry.item))
    }
  }

  /// Compares an earlier item with the later item of the same name.
  private mutating func compare(
    _ earlierItem: FileTree.Item, with laterEntry: FileTree.Children.Entry,
    in directory: ContainerPath?
  ) {
    let laterItem = laterEntry.item
    guard earlierItem.isSameItem(as: laterItem) else {
      addLaterItems(in: laterItem, at: ContainerPath(laterEntry.name, in: directory))
      return earlierItems.append(
        LocatedItem(path: ContainerPath(laterEntry.name, in: directory), item: earlierItem))
    }
    if laterItem.attributes != earlierItem.attributes || laterItem.wasSaved(since: earlierItem) {
      laterItems.append(
        LocatedItem(path: ContainerPath(laterEntry.name, in: directory), item: laterItem))
    }
    switch (earlierItem.kind, laterItem.kind) {
    case (.directory(let earlierChildren), .directory(let laterChildren)):
      compare(earlierChildren, laterChildren, in: ContainerPath(laterEntry.name, in: directory))
    case (.directory, _), (_, .directory):
      for child in laterItem.children.chunkedEntries {
        addLaterItems(
          in: child.item, at: ContainerPath(laterEntry.name, in: directory).appending(child.name))
      }
      earlierItems.append(
        LocatedItem(path: ContainerPath(laterEntry.name, in: directory), item: earlierItem))
    default:
      break
    }
  }

  private mutating func addLaterItems(in item: FileTree.Item, at path: ContainerPath) {
    item.forEachItem(at: path) { path, item in
      laterItems.append(LocatedItem(path: path, item: item))
      if item.stamp != 0 { stampsAtNewPaths.insert(item.stamp) }
    }
  }
}

extension FileTree.Item {
  /// Returns true if the item at the same path in a later snapshot is still this item.
  func isSameItem(as item: FileTree.Item) -> Bool {
    let isSameInode = observation.inode == item.observation.inode
    if isUnreadable || item.isUnreadable { return isSameInode }
    if canBeStamped || item.canBeStamped { return stamp != 0 && stamp == item.stamp }
    return isSameInode && kind == item.kind
  }

  /// Returns true if the file was written to since an earlier snapshot. `formerItem` is the file in
  /// that snapshot.
  func wasSaved(since formerItem: FileTree.Item) -> Bool {
    guard size != nil, formerItem.size != nil else { return false }
    return hasDifferentSize(than: formerItem)
      || observation.modified != formerItem.observation.modified
  }

  func hasDifferentSize(than formerItem: FileTree.Item) -> Bool {
    guard let size, let formerSize = formerItem.size else { return false }
    return size != formerSize
  }
}

/// An order in which an app can have made moves and copies.
///
/// The move `b → c` comes before the move `a → b`, as when an app renames old logs. A move out of a
/// directory comes before the move of the directory. If moves form a circle, as in a swap of two
/// files, their order is arbitrary.
struct MoveOrder {
  private let movesAndCopies: [FileTree.Change]
  /// The indices of the moves and copies from each path.
  private var indicesBySource: [ContainerPath: [Int]] = [:]
  /// The indices of the moves and copies out of each moved directory.
  private var indicesByMovedDirectory: [ContainerPath: [Int]] = [:]
  /// The indices that are already in the order, or that wait for their predecessors.
  private var visitedIndices: Set<Int> = []
  /// The moves and copies that are already in order, the earliest first.
  private var orderedChanges: [FileTree.Change] = []

  /// Returns the same moves and copies in a possible order.
  static func ordered(_ movesAndCopies: [FileTree.Change]) -> [FileTree.Change] {
    guard movesAndCopies.count > 1 else { return movesAndCopies }
    var moveOrder = MoveOrder(movesAndCopies)
    for index in movesAndCopies.indices { moveOrder.add(index) }
    return moveOrder.orderedChanges
  }

  private init(_ movesAndCopies: [FileTree.Change]) {
    self.movesAndCopies = movesAndCopies
    for (index, change) in movesAndCopies.enumerated() {
      if let source = change.source { indicesBySource[source, default: []].append(index) }
    }
    let movedPaths = Set(movesAndCopies.filter(\.isMove).compactMap(\.source))
    for (index, change) in movesAndCopies.enumerated() {
      for directory in change.source?.ancestors ?? [] where movedPaths.contains(directory) {
        indicesByMovedDirectory[directory, default: []].append(index)
      }
    }
  }

  /// Adds a move or copy after its predecessors. The method is not recursive, because chains of
  /// predecessors may be long.
  private mutating func add(_ index: Int) {
    var pending = [(index: index, isReady: false)]
    while let next = pending.popLast() {
      if next.isReady {
        orderedChanges.append(movesAndCopies[next.index])
      } else if visitedIndices.insert(next.index).inserted {
        pending.append((next.index, true))
        pending += predecessors(of: next.index).reversed().map { ($0, false) }
      }
    }
  }

  /// Returns the indices of the moves and copies that must come before a move or copy.
  private func predecessors(of index: Int) -> [Int] {
    let change = movesAndCopies[index]
    let indicesFromTarget = indicesBySource[change.path] ?? []
    guard change.isMove, let source = change.source else { return indicesFromTarget }
    return indicesFromTarget + (indicesByMovedDirectory[source] ?? [])
      + (indicesBySource[source] ?? [])
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
