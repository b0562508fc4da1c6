import BackupFileTree
import CBackupFiles
import Foundation

/// Reads a container from disk into a ``FileTree``: one pass, two system calls for each item.
///
/// What cannot be read becomes an item that says why; only an unreadable container throws.
struct Scanner {
  /// Which items have an SQLite header looked for.
  enum HeaderReading {
    /// Only databases that have a `-wal`, `-shm` or `-journal` beside them: all that decisions need.
    case besideSiblings
    /// Every file; for comparing with a tree.
    case everyFile
  }

  /// The directory being read, or an item in it.
  private(set) var path: DiskPath
  /// How long the container's own path is.
  private let rootCount: Int
  /// Which items have a header looked for.
  let headers: HeaderReading
  /// How many components the items of the directory being read have.
  private var level = 0
  /// The names of the attributes of the item that was read last.
  private var attributes = AttributeNames()

  /// A scanner of one container.
  private init(_ root: DiskPath, _ headers: HeaderReading) {
    self.path = root
    self.rootCount = root.count
    self.headers = headers
  }

  /// Reads the container at a path.
  static func scan(
    _ root: DiskPath, headers: HeaderReading = .besideSiblings
  ) throws(SystemError) -> FileTree {
    var scanner = Scanner(root, headers)
    return FileTree(children: try scanner.readDirectory(named: root.count, in: AT_FDCWD))
  }

  /// Reads what is in the directory at `path`, which the last `nameCount` bytes name in `parent`.
  private mutating func readDirectory(
    named nameCount: Int, in parent: Int32
  ) throws(SystemError) -> FileTree.Children {
    level += 1
    defer { level -= 1 }
    let file = path.withEnd(nameCount) { openat(parent, $0, DirectoryStream.options) }
    return try DirectoryStream.withNames(in: file) { names throws(SystemError) in
      readItems(named: names.sorted { $0.precedesBytewise($1) }, in: file)
    }
  }

  /// Reads the items of the directory at `path`.
  private mutating func readItems(
    named names: [[UInt8]], in directory: Int32
  ) -> FileTree.Children {
    let count = path.count
    var entries: [FileTree.Children.Entry] = []
    entries.reserveCapacity(names.count)
    for name in names {
      path.append(name)
      if let item = readItem(named: name.count, in: directory) {
        entries.append(
          FileTree.Children.Entry(name: ContainerPath.Component(unchecked: name), item: item))
      }
      path.truncate(to: count)
    }
    markDatabases(in: &entries)
    return FileTree.Children(sorted: entries)
  }

  /// Reads the item at `path`; nil when it went away since its directory was read.
  private mutating func readItem(named nameCount: Int, in directory: Int32) -> FileTree.Item? {
    var item = FileTree.Item(.special)
    do throws(SystemError) {
      try read(&item, named: nameCount, in: directory)
    } catch {
      if error.number == ENOENT { return nil }
      item.kind = .unreadable(reason: error.description)
    }
    return item
  }

  /// Reads the status of the item at `path`, then what belongs to an item of its kind.
  private mutating func read(
    _ item: inout FileTree.Item, named nameCount: Int, in directory: Int32
  ) throws(SystemError) {
    var status = cfs_status()
    guard path.withEnd(nameCount, { cfs_status_in(directory, $0, &status) }) == 0 else {
      throw SystemError()
    }
    item.observation.inode = status.inode
    item.observation.modified = status.modified
    guard path.count - rootCount - 1 <= ContainerPath.longestPath,
      level <= ContainerPath.deepestPath
    else {
      throw SystemError(ENAMETOOLONG)
    }
    switch UInt32(status.kind) {
    case CFS_FILE.rawValue:
      item.kind = .file(FileTree.FileInformation(size: status.size))
    case CFS_DIRECTORY.rawValue:
      item.kind = .directory(try readDirectory(named: nameCount, in: directory))
    case CFS_LINK.rawValue:
      item.kind = .link(target: try path.linkTarget())
      return
    default:
      return
    }
    try readAttributes(of: &item)
  }

  /// Reads marks and the kit's stamp of the item at `path`; one call where it has no attributes.
  private mutating func readAttributes(of item: inout FileTree.Item) throws(SystemError) {
    guard try attributes.read(at: path.characters) else { return }
    for mark in ExclusionMark.all where attributes.contains(mark.attributeName) {
      item.marks.insert(mark)
    }
    if attributes.contains(IdentityStamp.attributeName) {
      item.observation.identity = try IdentityStamp.read(at: path.characters) ?? 0
    }
  }
}

extension DiskPath {
  /// Makes a system call with the last `count` bytes, ended by the NUL.
  fileprivate func withEnd(_ count: Int, _ call: (UnsafePointer<CChar>) -> Int32) -> Int32 {
    characters.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return -1 }
      return call(start + self.count - count)
    }
  }
}

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
