import BackupFileTree
import Foundation

extension Scanner {
  /// Looks for SQLite headers in the files that may need one.
  func markDatabases(in entries: inout [FileTree.Children.Entry]) {
    guard headers == .everyFile || entries.contains(where: { $0.name.isDatabaseSibling }) else {
      return
    }
    let siblings = Set(entries.compactMap { $0.name.databaseName })
    for index in entries.indices {
      guard case .file(var information) = entries[index].item.kind,
        headers == .everyFile || siblings.contains(entries[index].name)
      else { continue }
      let file = path.appending(entries[index].name.bytes)
      information.isDatabase = file.startsWith(FileOperation.Contents.databaseHeader)
      entries[index].item.kind = .file(information)
    }
  }
}

extension DiskPath {
  /// Whether the file begins with these bytes; false where it cannot be read.
  fileprivate func startsWith(_ bytes: [UInt8]) -> Bool {
    let isEqual = try? withFile(O_RDONLY | O_NONBLOCK) { file throws(SystemError) in
      var start = [UInt8](repeating: 0, count: bytes.count)
      return read(file, &start, start.count) == bytes.count && start == bytes
    }
    return isEqual ?? false
  }
}
