/// Derives what an app did to its files from two looks at the disk.
///
/// Items are known again by the kit's stamp (``FileTree/Observation/identity``), links by their path.
/// The order within an action cannot be seen: moves and copies come first, then what was made and
/// saved, then the marks.
struct ChangeDetector {
  /// Where each stamped item was, and as what.
  private var former: [UInt64: (path: ContainerPath, item: FileTree.Item)] = [:]
  /// The container before.
  private let before: FileTree
  /// Where each item went: for a moved one its path before, by its path now.
  private var sources: [ContainerPath: ContainerPath] = [:]
  /// The paths before of all items that are still there.
  private var survivors: Set<ContainerPath> = []
  /// What happened.
  private var changes: [ItemChange] = []

  /// Derives the changes from one look to the next.
  ///
  /// - Parameters:
  ///   - before: The container before, every item of it stamped.
  ///   - after: The container now; an item without a stamp is new.
  /// - Returns: The changes.
  static func changes(from before: FileTree, to after: FileTree) -> [ItemChange] {
    var detector = ChangeDetector(before)
    after.walk { path, item in
      detector.follow(item, at: path, in: after)
      return true
    }
    detector.noteRemoved(in: after)
    return detector.changes.filter(\.isPlacing) + detector.changes.filter { !$0.isPlacing }
  }

  /// Prepares to compare with a container.
  private init(_ before: FileTree) {
    self.before = before
    before.walk { path, item in
      if item.observation.identity != 0 { former[item.observation.identity] = (path, item) }
      return true
    }
  }

  /// Notes what happened to one item.
  private mutating func follow(_ item: FileTree.Item, at path: ContainerPath, in after: FileTree) {
    guard let known = known(item, at: path) else {
      changes.append(before.contains(path) ? .replaced(path) : .created(path))
      noteMarks(item.marks, [], path)
      return
    }
    let isOriginal = known.path == path || after[known.path]?.identity != item.identity
    if isOriginal { survivors.insert(known.path) }
    notePlace(path, cameFrom: known.path, isOriginal: isOriginal)
    if isOriginal, item.isSaved(since: known.item) { changes.append(.savedInPlace(path)) }
    noteMarks(item.marks, known.item.marks, path)
  }

  /// The item that this one was before, by its stamp; a link by its path and target.
  private func known(
    _ item: FileTree.Item, at path: ContainerPath
  ) -> (path: ContainerPath, item: FileTree.Item)? {
    if item.identity != 0 { return former[item.identity] }
    guard let same = before[path], same.identity == 0, same.kind == item.kind,
      same.observation.inode == item.observation.inode, !item.canBeStamped
    else { return nil }
    return (path, same)
  }

  /// Notes that an item is at another path, unless it went along with the directory it is in.
  private mutating func notePlace(
    _ path: ContainerPath, cameFrom source: ContainerPath, isOriginal: Bool
  ) {
    guard path != source else { return }
    sources[path] = source
    if let parent = path.parent, let parentSource = sources[parent],
      parentSource.appending(path.name) == source
    {
      return
    }
    changes.append(isOriginal ? .moved(source, to: path) : .copied(source, to: path))
  }

  /// Notes the marks that were set or taken off.
  private mutating func noteMarks(
    _ marks: ExclusionMark, _ former: ExclusionMark, _ path: ContainerPath
  ) {
    for mark in ExclusionMark.all where marks.contains(mark) != former.contains(mark) {
      changes.append(marks.contains(mark) ? .marked(path, mark) : .cleared(path, mark))
    }
  }

  /// Notes the topmost items that are gone.
  private mutating func noteRemoved(in after: FileTree) {
    before.walk { path, _ in
      if survivors.contains(path) || after.contains(path) { return true }
      changes.append(.removed(path))
      return false
    }
  }
}

extension FileTree.Item {
  /// The kit's stamp, 0 for none.
  var identity: UInt64 { observation.identity }

  /// Whether a stamp can be stored on such an item everywhere.
  var canBeStamped: Bool {
    switch kind {
    case .file, .directory: true
    case .link, .special, .unreadable: false
    }
  }

  /// Whether the same file was written to since.
  fileprivate func isSaved(since former: FileTree.Item) -> Bool {
    guard let size, let formerSize = former.size else { return false }
    return size != formerSize || observation.modified != former.observation.modified
  }
}

extension ItemChange {
  /// Whether it says where items are, which other changes build on.
  fileprivate var isPlacing: Bool {
    switch self {
    case .moved, .copied: true
    default: false
    }
  }
}
