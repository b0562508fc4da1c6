/// Derives what an app did to its files from two snapshots of the disk.
///
/// Items are recognized by the kit's item ID (``FileTree/Observation/identity``), and those without
/// one by path and inode number. The order within an action cannot be seen: moves and copies come
/// first, then what was made, saved and marked, item by item, then what was removed. Only what
/// differs is followed, so a container in which little changed costs one walk.
package struct ChangeDetector {
  private typealias Sighting = UnlikeItems.Sighting
  /// Where an item came from, and whether it is that item or a copy of it.
  private typealias Origin = (path: ContainerPath, isOriginal: Bool)

  /// Where each stamped item was that is not at its place now.
  private var former: [UInt64: Sighting] = [:]
  private let before: FileTree
  private let after: FileTree
  private let unlike: UnlikeItems
  /// Where the item of each stamp is now; its other places are copies.
  private var originals: [UInt64: ContainerPath] = [:]
  /// Where each item that is elsewhere now came from, by its path now.
  private var origins: [ContainerPath: Origin] = [:]
  /// The paths before of all items that are still there, or had their place taken.
  private var survivors: Set<ContainerPath> = []
  private var placings: [FileTree.Change] = []
  private var changes: [FileTree.Change] = []

  /// Derives the changes from one look to the next; before, every item is stamped, and an item now
  /// without a stamp is new.
  package static func changes(from before: FileTree, to after: FileTree) -> [FileTree.Change] {
    var detector = ChangeDetector(before, after)
    for (path, item) in detector.unlike.now { detector.follow(item, at: path) }
    detector.noteRemoved()
    return PlacingOrder.ordered(detector.placings) + detector.changes
  }

  private init(_ before: FileTree, _ after: FileTree) {
    self.before = before
    self.after = after
    self.unlike = UnlikeItems(before, after)
    guard !unlike.stamps.isEmpty else { return }
    before.walk { path, item in
      if unlike.stamps.contains(item.identity) { former[item.identity] = (path, item) }
      return true
    }
    findOriginals()
  }

  /// Finds where each stamped item is now: at its path, else by its inode number, else anywhere.
  private mutating func findOriginals() {
    var ranks: [UInt64: Int] = [:]
    after.walk { path, item in
      guard let known = former[item.identity] else { return true }
      let isSameInode = known.item.observation.inode == item.observation.inode
      let rank = path == known.path ? 3 : isSameInode ? 2 : 1
      if rank > ranks[item.identity, default: 0] {
        ranks[item.identity] = rank
        originals[item.identity] = path
      }
      return true
    }
  }

  private mutating func follow(_ item: FileTree.Item, at path: ContainerPath) {
    let formerPath = formerPath(of: path)
    if let same = before[formerPath], same.isSame(as: item) {
      return follow(item, at: path, from: (formerPath, same), isOriginal: true)
    }
    guard item.identity != 0, let known = former[item.identity] else {
      let isReplacement = before.contains(formerPath)
      if isReplacement { survivors.insert(formerPath) }
      changes.append(isReplacement ? .replaced(path) : .created(path))
      return noteMarks(on: item, at: path, before: nil)
    }
    follow(item, at: path, from: known, isOriginal: originals[item.identity] == path)
  }

  private mutating func follow(
    _ item: FileTree.Item, at path: ContainerPath, from known: Sighting, isOriginal: Bool
  ) {
    if isOriginal { survivors.insert(known.path) }
    if path != known.path { notePlace(path, Origin(known.path, isOriginal)) }
    let isSaved =
      isOriginal ? item.isSaved(since: known.item) : item.isOtherwiseSized(than: known.item)
    if isSaved { changes.append(.savedInPlace(path)) }
    noteMarks(on: item, at: path, before: known.item)
  }

  /// The path before of an item that stayed in its directory, wherever that went.
  private func formerPath(of path: ContainerPath) -> ContainerPath {
    guard let parent = path.parent, let origin = origins[parent], origin.isOriginal else {
      return path
    }
    return origin.path.appending(path.name)
  }

  /// Notes that an item is at another path, unless it went along with the directory it is in.
  private mutating func notePlace(_ path: ContainerPath, _ origin: Origin) {
    origins[path] = origin
    if let parent = path.parent, let along = origins[parent], along.isOriginal == origin.isOriginal,
      along.path.appending(path.name) == origin.path
    {
      return
    }
    placings.append(
      origin.isOriginal ? .moved(origin.path, to: path) : .copied(origin.path, to: path))
  }

  /// Notes the marks that were set or taken off, where both looks could see them.
  private mutating func noteMarks(
    on item: FileTree.Item, at path: ContainerPath, before known: FileTree.Item?
  ) {
    if item.isUnreadable || known?.isUnreadable == true { return }
    let marks = known?.marks ?? []
    for mark in ExclusionMark.all where item.marks.contains(mark) != marks.contains(mark) {
      changes.append(item.marks.contains(mark) ? .marked(path, mark) : .cleared(path, mark))
    }
  }

  /// Notes the topmost items that are gone; what is in an unreadable directory may be there still.
  private mutating func noteRemoved() {
    for (path, item) in unlike.former {
      item.walk(at: path) { path, _ in
        if let item = after[path] { return !item.isUnreadable }
        if survivors.contains(path) { return true }
        changes.append(.removed(path))
        return false
      }
    }
  }
}
