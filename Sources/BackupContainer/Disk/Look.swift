package import BackupFileTree
import CBackupFiles

/// What a look at a container found, and when it began.
///
/// The next look need not read the attributes of what has not changed since: of an item with the
/// same name, inode number and date of change, where that date is before this look began. What is
/// dated later may have changed again while the clock stood still, and is read.
package struct Look: Sendable {
  package let tree: FileTree
  /// When the look began, by the file system's clock; nothing is known of a look where it is nil.
  let moment: Int64?

  /// Whether an item that a later look comes upon under the same name has not changed since.
  func holds(_ item: FileTree.Item, as status: cfs_status) -> Bool {
    guard let moment, !item.isUnreadable else { return false }
    return item.observation.inode == status.inode && item.observation.changed == status.changed
      && status.changed < moment
  }
}
