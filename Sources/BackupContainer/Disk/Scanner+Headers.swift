import BackupFileTree
import CBackupFiles
import Foundation

extension Scanner {
  /// Looks for SQLite headers in the files that may need one.
  func markDatabases(
    in entries: inout [FileTree.Children.Entry], of directory: Int32
  ) throws(SystemError) {
    guard readsAllHeaders || entries.contains(where: { $0.name.isDatabaseSibling }) else {
      return
    }
    let siblings = Set(entries.compactMap { $0.name.databaseName })
    for index in entries.indices {
      guard case .file(var information) = entries[index].item.kind,
        readsAllHeaders || siblings.contains(entries[index].name)
      else { continue }
      information.isDatabase = try directory.holds(
        entries[index].name, beginningWith: FileOperation.Contents.databaseHeader)
      entries[index].item.kind = .file(information)
    }
  }
}

extension Int32 {
  /// Whether a file of this open directory begins with these bytes; false if it may not be read
  /// or has gone.
  fileprivate func holds(
    _ name: ContainerPath.Component, beginningWith bytes: [UInt8]
  ) throws(SystemError) -> Bool {
    let characters = name.bytes.map(CChar.init(truncatingIfNeeded:)) + [0]
    let file = openat(self, characters, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else {
      let error = SystemError()
      if error.isMachineFault { throw error }
      return false
    }
    defer { close(file) }
    var start = [UInt8](repeating: 0, count: bytes.count)
    let count = read(file, &start, start.count)
    guard count >= 0 else { throw SystemError() }
    return count == bytes.count && start == bytes
  }
}
