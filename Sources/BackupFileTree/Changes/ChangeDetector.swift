import BackupCollections

/// Derives what an app did to its files from two snapshots of the disk.
///
/// Items are recognized by the kit's item ID (``FileTree/Observation/identity``), and those without
/// one by path and inode number. The order within an action cannot be seen: moves and copies come
/// first, then what was made, saved and marked, item by item, then what was removed. Only what
/// differs is followed, so a container in which little changed costs one walk.
package struct ChangeDetector {
  private typealias Sighting = UnlikeItems.Sighting

  /// Where each stamped item was that is not at its place now.
  private var former: [UInt64: Sighting] = [:]
  private let before: FileTree
  private let after: FileTree
  private let unlike: UnlikeItems
  /// Where the item of each stamp is now; its other places are copies.
  private var originals: [UInt64: ContainerPath] = [:]
  /// The move or copy of each item that is elsewhere now, by its path now.
  private var origins: [ContainerPath: FileTree.Change] = [:]
  /// The paths before of all items that are still there, or had their place taken.
  private var survivors: Set<ContainerPath> = []
  private var placings: [FileTree.Change] = []
  private var changes: [FileTree.Change] = []

  /// Derives the changes from one look to the next; before, every item is stamped, and an item now
  /// without a stamp is new.
  package static func changes(from before: FileTree, to after: FileTree) -> [FileTree.Change] {
    var detector = ChangeDetector(before, after)
    for seen in detector.unlike.now { detector.follow(seen.item, at: seen.path) }
    detector.noteRemoved()
    return PlacingOrder.ordered(detector.placings) + detector.changes
  }

  private init(_ before: FileTree, _ after: FileTree) {
    self.before = before
    self.after = after
    self.unlike = UnlikeItems(before, after)
    guard !unlike.stamps.isEmpty else { return }
    before.forEachItem { path, item in
      if unlike.stamps.contains(item.identity) {
        former[item.identity] = Sighting(path: path, item: item)
      }
    }
    findOriginals()
  }

  /// Finds where each stamped item is now: at its path, else by its inode number, else anywhere.
  private mutating func findOriginals() {
    var ranks: [UInt64: Int] = [:]
    after.forEachItem { path, item in
      guard let known = former[item.identity] else { return }
      let isSameInode = known.item.observation.inode == item.observation.inode
      let rank = path == known.path ? 3 : isSameInode ? 2 : 1
      if rank > ranks[item.identity, default: 0] {
        ranks[item.identity] = rank
        originals[item.identity] = path
      }
    }
  }

  private mutating func follow(_ item: FileTree.Item, at path: ContainerPath) {
    let formerPath = formerPath(of: path)
    if let same = before[formerPath], same.isSame(as: item) {
      return follow(
        item, at: path, from: Sighting(path: formerPath, item: same), isOriginal: true)
    }
    guard item.identity != 0, let known = former[item.identity] else {
      let isReplacement = before.contains(formerPath)
      if isReplacement { survivors.insert(formerPath) }
      changes.append(isReplacement ? .replaced(path) : .created(path))
      return noteAttributes(of: item, at: path, before: nil)
    }
    follow(item, at: path, from: known, isOriginal: originals[item.identity] == path)
  }

  private mutating func follow(
    _ item: FileTree.Item, at path: ContainerPath, from known: Sighting, isOriginal: Bool
  ) {
    if isOriginal { survivors.insert(known.path) }
    if path != known.path {
      notePlacing(isOriginal ? .moved(known.path, to: path) : .copied(known.path, to: path))
    }
    let isSaved =
      isOriginal ? item.isSaved(since: known.item) : item.isOtherwiseSized(than: known.item)
    if isSaved { changes.append(.savedInPlace(path)) }
    noteAttributes(of: item, at: path, before: known.item)
  }

  /// The path before of an item that stayed in its directory, wherever that went.
  private func formerPath(of path: ContainerPath) -> ContainerPath {
    guard let parent = path.parent, case .moved(let source, to: _)? = origins[parent] else {
      return path
    }
    return source.appending(path.name)
  }

  /// Notes that an item is at another path, unless it went along with the directory it is in.
  private mutating func notePlacing(_ placing: FileTree.Change) {
    let path = placing.path
    origins[path] = placing
    if let parent = path.parent, let along = origins[parent], along.isMove == placing.isMove,
      along.source?.appending(path.name) == placing.source
    {
      return
    }
    placings.append(placing)
  }

  /// Notes the attributes that changed, where both looks could see them.
  private mutating func noteAttributes(
    of item: FileTree.Item, at path: ContainerPath, before known: FileTree.Item?
  ) {
    if item.isUnreadable || known?.isUnreadable == true { return }
    let (now, former) = (item.attributes, known?.attributes ?? .ofNewItem)
    guard now != former else { return }
    for stored in ItemAttributes.Stored.all where now[stored] != former[stored] {
      switch stored {
      case .mark(let mark):
        changes.append(now.marks.contains(mark) ? .marked(path, mark) : .cleared(path, mark))
      }
    }
  }

  /// Notes the topmost items that are gone; what is in an unreadable directory may be there still.
  private mutating func noteRemoved() {
    for seen in unlike.former {
      seen.item.walk(at: seen.path) { path, _ in
        if let item = after[path] { return !item.isUnreadable }
        if survivors.contains(path) { return true }
        changes.append(.removed(path))
        return false
      }
    }
  }
}

/// What differs between two snapshots, found by going through both side by side.
///
/// An item is unchanged if it and every directory above it are at their old places, with the same
/// item IDs, and neither its contents nor its attributes changed since. Unchanged items are left out.
struct UnlikeItems {
  /// Where an item is in one of the two looks, and as what.
  struct Sighting {
    let path: ContainerPath
    let item: FileTree.Item
  }

  /// The items now that are not as they were, in the order of a walk.
  private(set) var now: [Sighting] = []
  /// The earlier items that are missing now, whole or in part, in the order of a walk.
  private(set) var former: [Sighting] = []
  /// The stamps of items that are not at their old places.
  private(set) var stamps: Set<UInt64> = []

  init(_ before: FileTree, _ after: FileTree) {
    compare(before.children, after.children, in: nil)
  }

  /// Compares what is in one directory, whose entries are in the same order in both looks.
  private mutating func compare(
    _ before: FileTree.Children, _ after: FileTree.Children, in directory: ContainerPath?
  ) {
    // By index, for an entry that is as it was is not copied then.
    let (before, after) = (before.entries, after.entries)
    var next = 0
    for index in after.indices {
      while next < before.count, before[next].name < after[index].name {
        former.append(
          Sighting(path: ContainerPath(before[next].name, in: directory), item: before[next].item))
        next += 1
      }
      if next < before.count, before[next].name == after[index].name {
        compare(before[next].item, with: after[index], in: directory)
        next += 1
      } else {
        noteAll(of: after[index].item, at: ContainerPath(after[index].name, in: directory))
      }
    }
    for entry in before[next...] {
      former.append(
        Sighting(path: ContainerPath(entry.name, in: directory), item: entry.item))
    }
  }

  /// Compares what bore a name with what bears it now.
  private mutating func compare(
    _ before: FileTree.Item, with entry: FileTree.Children.Entry, in directory: ContainerPath?
  ) {
    let item = entry.item
    guard before.isSame(as: item) else {
      noteAll(of: item, at: ContainerPath(entry.name, in: directory))
      return former.append(
        Sighting(path: ContainerPath(entry.name, in: directory), item: before))
    }
    if item.attributes != before.attributes || item.isSaved(since: before) {
      now.append(Sighting(path: ContainerPath(entry.name, in: directory), item: item))
    }
    switch (before.kind, item.kind) {
    case (.directory(let old), .directory(let new)):
      compare(old, new, in: ContainerPath(entry.name, in: directory))
    case (.directory, _), (_, .directory):
      for child in item.children.list {
        noteAll(of: child.item, at: ContainerPath(entry.name, in: directory).appending(child.name))
      }
      former.append(
        Sighting(path: ContainerPath(entry.name, in: directory), item: before))
    default:
      break
    }
  }

  private mutating func noteAll(of item: FileTree.Item, at path: ContainerPath) {
    item.forEachItem(at: path) { path, item in
      now.append(Sighting(path: path, item: item))
      if item.identity != 0 { stamps.insert(item.identity) }
    }
  }
}

extension FileTree.Item {
  /// Whether this item, which was at the same place before, is the one that is there now.
  func isSame(as item: FileTree.Item) -> Bool {
    let isSameInode = observation.inode == item.observation.inode
    if isUnreadable || item.isUnreadable { return isSameInode }
    if canBeStamped || item.canBeStamped { return identity != 0 && identity == item.identity }
    return isSameInode && kind == item.kind
  }

  /// Whether the same file was written to since.
  func isSaved(since former: FileTree.Item) -> Bool {
    guard size != nil, former.size != nil else { return false }
    return isOtherwiseSized(than: former)
      || observation.modified != former.observation.modified
  }

  func isOtherwiseSized(than former: FileTree.Item) -> Bool {
    guard let size, let formerSize = former.size else { return false }
    return size != formerSize
  }
}

/// Puts moves and copies into an order in which they can have happened.
///
/// Of `a → b` and `b → c` the second was first, as when logs are rotated; what left a directory
/// did so before the directory went. In a circle, as a swap is, any order is as good.
struct PlacingOrder {
  private let placings: [FileTree.Change]
  private var bySource: [ContainerPath: [Int]] = [:]
  /// Which of them start below the start of a move.
  private var byMovedDirectory: [ContainerPath: [Int]] = [:]
  /// Those that are in the order, or wait for those that must be earlier.
  private var isBegun: Set<Int> = []
  /// What was placed so far, the earliest first.
  private var order: [FileTree.Change] = []

  /// The same moves and copies in such an order.
  static func ordered(_ placings: [FileTree.Change]) -> [FileTree.Change] {
    guard placings.count > 1 else { return placings }
    var order = PlacingOrder(placings)
    for number in placings.indices { order.add(number) }
    return order.order
  }

  private init(_ placings: [FileTree.Change]) {
    self.placings = placings
    for (number, placing) in placings.enumerated() {
      if let source = placing.source { bySource[source, default: []].append(number) }
    }
    let moved = Set(placings.filter(\.isMove).compactMap(\.source))
    for (number, placing) in placings.enumerated() {
      for directory in placing.source?.ancestors ?? [] where moved.contains(directory) {
        byMovedDirectory[directory, default: []].append(number)
      }
    }
  }

  /// Adds one, after those that must be earlier. Not recursive, because chains may be long.
  private mutating func add(_ number: Int) {
    var pending = [(number: number, isReady: false)]
    while let next = pending.popLast() {
      if next.isReady {
        order.append(placings[next.number])
      } else if isBegun.insert(next.number).inserted {
        pending.append((next.number, true))
        pending += earlier(than: next.number).reversed().map { ($0, false) }
      }
    }
  }

  private func earlier(than number: Int) -> [Int] {
    let placing = placings[number]
    let fromTarget = bySource[placing.path] ?? []
    guard placing.isMove, let source = placing.source else { return fromTarget }
    return fromTarget + (byMovedDirectory[source] ?? []) + (bySource[source] ?? [])
  }
}

extension FileTree.Change {
  /// Where a moved or copied item was before.
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
