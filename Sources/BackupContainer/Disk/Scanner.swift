package import BackupFileTree
import CBackupFiles
import Foundation

/// Reads a container from disk into a ``FileTree``.
///
/// The scanner makes two system calls for each item, or one for a file that has not changed since
/// an earlier snapshot. An item that cannot be read has the kind `unreadable`. Only an unreadable
/// container is an error.
struct Scanner {
  /// The path of the directory that is being read.
  private(set) var path: DiskPath
  /// The number of bytes in `path` that do not belong to a path in the tree.
  private let treePathOffset: Int
  struct Options: OptionSet {
    let rawValue: UInt8

    /// Looks for the header of SQLite in every file. Use this option to compare the result with
    /// another tree. Without this option, the scanner reads only files beside a `-wal`, `-shm` or
    /// `-journal`. Simulators and rules need only these headers.
    static let allHeaders = Options(rawValue: 1)
    /// Reads attributes by path, as on kernels without calls that take a descriptor and a name.
    static let attributesByPath = Options(rawValue: 2)
  }

  private let options: Options
  /// The number of components in the paths of the items that are being read.
  private var depth = 0
  /// The names of the attributes of the item that was read last.
  private var attributeNames = AttributeNames()

  /// An earlier snapshot. Items that have not changed since are reused.
  private let snapshot: ContainerSnapshot?

  /// Reads the containers of a device into one tree. Items that have not changed since the snapshot
  /// are reused.
  static func scan(
    _ roots: ContainerRoots, _ options: Options = [], reusing snapshot: ContainerSnapshot? = nil
  ) throws(SystemError) -> FileTree {
    var scanner = Scanner(
      path: roots.appContainer, treePathOffset: roots.appContainer.byteCount, options: options,
      snapshot: snapshot)
    let descriptor = try roots.appContainer.openDirectory()
    var tree = FileTree(children: try scanner.readDirectory(descriptor, snapshot?.tree.children))
    guard !tree.children.chunkedEntries.contains(where: \.name.isContainer) else {
      throw Self.reservedNameError
    }
    for (name, root) in roots.otherContainers {
      let path = ContainerPath(name)
      var scanner = Scanner(
        path: root, treePathOffset: root.byteCount - name.count - 1, options: options,
        snapshot: snapshot)
      tree.insert(try scanner.readContainer(snapshot?.tree[path]), at: path)
    }
    return tree
  }

  /// Reads the items in any container, such as one that the kit did not create.
  /// `pathPrefixLength` is the number of bytes that precede the items' paths in the tree, for
  /// example those of `group.x:/`.
  static func scanItems(
    of root: DiskPath, pathPrefixLength: Int
  ) throws(SystemError) -> FileTree.Children {
    var scanner = Scanner(
      path: root, treePathOffset: root.byteCount - pathPrefixLength, options: [],
      depth: pathPrefixLength > 0 ? 1 : 0, snapshot: nil)
    return try scanner.readDirectory(try root.openDirectory(), nil)
  }

  /// The error if an item in the app's own container has a name that is reserved for another
  /// container, such as `group.x:`.
  static let reservedNameError = SystemError(EEXIST)

  private mutating func readContainer(
    _ formerItem: FileTree.Item?
  ) throws(SystemError) -> FileTree.Item {
    depth = 1
    var item = FileTree.Item(.special)
    let directory = path
    try directory.inDirectory { parent, name throws(SystemError) in
      var status = cfs_status()
      guard cfs_status_in(parent, name, &status) == 0 else { throw SystemError() }
      guard status.isDirectory else { throw SystemError(ENOTDIR) }
      item.observe(status)
      item.kind = .directory(
        try readDirectory(openat(parent, name, DirectoryNames.openOptions), formerItem?.children))
      // The attributes are those of the container itself, so `path` must be its parent directory.
      path = directory.parent
      defer { path = directory }
      try readAttributes(of: &item, name, in: parent)
    }
    return item
  }

  /// Reads the items in the directory at `path`. `descriptor` is the result of opening it, which
  /// may be -1.
  private mutating func readDirectory(
    _ descriptor: Int32, _ formerChildren: FileTree.Children?
  ) throws(SystemError) -> FileTree.Children {
    depth += 1
    defer { depth -= 1 }
    return try DirectoryNames.read(in: descriptor) { names throws(SystemError) in
      try readItems(names, in: descriptor, formerChildren)
    }
  }

  private mutating func readItems(
    _ names: DirectoryNames, in directory: Int32, _ formerChildren: FileTree.Children?
  ) throws(SystemError) -> FileTree.Children {
    var entries: [FileTree.Children.Entry] = []
    entries.reserveCapacity(names.count)
    let formerEntries = formerChildren?.entries ?? []
    var index = 0
    try names.forEach { name throws(SystemError) in
      while index < formerEntries.count, formerEntries[index].name < name.component { index += 1 }
      let isInSnapshot = index < formerEntries.count && formerEntries[index].name == name.component
      entries.append(
        FileTree.Children.Entry(
          name: name.component,
          item: isInSnapshot ? formerEntries[index].item : FileTree.Item(.special)))
      if try !readItem(&entries[entries.count - 1].item, name, in: directory) {
        entries.removeLast()
      }
    }
    try setDatabaseFlags(in: &entries, of: directory)
    return FileTree.Children(sorted: entries)
  }

  /// The maximum number of attempts to read an item that is replaced during each attempt.
  private static let readAttemptLimit = 10

  /// Reads an item in a directory. Returns false if the item has gone since its directory was read.
  ///
  /// At first, `item` is the item in the earlier snapshot, or a special item if the snapshot lacks
  /// the name. `item` becomes `unreadable` if the permissions forbid reading it, or if the path is
  /// too long or too deep. If another kind of item takes the item's place between two calls, that
  /// item is read. Throws any other error, because the machine is at fault.
  private mutating func readItem(
    _ item: inout FileTree.Item, _ name: DirectoryNames.Name, in directory: Int32
  ) throws(SystemError) -> Bool {
    for _ in 0..<Self.readAttemptLimit {
      var status = cfs_status()
      do throws(SystemError) {
        try read(&item, name, &status, in: directory)
        return true
      } catch {
        switch error.number {
        case ENOENT: return false
        case EACCES where status.forbidsReading, EPERM where status.forbidsReading, ENAMETOOLONG:
          item.kind = .unreadable(reason: error.description)
          return true
        case ENOTDIR, ELOOP, EINVAL, EISDIR: item = FileTree.Item(.special)
        default: throw error
        }
      }
    }
    throw SystemError(EBUSY)
  }

  private mutating func read(
    _ item: inout FileTree.Item, _ name: DirectoryNames.Name, _ status: inout cfs_status,
    in directory: Int32
  ) throws(SystemError) {
    guard cfs_status_in(directory, name.characters, &status) == 0 else {
      let error = SystemError()
      item = FileTree.Item(.special)
      throw error
    }
    let isUnchanged = snapshot?.isUnchanged(item, status) == true
    if isUnchanged, item.size != nil { return item.resetDatabaseFlag() }
    var formerItem = FileTree.Item(.special)
    swap(&formerItem, &item)
    item.observe(status)
    guard path.byteCount + name.component.count - treePathOffset <= ContainerPath.longestPath,
      depth <= ContainerPath.deepestPath
    else {
      throw SystemError(ENAMETOOLONG)
    }
    switch UInt32(status.kind) {
    case CFS_FILE.rawValue:
      item.kind = .file(FileTree.FileInformation(size: status.size))
      // Another file may have been renamed to this path, with the same size and date. Its inode
      // number differs.
      if let scanStart = snapshot?.scanStart, formerItem.observation.modified < scanStart,
        formerItem.observation.inode == item.observation.inode
      {
        item.reuseContents(of: formerItem)
      }
    case CFS_DIRECTORY.rawValue:
      let count = path.byteCount
      path.append(name.component.bytes)
      defer { path.truncate(to: count) }
      let descriptor = openat(directory, name.characters, DirectoryNames.openOptions)
      item.kind = .directory(try readDirectory(descriptor, formerItem.children))
    case CFS_LINK.rawValue:
      item.kind = .link(target: try directory.target(ofLink: name.characters))
      return
    default:
      return
    }
    if isUnchanged {
      item.attributes = formerItem.attributes
      item.observation.identity = formerItem.stamp
    } else {
      try readAttributes(of: &item, name.characters, in: directory)
    }
  }

  /// Reads the attributes and the kit's stamp of an item. For an item without attributes, one
  /// system call is enough.
  private mutating func readAttributes(
    of item: inout FileTree.Item, _ name: UnsafePointer<CChar>, in directory: Int32
  ) throws(SystemError) {
    let directory = options.contains(.attributesByPath) ? -1 : directory
    guard try attributeNames.read(of: name, in: directory, at: path) else { return }
    item.attributes = ItemAttributes { attributeNames.contains($0) }
    if attributeNames.contains(DiskPath.stampName) {
      item.observation.identity =
        try DiskPath.readStamp(of: name, in: directory, at: path) ?? 0
    }
  }

  /// Sets `isDatabase` for files that begin with the header of SQLite. Without `allHeaders`, only
  /// files beside a log or a journal of SQLite are read.
  func setDatabaseFlags(
    in entries: inout [FileTree.Children.Entry], of directory: Int32
  ) throws(SystemError) {
    // Entries are accessed by index, because a loop over them would copy them.
    let readsAllHeaders = options.contains(.allHeaders)
    guard readsAllHeaders || entries.indices.contains(where: { entries[$0].name.isDatabaseSibling })
    else { return }
    let databaseNames = Set(entries.compactMap { $0.name.databaseName })
    for index in entries.indices {
      guard case .file(var information) = entries[index].item.kind,
        readsAllHeaders || databaseNames.contains(entries[index].name)
      else { continue }
      information.isDatabase = try directory.hasFile(
        entries[index].name, beginningWith: FileOperation.Contents.databaseHeader)
      entries[index].item.kind = .file(information)
    }
  }
}

extension Int32 {
  func target(ofLink name: UnsafePointer<CChar>) throws(SystemError) -> [UInt8] {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlinkat(self, name, &target, target.count)
    guard count >= 0 else { throw SystemError() }
    return target.prefix(count).map(UInt8.init(truncatingIfNeeded:))
  }

  /// Returns true if a file in this open directory begins with these bytes. Returns false if the
  /// system refuses to open the file, or if the file has gone.
  fileprivate func hasFile(
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
    var firstBytes = [UInt8](repeating: 0, count: bytes.count)
    let size = read(file, &firstBytes, firstBytes.count)
    guard size >= 0 else { throw SystemError() }
    return size == bytes.count && firstBytes == bytes
  }
}

extension FileTree.Item {
  fileprivate mutating func observe(_ status: cfs_status) {
    observation.inode = status.inode
    observation.modified = status.modified
    observation.changeTime = status.changed
  }

  /// Resets `isDatabase`, because it depends on other files. `setDatabaseFlags` sets it again.
  fileprivate mutating func resetDatabaseFlag() {
    guard case .file(var information) = kind, information.isDatabase else { return }
    information.isDatabase = false
    kind = .file(information)
  }
}

extension cfs_status {
  /// True if the permissions forbid the owner to read the item, or to reach the items in a
  /// directory.
  fileprivate var forbidsReading: Bool {
    let neededPermissions: UInt32 = kind == Int32(CFS_DIRECTORY.rawValue) ? 0o500 : 0o400
    return permissions & neededPermissions != neededPermissions
  }
}

/// A tree of a container, and the time at which its scan began.
///
/// The next scan reuses an item if its name, inode number and date of change are the same, and this
/// date is before `scanStart`. The scan reuses everything of a file, and the attributes of a
/// directory. An item with a later date is read again, because it may have changed again within one
/// tick of the clock.
package struct ContainerSnapshot: Sendable {
  package let tree: FileTree
  /// The time at which the scan began, by the file system's clock; nil if no item may be reused.
  let scanStart: Int64?

  /// Returns true if an item of this snapshot has not changed since. `status` is the item's
  /// present status.
  func isUnchanged(_ item: FileTree.Item, _ status: cfs_status) -> Bool {
    guard let scanStart = scanStart, !item.isUnreadable else { return false }
    return item.observation.inode == status.inode && item.observation.changeTime == status.changed
      && status.changed < scanStart
  }
}
