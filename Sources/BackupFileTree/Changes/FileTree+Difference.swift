import BackupCollections
import BackupDiagnostics

extension FileTree {
  /// Returns the first path, in the order of a walk, at which this tree and a snapshot of the disk
  /// differ. Returns nil if they do not differ.
  ///
  /// The kit reads a database's header for a snapshot only if it needs to. So it is no difference
  /// if a file is a database only in this tree.
  package func firstDifference(from snapshot: FileTree) -> ContainerPath? {
    children.firstDifference(from: snapshot.children, in: nil)
  }

  /// Returns the item at a path in words, such as `a file of 5 bytes, not marked`.
  package func words(for path: ContainerPath) -> String {
    guard let item = self[path] else { return "missing" }
    let kind =
      switch item.kind {
      case .file(let information): "a file of \(information.size.formattedExactSize)"
      case .directory: "a directory"
      case .link: "a link"
      case .special: "a socket, pipe or device"
      case .unreadable(let reason): "unreadable (\(reason))"
      }
    return "\(kind), \(item.attributes.words)"
  }

  /// Calls `visit` with each file that was added or removed, or whose size has changed, since an
  /// earlier tree. If the size has changed, calls `visit` twice: first with the size before and
  /// `isNow` false, then with the size in this tree and `isNow` true.
  ///
  /// Only the items at `places`, and all items in them, may differ. If `places` is nil, all items
  /// may differ.
  package func forEachFile(
    changedSince before: FileTree, in places: [ContainerPath]? = nil,
    _ visit: (_ path: ContainerPath, _ size: Int64, _ isNow: Bool) -> Void
  ) {
    guard let places else {
      return children.visitFiles(changedSince: before.children, in: nil, visit)
    }
    var lastPlace: ContainerPath?
    for place in places.sorted(by: { $0.precedesInWalk($1) })
    where lastPlace?.covers(place) != true {
      lastPlace = place
      Item.visitFiles(from: before[place], to: self[place], at: place, visit)
    }
  }

  /// Returns true if this tree has each file of another tree, with the same contents. Contents with
  /// an unknown checksum count as different.
  package func holdsFiles(of other: FileTree) -> Bool { children.holdFiles(of: other.children) }

  /// Returns the files of both trees, except files in storage that the trees share. All files that
  /// differ are in the result. Equal files may be in it too.
  package func filesNotShared(with other: FileTree) -> Set<ContainerPath> {
    var files: Set<ContainerPath> = []
    children.insertFiles(notSharedWith: other.children, in: nil, into: &files)
    return files
  }
}

extension FileTree.Children {
  /// Returns the first path at which this directory and a snapshot of it differ.
  fileprivate func firstDifference(
    from snapshot: FileTree.Children, in directory: ContainerPath?
  ) -> ContainerPath? {
    let (ownEntries, snapshotEntries) = (list, snapshot.list)
    for (entry, other) in zip(ownEntries, snapshotEntries) {
      let name = min(entry.name, other.name)
      let path = ContainerPath(name, in: directory)
      guard entry.name == other.name, entry.item.matches(snapshot: other.item) else { return path }
      let inner = entry.item.children.firstDifference(from: other.item.children, in: path)
      if let inner { return inner }
    }
    let unpairedEntries =
      ownEntries.count > snapshotEntries.count
      ? ownEntries[snapshotEntries.count...] : snapshotEntries[ownEntries.count...]
    return unpairedEntries.first.map { ContainerPath($0.name, in: directory) }
  }

  fileprivate func holdFiles(of other: FileTree.Children) -> Bool {
    if list.isIdentical(to: other.list) { return true }
    let (ownEntries, otherEntries) = list.elementsNotShared(with: other.list)
    var remaining = ownEntries[...]
    return otherEntries.allSatisfy { entry in
      remaining = remaining.drop { $0.name < entry.name }
      let item = remaining.first?.name == entry.name ? remaining.first?.item : nil
      switch (item?.kind, entry.item.kind) {
      case (.file(let mine), .file(let theirs)):
        return mine.size == theirs.size && mine.contents.isKnown && mine.contents == theirs.contents
      case (_, .file): return false
      case (.directory(let mine), .directory(let theirs)): return mine.holdFiles(of: theirs)
      case (_, .directory(let theirs)): return FileTree.Children().holdFiles(of: theirs)
      default: return true
      }
    }
  }

  /// Calls `visit` as ``FileTree/forEachFile(changedSince:in:_:)`` does, for a directory.
  fileprivate func visitFiles(
    changedSince before: FileTree.Children, in directory: ContainerPath?,
    _ visit: (ContainerPath, Int64, Bool) -> Void
  ) {
    forEachDifference(from: before) { name, former, now in
      FileTree.Item.visitFiles(
        from: former, to: now, at: ContainerPath(name, in: directory), visit)
    }
  }

  fileprivate func insertFiles(
    notSharedWith other: FileTree.Children, in directory: ContainerPath?,
    into files: inout Set<ContainerPath>
  ) {
    forEachDifference(from: other) { name, former, now in
      let path = ContainerPath(name, in: directory)
      if case .directory(let former) = former?.kind, case .directory(let now) = now?.kind {
        now.insertFiles(notSharedWith: former, in: path, into: &files)
        return
      }
      for item in [former, now] { item?.walkFiles(at: path) { path, _ in files.insert(path) } }
    }
  }

  /// Calls `body` for each name in this directory or in an earlier version of it, in order. Passes
  /// the item before and now. Leaves out entries in storage that both versions share.
  package func forEachDifference(
    from before: FileTree.Children,
    _ body: (ContainerPath.Component, _ before: FileTree.Item?, _ now: FileTree.Item?) -> Void
  ) {
    let (currentEntries, formerEntries) = list.elementsNotShared(with: before.list)
    var remaining = formerEntries[...]
    for entry in currentEntries {
      while let other = remaining.first, other.name < entry.name {
        body(other.name, other.item, nil)
        remaining.removeFirst()
      }
      let former = remaining.first?.name == entry.name ? remaining.removeFirst().item : nil
      body(entry.name, former, entry.item)
    }
    for other in remaining { body(other.name, other.item, nil) }
  }
}

extension FileTree.Item {
  /// Returns true if this item and `other`, from a snapshot, do not differ. Does not compare the
  /// items in a directory.
  fileprivate func matches(snapshot other: FileTree.Item) -> Bool {
    guard attributes == other.attributes else { return false }
    switch (kind, other.kind) {
    case (.directory, .directory): return true
    case (.file(let mine), .file(let theirs)):
      return mine.size == theirs.size && (mine.isDatabase || !theirs.isDatabase)
    default: return kind == other.kind
    }
  }

  /// Calls `visit` as ``FileTree/forEachFile(changedSince:in:_:)`` does, for the items at a path
  /// before and now. An item that does not exist is nil.
  fileprivate static func visitFiles(
    from before: FileTree.Item?, to now: FileTree.Item?, at path: ContainerPath,
    _ visit: (ContainerPath, Int64, Bool) -> Void
  ) {
    switch (before?.kind, now?.kind) {
    case (.file(let old), .file(let new)) where old.size == new.size: return
    case (.directory(let old), .directory(let new)):
      new.visitFiles(changedSince: old, in: path, visit)
    default:
      before?.walkFiles(at: path) { visit($0, $1, false) }
      now?.walkFiles(at: path) { visit($0, $1, true) }
    }
  }

  fileprivate func walkFiles(at path: ContainerPath, _ visit: (ContainerPath, Int64) -> Void) {
    forEachItem(at: path) { path, item in
      if let size = item.size { visit(path, size) }
    }
  }
}
