import BackupCollections
import BackupDiagnostics

extension FileTree {
  /// Returns the first path, in the order of a walk, at which this tree and a snapshot of the disk
  /// differ. Returns nil if they do not differ.
  ///
  /// For a snapshot, the kit reads the header of a database only if necessary. So a file that is a
  /// database only in this tree is no difference.
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
  /// `isCurrentSize` false, then with the size in this tree and `isCurrentSize` true.
  ///
  /// Compares only the items at `paths`, and all items in them. If `paths` is nil, compares all
  /// items.
  package func forEachFile(
    changedSince before: FileTree, in paths: [ContainerPath]? = nil,
    _ visit: (_ path: ContainerPath, _ size: Int64, _ isCurrentSize: Bool) -> Void
  ) {
    guard let paths else {
      return children.visitFiles(changedSince: before.children, in: nil, visit)
    }
    var lastPath: ContainerPath?
    for path in paths.sorted(by: { $0.precedesInWalk($1) })
    where lastPath?.covers(path) != true {
      lastPath = path
      Item.visitFiles(from: before[path], to: self[path], at: path, visit)
    }
  }

  /// Returns true if this tree has each file of another tree, with the same contents. Contents with
  /// an unknown checksum count as different.
  package func containsAllFiles(of other: FileTree) -> Bool {
    children.holdFiles(of: other.children)
  }

  /// Returns the paths of the files in both trees, except files in storage that the trees share.
  /// All files that differ are in the result. Equal files may be in it too.
  package func unsharedFilePaths(with other: FileTree) -> Set<ContainerPath> {
    var paths: Set<ContainerPath> = []
    children.insertFiles(notSharedWith: other.children, in: nil, into: &paths)
    return paths
  }
}

extension FileTree.Children {
  /// Returns the first path at which this directory and a snapshot of it differ.
  fileprivate func firstDifference(
    from snapshot: FileTree.Children, in directory: ContainerPath?
  ) -> ContainerPath? {
    let (ownEntries, snapshotEntries) = (chunkedEntries, snapshot.chunkedEntries)
    for (entry, snapshotEntry) in zip(ownEntries, snapshotEntries) {
      let name = min(entry.name, snapshotEntry.name)
      let path = ContainerPath(name, in: directory)
      guard entry.name == snapshotEntry.name, entry.item.matches(snapshot: snapshotEntry.item)
      else { return path }
      let innerDifference = entry.item.children.firstDifference(
        from: snapshotEntry.item.children, in: path)
      if let innerDifference { return innerDifference }
    }
    let unpairedEntries =
      ownEntries.count > snapshotEntries.count
      ? ownEntries[snapshotEntries.count...] : snapshotEntries[ownEntries.count...]
    return unpairedEntries.first.map { ContainerPath($0.name, in: directory) }
  }

  fileprivate func holdFiles(of other: FileTree.Children) -> Bool {
    if chunkedEntries.isIdentical(to: other.chunkedEntries) { return true }
    let (ownEntries, otherEntries) = chunkedEntries.elementsNotShared(with: other.chunkedEntries)
    var remainingEntries = ownEntries[...]
    return otherEntries.allSatisfy { entry in
      remainingEntries = remainingEntries.drop { $0.name < entry.name }
      let item = remainingEntries.first?.name == entry.name ? remainingEntries.first?.item : nil
      switch (item?.kind, entry.item.kind) {
      case (.file(let ownFile), .file(let otherFile)):
        return ownFile.size == otherFile.size && ownFile.checksum.isKnown
          && ownFile.checksum == otherFile.checksum
      case (_, .file): return false
      case (.directory(let ownChildren), .directory(let otherChildren)):
        return ownChildren.holdFiles(of: otherChildren)
      case (_, .directory(let otherChildren)):
        return FileTree.Children().holdFiles(of: otherChildren)
      default: return true
      }
    }
  }

  /// Calls `visit` as ``FileTree/forEachFile(changedSince:in:_:)`` does, for a directory.
  fileprivate func visitFiles(
    changedSince before: FileTree.Children, in directory: ContainerPath?,
    _ visit: (ContainerPath, Int64, Bool) -> Void
  ) {
    forEachDifference(from: before) { name, formerItem, currentItem in
      FileTree.Item.visitFiles(
        from: formerItem, to: currentItem, at: ContainerPath(name, in: directory), visit)
    }
  }

  fileprivate func insertFiles(
    notSharedWith other: FileTree.Children, in directory: ContainerPath?,
    into paths: inout Set<ContainerPath>
  ) {
    forEachDifference(from: other) { name, formerItem, currentItem in
      let path = ContainerPath(name, in: directory)
      if case .directory(let formerChildren) = formerItem?.kind,
        case .directory(let currentChildren) = currentItem?.kind
      {
        currentChildren.insertFiles(notSharedWith: formerChildren, in: path, into: &paths)
        return
      }
      for item in [formerItem, currentItem] {
        item?.walkFiles(at: path) { path, _ in paths.insert(path) }
      }
    }
  }

  /// Calls `body` for each name in this directory or in an earlier version of it, in order. Passes
  /// the item before and now, each of which may be nil. Leaves out entries in storage that both
  /// versions share.
  package func forEachDifference(
    from before: FileTree.Children,
    _ body: (ContainerPath.Component, _ formerItem: FileTree.Item?, _ currentItem: FileTree.Item?)
      -> Void
  ) {
    let (currentEntries, formerEntries) = chunkedEntries.elementsNotShared(
      with: before.chunkedEntries)
    var remainingEntries = formerEntries[...]
    for entry in currentEntries {
      while let formerEntry = remainingEntries.first, formerEntry.name < entry.name {
        body(formerEntry.name, formerEntry.item, nil)
        remainingEntries.removeFirst()
      }
      let formerItem =
        remainingEntries.first?.name == entry.name ? remainingEntries.removeFirst().item : nil
      body(entry.name, formerItem, entry.item)
    }
    for formerEntry in remainingEntries { body(formerEntry.name, formerEntry.item, nil) }
  }
}

extension FileTree.Item {
  /// Returns true if this item and `other`, from a snapshot, do not differ. Does not compare the
  /// items in a directory.
  fileprivate func matches(snapshot other: FileTree.Item) -> Bool {
    guard attributes == other.attributes else { return false }
    switch (kind, other.kind) {
    case (.directory, .directory): return true
    case (.file(let ownFile), .file(let otherFile)):
      return ownFile.size == otherFile.size && (ownFile.isDatabase || !otherFile.isDatabase)
    default: return kind == other.kind
    }
  }

  /// Calls `visit` as ``FileTree/forEachFile(changedSince:in:_:)`` does, for the items at a path
  /// before and now. An item that does not exist is nil.
  fileprivate static func visitFiles(
    from formerItem: FileTree.Item?, to currentItem: FileTree.Item?, at path: ContainerPath,
    _ visit: (ContainerPath, Int64, Bool) -> Void
  ) {
    switch (formerItem?.kind, currentItem?.kind) {
    case (.file(let formerFile), .file(let currentFile))
    where formerFile.size == currentFile.size: return
    case (.directory(let formerChildren), .directory(let currentChildren)):
      currentChildren.visitFiles(changedSince: formerChildren, in: path, visit)
    default:
      formerItem?.walkFiles(at: path) { visit($0, $1, false) }
      currentItem?.walkFiles(at: path) { visit($0, $1, true) }
    }
  }

  fileprivate func walkFiles(at path: ContainerPath, _ visit: (ContainerPath, Int64) -> Void) {
    forEachItem(at: path) { path, item in
      if let size = item.size { visit(path, size) }
    }
  }
}
