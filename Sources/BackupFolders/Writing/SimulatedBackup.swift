package import BackupDevice
package import BackupFileTree

/// A backup that the kit took, as a folder holds it: what is said of each item, by domain.
package struct SimulatedBackup: Sendable {
  /// An item by where it is in its domain, empty for the container itself, and by its path in the
  /// tree, nil for the app's own container.
  package typealias Item = (
    domain: BackupDomain, relativePath: [UInt8], path: ContainerPath?, record: BackupRecord
  )

  /// The items, of each domain the container first, then a directory before what is in it.
  package private(set) var items: [Item] = []

  /// The items that a backup holds of a tree.
  package init(_ set: BackupSet, of tree: FileTree, app: String) {
    for name in tree.containerNames {
      let domain = BackupDomain(name, of: app)
      let included = set.decisions.filter { $0.isIncluded && $0.path.containerName == name }
      guard !included.isEmpty else { continue }
      if name == nil { add(FileTree.Item(.directory(tree.children)), at: nil, in: domain) }
      for decision in included {
        guard let item = tree[decision.path] else { continue }
        add(item, at: decision.path, in: domain)
      }
    }
  }

  private mutating func add(_ item: FileTree.Item, at path: ContainerPath?, in domain: BackupDomain)
  {
    guard let kind = BackupRecord.Kind(item.kind) else { return }
    var record = BackupRecord(kind)
    record.modified = item.observation.modified / 1_000_000_000
    record.inode = UInt64(items.count + 1)
    record.marks = item.marks
    items.append((domain, path.map(BackupDomain.relativePath) ?? [], path, record))
  }
}

extension BackupRecord.Kind {
  /// What a manifest says of an item's kind; nil for what no backup holds.
  init?(_ kind: FileTree.Kind) {
    switch kind {
    case .file(let information): self = .file(size: information.size)
    case .directory: self = .directory
    case .link(let target): self = .link(target: target)
    case .special, .unreadable: return nil
    }
  }
}
