import BackupCollections

extension FileTree {
  /// Calls `visit` with each file that differs between this tree and an earlier one, and with its
  /// size in bytes, now or before. Skips directories whose contents both trees share. `places` are
  /// the only items that may differ; none is inside another.
  package func forEachFile(
    changedSince before: FileTree, in places: [ContainerPath]? = nil,
    _ visit: (_ path: ContainerPath, _ size: Int64, _ isNow: Bool) -> Void
  ) {
    guard let places else {
      return children.visitFiles(changedSince: before.children, in: nil, visit)
    }
    for place in places {
      Item.visitFiles(from: before[place], to: self[place], at: place, visit)
    }
  }
}

extension FileTree.Children {
  /// Compares what is in one directory, whose entries are in the same order in both.
  fileprivate func visitFiles(
    changedSince before: FileTree.Children, in directory: ContainerPath?,
    _ visit: (ContainerPath, Int64, Bool) -> Void
  ) {
    guard !list.isIdentical(to: before.list) else { return }
    var rest = before.entries[...]
    for entry in list {
      while let other = rest.first, other.name != entry.name, other.name < entry.name {
        FileTree.Item.visitFiles(
          from: other.item, to: nil, at: ContainerPath(other.name, in: directory), visit)
        rest.removeFirst()
      }
      let former = rest.first?.name == entry.name ? rest.removeFirst().item : nil
      FileTree.Item.visitFiles(
        from: former, to: entry.item, at: ContainerPath(entry.name, in: directory), visit)
    }
    for other in rest {
      FileTree.Item.visitFiles(
        from: other.item, to: nil, at: ContainerPath(other.name, in: directory), visit)
    }
  }
}

extension FileTree.Item {
  /// Compares what was at a path with what is there now; nil for nothing.
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

  /// Calls `visit` with each file in this item, or with this file itself.
  private func walkFiles(at path: ContainerPath, _ visit: (ContainerPath, Int64) -> Void) {
    walk(at: path) { path, item in
      if let size = item.size { visit(path, size) }
      return true
    }
  }
}
