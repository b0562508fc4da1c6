import BackupCollections
import BackupDiagnostics

extension FileTree {
  /// The first path, in the order of a walk, at which a snapshot of the disk differs from this
  /// tree; nil if both agree.
  ///
  /// A snapshot reads a database's header only if a decision needs it, so a file that it does not
  /// take for a database is not a difference.
  package func firstDifference(from found: FileTree) -> ContainerPath? {
    children.firstDifference(from: found.children, in: nil)
  }

  /// What is at a path, in a few words: `a file of 5 bytes, marked`.
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
    return kind + (item.marks.isEmpty ? ", not marked" : ", marked with the \(item.marks)")
  }
}

extension FileTree.Children {
  /// The first path at which a look at the same directory finds something else.
  fileprivate func firstDifference(
    from found: FileTree.Children, in directory: ContainerPath?
  ) -> ContainerPath? {
    let (mine, theirs) = (list, found.list)
    for (entry, other) in zip(mine, theirs) {
      let name = min(entry.name, other.name)
      let path = ContainerPath(name, in: directory)
      guard entry.name == other.name, entry.item.isFound(as: other.item) else { return path }
      let inner = entry.item.children.firstDifference(from: other.item.children, in: path)
      if let inner { return inner }
    }
    let rest = mine.count > theirs.count ? mine[theirs.count...] : theirs[mine.count...]
    return rest.first.map { ContainerPath($0.name, in: directory) }
  }
}

extension FileTree.Item {
  /// Whether a look at the disk finds this very item, leaving out what is in a directory.
  fileprivate func isFound(as other: FileTree.Item) -> Bool {
    guard marks == other.marks else { return false }
    switch (kind, other.kind) {
    case (.directory, .directory): return true
    case (.file(let mine), .file(let theirs)):
      return mine.size == theirs.size && (mine.isDatabase || !theirs.isDatabase)
    default: return kind == other.kind
    }
  }
}
