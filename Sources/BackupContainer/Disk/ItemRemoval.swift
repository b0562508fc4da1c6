import BackupFileTree
import CBackupFiles
import Foundation

/// Removes an item with all in it, also from directories whose permissions forbid it.
///
/// The app's code may have nested directories deeper than any path reaches, or than a process has
/// descriptors for. So a directory that stands in the way is emptied into the topmost one, and four
/// descriptors are enough: of the directory above, the topmost one, the one that is emptied, and
/// one to read names.
struct ItemRemoval {
  private let top: Int32
  /// How many items were moved up so far, which names the next.
  private var movedCount = 0

  /// In how many rounds of emptying the directory something may come into it, all in all: who makes
  /// more than is removed meanwhile doubles the work of each.
  private static let mostDisturbances = 4
  /// How many rounds are made at most, each of which takes one level of directories away, and how
  /// many names are tried for one that is moved up.
  private static let mostRounds = 1_000_000

  /// Removes an item of an open directory; one that is gone is no error.
  static func remove(_ name: UnsafePointer<CChar>, in directory: Int32) throws(SystemError) {
    var left = mostDisturbances
    while left > 0 {
      if try removeEmpty(name, in: directory) { return }
      let top = try openDirectory(name, in: directory)
      defer { close(top) }
      var removal = ItemRemoval(top: top)
      left -= try removal.emptyTop(disturbedAtMost: left)
    }
    guard try removeEmpty(name, in: directory) else { throw SystemError(ENOTEMPTY) }
  }

  /// Removes all items in an open directory, unless others keep coming.
  ///
  /// - Throws: ``SystemError`` where something in it cannot be removed.
  static func removeItems(in directory: Int32) throws(SystemError) {
    var removal = ItemRemoval(top: directory)
    do throws(SystemError) {
      _ = try removal.emptyTop(disturbedAtMost: mostDisturbances)
    } catch {
      // The directory itself is gone.
      guard error.isMissingItem else { throw error }
    }
  }

  /// Removes a directory's items in it, unless others keep coming in more rounds than `most`;
  /// returns in how many they came. After the first round only those are there that were moved up
  /// in the one before.
  private mutating func emptyTop(disturbedAtMost most: Int) throws(SystemError) -> Int {
    var (disturbedCount, lastCount) = (0, 0)
    for _ in 0..<Self.mostRounds {
      let names = try Self.names(in: top)
      if names.isEmpty { return max(disturbedCount, 1) }
      if !names.allSatisfy({ Self.number(ofMoved: $0) > lastCount }) { disturbedCount += 1 }
      guard disturbedCount <= most else { return disturbedCount }
      lastCount = movedCount
      for name in names {
        if try Self.removeEmpty(name, in: top) { continue }
        try moveItemsUp(from: name)
        _ = try Self.removeEmpty(name, in: top)
      }
    }
    return most
  }

  /// Removes what is in a directory of the topmost one, or moves it up where it is not empty.
  private mutating func moveItemsUp(from name: [CChar]) throws(SystemError) {
    let directory = try Self.openDirectory(name, in: top)
    defer { close(directory) }
    for item in try Self.names(in: directory) where try !Self.removeEmpty(item, in: directory) {
      try moveUp(item, from: directory)
    }
  }

  /// What the name of what was moved up begins with; a number follows.
  private static let movedPrefix = "moved-up-"

  /// The number in the name of what was moved up; 0 for any other.
  private static func number(ofMoved name: [CChar]) -> Int {
    let name = String(decoding: name.dropLast().map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
    guard name.hasPrefix(movedPrefix) else { return 0 }
    return Int(name.dropFirst(movedPrefix.count)) ?? 0
  }

  /// Moves a directory into the topmost one, under a name that is free there.
  private mutating func moveUp(_ name: [CChar], from directory: Int32) throws(SystemError) {
    for _ in 0..<Self.mostRounds {
      movedCount += 1
      let free = Array("\(Self.movedPrefix)\(movedCount)".utf8CString)
      if renameat(directory, name, top, free) == 0 { return }
      switch errno {
      case EEXIST, ENOTEMPTY, ENOTDIR, EISDIR: continue
      case ENOENT: return
      case EACCES where cfs_set_permissions_in(directory, name, 0o700) == 0:
        guard renameat(directory, name, top, free) == 0 else { throw SystemError() }
        return
      default: throw SystemError()
      }
    }
    throw SystemError(ENOTEMPTY)
  }

  /// Removes a file, a link or an empty directory; false for a directory that is not empty.
  private static func removeEmpty(
    _ name: UnsafePointer<CChar>, in directory: Int32
  ) throws(SystemError) -> Bool {
    // An empty directory costs one call, and no other item is taken for one.
    if unlinkat(directory, name, AT_REMOVEDIR) == 0 || errno == ENOENT { return true }
    switch errno {
    case ENOTDIR:
      guard unlinkat(directory, name, 0) == 0 || errno == ENOENT else { throw SystemError() }
      return true
    case ENOTEMPTY, EEXIST: return false
    default: throw SystemError()
    }
  }

  /// Opens a directory of another, whose owner may do everything in it then.
  private static func openDirectory(
    _ name: UnsafePointer<CChar>, in directory: Int32
  ) throws(SystemError) -> Int32 {
    var status = cfs_status()
    guard cfs_status_in(directory, name, &status) == 0 else { throw SystemError() }
    if status.permissions & 0o700 != 0o700 {
      _ = cfs_set_permissions_in(directory, name, 0o700)
    }
    let opened = openat(directory, name, DirectoryNames.openOptions)
    guard opened >= 0 else { throw SystemError() }
    return opened
  }

  private static func names(in directory: Int32) throws(SystemError) -> [[CChar]] {
    lseek(directory, 0, SEEK_SET)
    let own = fcntl(directory, F_DUPFD_CLOEXEC, 0)
    return try DirectoryNames.read(in: own) { names throws(SystemError) in
      names.bytes.map { name in name.map(CChar.init(truncatingIfNeeded:)) + [0] }
    }
  }
}

extension ItemRemoval {
  /// Removes a directory that holds what is known; what is something else, or holds more, stays.
  static func removeKnown(
    _ children: FileTree.Children, of name: UnsafePointer<CChar>, in directory: Int32
  ) {
    if !children.isEmpty {
      let opened = openat(directory, name, DirectoryNames.openOptions)
      guard opened >= 0 else { return }
      defer { close(opened) }
      for entry in children.entries {
        let name = entry.name.bytes.map(CChar.init(truncatingIfNeeded:)) + [0]
        if entry.item.isDirectory {
          removeKnown(entry.item.children, of: name, in: opened)
        } else {
          unlinkat(opened, name, 0)
        }
      }
    }
    unlinkat(directory, name, AT_REMOVEDIR)
  }
}
