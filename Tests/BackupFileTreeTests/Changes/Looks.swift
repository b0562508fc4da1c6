import TreeSupport

@testable import BackupFileTree

/// What happened from one look to the next.
func changes(
  _ before: KeyValuePairs<ContainerPath, FileTree.Item>,
  _ after: KeyValuePairs<ContainerPath, FileTree.Item>
) -> [FileTree.Change] {
  ChangeDetector.changes(from: FileTree(looking: before), to: FileTree(looking: after))
}

extension FileTree {
  /// A container as a look at the disk finds it, parents before what is in them.
  init(looking items: KeyValuePairs<ContainerPath, Item>) {
    self.init()
    for (path, item) in items { insert(item, at: path) }
  }
}

extension FileTree.Item {
  /// A file with a stamp, 0 for a new one; its inode number follows from that.
  static func file(
    _ identity: UInt64, size: Int64 = 1, modified: Int64 = 1, inode: UInt64? = nil,
    _ marks: ExclusionMark = []
  ) -> FileTree.Item {
    var item = FileTree.Item(.file(FileTree.FileInformation(size: size)), marks: marks)
    item.observation.identity = identity
    item.observation.inode = inode ?? identity
    item.observation.modified = modified
    return item
  }

  /// A directory with a stamp, 0 for a new one.
  static func directory(
    _ identity: UInt64, inode: UInt64? = nil, _ marks: ExclusionMark = []
  ) -> FileTree.Item {
    var item = FileTree.Item(.directory(FileTree.Children()), marks: marks)
    item.observation.identity = identity
    item.observation.inode = inode ?? identity
    return item
  }

  /// A link, which bears no stamp.
  static func link(_ target: String, inode: UInt64) -> FileTree.Item {
    var item = FileTree.Item(.link(target: Array(target.utf8)))
    item.observation.inode = inode
    return item
  }

  /// An item that cannot be read.
  static func unreadable(inode: UInt64) -> FileTree.Item {
    var item = FileTree.Item(.unreadable(reason: "Permission denied"))
    item.observation.inode = inode
    return item
  }
}
