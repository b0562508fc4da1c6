import TreeSupport

@testable import BackupFileTree

/// Returns the changes between two scans.
func changes(
  _ before: KeyValuePairs<ContainerPath, FileTree.Item>,
  _ after: KeyValuePairs<ContainerPath, FileTree.Item>
) -> [FileTree.Change] {
  ChangeDetector.changes(from: FileTree(scanned: before), to: FileTree(scanned: after))
}

extension FileTree {
  /// Creates a tree as a scan finds it. Directories must come before their contents.
  init(scanned items: KeyValuePairs<ContainerPath, Item>) {
    self.init()
    for (path, item) in items { insert(item, at: path) }
  }
}

extension FileTree.Item {
  /// Returns a file with a stamp; 0 for a new file. By default, the inode number equals the stamp.
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

  /// Returns a directory with a stamp; 0 for a new directory.
  static func directory(
    _ identity: UInt64, inode: UInt64? = nil, _ marks: ExclusionMark = []
  ) -> FileTree.Item {
    var item = FileTree.Item(.directory(FileTree.Children()), marks: marks)
    item.observation.identity = identity
    item.observation.inode = inode ?? identity
    return item
  }

  /// Returns a link. Links have no stamps.
  static func link(_ target: String, inode: UInt64) -> FileTree.Item {
    var item = FileTree.Item(.link(target: Array(target.utf8)))
    item.observation.inode = inode
    return item
  }

  /// Returns an item that cannot be read.
  static func unreadable(inode: UInt64) -> FileTree.Item {
    var item = FileTree.Item(.unreadable(reason: "Permission denied"))
    item.observation.inode = inode
    return item
  }
}
