import BackupFileTree
import CBackupFiles
import Foundation

/// What a look at a container found, and when it began.
///
/// The next look need not read the attributes of what has not changed since: of an item with the
/// same name, inode number and date of change, where that date is before this look began. What is
/// dated later may have changed again while the clock stood still, and is read.
struct Look: Sendable {
  /// The container.
  let tree: FileTree
  /// When the look began, by the file system's clock; nothing is known of a look where it is nil.
  let moment: Int64?

  /// Whether an item that a later look comes upon under the same name has not changed since.
  func holds(_ item: FileTree.Item, as status: cfs_status) -> Bool {
    guard let moment, !item.isUnreadable else { return false }
    return item.observation.inode == status.inode && item.observation.changed == status.changed
      && status.changed < moment
  }
}

extension FileClock {
  /// What was found out so far of the file systems of folders.
  private static let known = Locked<[URL: Bool]>([:])

  /// The time by the file system's clock, in nanoseconds since 1970; nil where it cannot be read or
  /// a change of attributes is not dated, so that no date says that nothing changed.
  ///
  /// - Parameter device: A folder that nobody else looks at.
  /// - Returns: The date that a file made now bears.
  static func now(in device: URL) -> Int64? {
    let isDated = known.withLock { known in
      let parent = device.deletingLastPathComponent()
      if let isDated = known[parent] { return isDated }
      let isDated = datesAttributes(in: device)
      known[parent] = isDated
      return isDated
    }
    return isDated ? reading(in: device) : nil
  }

  /// Tries whether a mark that is set changes an item's date of change.
  private static func datesAttributes(in device: URL) -> Bool {
    let probe = DiskPath(device).appending(Array("dated".utf8))
    defer { unlink(probe.characters) }
    guard (try? probe.write(.bytes([0]), options: O_EXCL)) != nil,
      let before = try? probe.status()?.changed
    else { return false }
    waitUntilPast(before, in: device)
    guard (try? probe.setMark(.resourceValue, true)) != nil,
      let after = try? probe.status()?.changed
    else { return false }
    return after > before
  }
}
