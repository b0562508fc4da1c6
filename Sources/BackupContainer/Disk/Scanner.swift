package import BackupFileTree
import CBackupFiles
import Foundation

/// Reads a container from disk into a ``FileTree``.
///
/// It makes two system calls for each item, or one for a file that has not changed since an earlier snapshot.
/// An item that cannot be read has the kind `unreadable`. Only an unreadable container is an error.
struct Scanner {
  private(set) var path: DiskPath
  private let rootCount: Int
  struct Options: OptionSet {
    let rawValue: UInt8

    /// The SQLite header is looked for in every file, for a comparison with a tree. Without this option, it is
    /// looked for only if a `-wal`, `-shm` or `-journal` is beside the file, because no decision needs more.
    static let allHeaders = Options(rawValue: 1)
    /// Attributes are read by path, as for a kernel without calls that take a descriptor and a name.
    static let byPath = Options(rawValue: 2)
  }

  private let options: Options
  /// The number of components in the paths of the items in the directory that is read.
  private var depth = 0
  /// The names of the attributes of the latest item.
  private var attributes = AttributeNames()

  /// An earlier snapshot. Its items are reused if they have not changed since.
  private let snapshot: ContainerSnapshot?

  /// Reads the containers of a device into one tree. Items that have not changed since the snapshot are
  /// reused.
  static func scan(
    _ roots: ContainerRoots, _ options: Options = [], reusing snapshot: ContainerSnapshot? = nil
  ) throws(SystemError) -> FileTree {
    var scanner = Scanner(
      path: roots.own, rootCount: roots.own.count, options: options, snapshot: snapshot)
    let file = try roots.own.openDirectory()
    var tree = FileTree(children: try scanner.readDirectory(file, snapshot?.tree.children))
    guard !tree.children.list.contains(where: \.name.isContainer) else { throw Self.reservedName }
    for (name, root) in roots.others {
      let path = ContainerPath(name)
      var scanner = Scanner(
        path: root, rootCount: root.count - name.count - 1, options: options, snapshot: snapshot)
      tree.insert(try scanner.readContainer(snapshot?.tree[path]), at: path)
    }
    return tree
  }

  /// Reads the items in a container that the kit need not have created. Before their paths on disk, the paths of
  /// the items have a prefix of `prefixCount` bytes.
  static func scanItems(
    of root: DiskPath, prefixCount: Int
  ) throws(SystemError) -> FileTree.Children {
    var scanner = Scanner(
      path: root, rootCount: root.count - prefixCount, options: [],
      depth: prefixCount > 0 ? 1 : 0, snapshot: nil)
    return try scanner.readDirectory(try root.openDirectory(), nil)
  }

  /// The error of an item in the app's own container whose name stands for another container.
  static let reservedName = SystemError(EEXIST)

  private mutating func readContainer(
    _ former: FileTree.Item?
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
        try readDirectory(openat(parent, name, DirectoryNames.openOptions), former?.children))
      // The attributes are the container's own, so they are read by a path that ends in its name.
      path = directory.parent
      defer { path = directory }
      try readAttributes(of: &item, name, in: parent)
    }
    return item
  }

  /// Reads the items in the directory at `path`. `file` is the result of opening it, which may be -1.
  private mutating func readDirectory(
    _ file: Int32, _ former: FileTree.Children?
  ) throws(SystemError) -> FileTree.Children {
    depth += 1
    defer { depth -= 1 }
    return try DirectoryNames.read(in: file) { names throws(SystemError) in
      try readItems(names, in: file, former)
    }
  }

  private mutating func readItems(
    _ names: DirectoryNames, in directory: Int32, _ former: FileTree.Children?
  ) throws(SystemError) -> FileTree.Children {
    var entries: [FileTree.Children.Entry] = []
    entries.reserveCapacity(names.count)
    let formerEntries = former?.entries ?? []
    var next = 0
    try names.forEach { name throws(SystemError) in
      while next < formerEntries.count, formerEntries[next].name < name.component { next += 1 }
      let isFormer = next < formerEntries.count && formerEntries[next].name == name.component
      entries.append(
        FileTree.Children.Entry(
          name: name.component,
          item: isFormer ? formerEntries[next].item : FileTree.Item(.special)))
      if try !readItem(&entries[entries.count - 1].item, name, in: directory) {
        entries.removeLast()
      }
    }
    try markDatabases(in: &entries, of: directory)
    return FileTree.Children(sorted: entries)
  }

  /// The number of times that an item is read if another item takes its place each time.
  private static let attempts = 10

  /// Reads an item in a directory. Returns false if the item has gone since its directory was read.
  ///
  /// `item` comes from the earlier snapshot. It becomes unreadable if its permissions forbid reading it, or if its
  /// path is too long for a container. It is read again if it turned into another kind between two calls. Any
  /// other obstacle is the machine's fault.
  private mutating func readItem(
    _ item: inout FileTree.Item, _ name: DirectoryNames.Name, in directory: Int32
  ) throws(SystemError) -> Bool {
    for _ in 0..<Self.attempts {
      var status = cfs_status()
      do throws(SystemError) {
        try read(&item, name, &status, in: directory)
        return true
      } catch {
        switch error.number {
        case ENOENT: return false
        case EACCES where status.isForbidden, EPERM where status.isForbidden, ENAMETOOLONG:
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
    let isUnchanged = snapshot?.isCurrent(item, status) == true
    if isUnchanged, item.size != nil { return item.resetDatabaseFlag() }
    var former = FileTree.Item(.special)
    swap(&former, &item)
    item.observe(status)
    guard path.count + name.component.count - rootCount <= ContainerPath.longestPath,
      depth <= ContainerPath.deepestPath
    else {
      throw SystemError(ENAMETOOLONG)
    }
    switch UInt32(status.kind) {
    case CFS_FILE.rawValue:
      item.kind = .file(FileTree.FileInformation(size: status.size))
      // Another file that was renamed to this path may have the same size and the same date.
      if let moment = snapshot?.moment, former.observation.modified < moment,
        former.observation.inode == item.observation.inode
      {
        item.reuseContents(of: former)
      }
    case CFS_DIRECTORY.rawValue:
      let count = path.count
      path.append(name.component.bytes)
      defer { path.truncate(to: count) }
      let opened = openat(directory, name.characters, DirectoryNames.openOptions)
      item.kind = .directory(try readDirectory(opened, former.children))
    case CFS_LINK.rawValue:
      item.kind = .link(target: try directory.target(ofLink: name.characters))
      return
    default:
      return
    }
    if isUnchanged {
      item.attributes = former.attributes
      item.observation.identity = former.identity
    } else {
      try readAttributes(of: &item, name.characters, in: directory)
    }
  }

  /// Reads the attributes and the kit's stamp of an item. This is one call if it has no attributes.
  private mutating func readAttributes(
    of item: inout FileTree.Item, _ name: UnsafePointer<CChar>, in directory: Int32
  ) throws(SystemError) {
    let directory = options.contains(.byPath) ? -1 : directory
    guard try attributes.read(of: name, in: directory, at: path) else { return }
    item.attributes = ItemAttributes { attributes.contains($0) }
    if attributes.contains(DiskPath.stampName) {
      item.observation.identity =
        try DiskPath.readStamp(of: name, in: directory, at: path) ?? 0
    }
  }

  /// Looks for SQLite headers in the files that may need one.
  func markDatabases(
    in entries: inout [FileTree.Children.Entry], of directory: Int32
  ) throws(SystemError) {
    // By index, because then no entry is copied.
    let readsAll = options.contains(.allHeaders)
    guard readsAll || entries.indices.contains(where: { entries[$0].name.isDatabaseSibling })
    else { return }
    let siblings = Set(entries.compactMap { $0.name.databaseName })
    for index in entries.indices {
      guard case .file(var information) = entries[index].item.kind,
        readsAll || siblings.contains(entries[index].name)
      else { continue }
      information.isDatabase = try directory.holds(
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

  /// Returns true if a file in this open directory begins with these bytes. Returns false if it may not be read
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

extension FileTree.Item {
  fileprivate mutating func observe(_ status: cfs_status) {
    observation.inode = status.inode
    observation.modified = status.modified
    observation.changed = status.changed
  }

  /// Resets `isDatabase`, which depends on other files. `markDatabases` sets it again.
  fileprivate mutating func resetDatabaseFlag() {
    guard case .file(var information) = kind, information.isDatabase else { return }
    information.isDatabase = false
    kind = .file(information)
  }
}

extension cfs_status {
  /// True if the permissions forbid the owner to read the item, or to examine the items in a directory.
  fileprivate var isForbidden: Bool {
    let needed: UInt32 = kind == Int32(CFS_DIRECTORY.rawValue) ? 0o500 : 0o400
    return permissions & needed != needed
  }
}

/// The contents of a container at a moment.
///
/// The next scan reuses an item with the same name, inode number and date of change, if that date is before this
/// moment: all of a file, and the attributes of a directory. An item with a later date may have changed again while
/// the clock stood still, so it is read.
package struct ContainerSnapshot: Sendable {
  package let tree: FileTree
  /// The time at which the scan began, by the file system's clock; nil if no item may be reused.
  let moment: Int64?

  /// Returns true if an item that has this status now has not changed since.
  func isCurrent(_ item: FileTree.Item, _ status: cfs_status) -> Bool {
    guard let moment, !item.isUnreadable else { return false }
    return item.observation.inode == status.inode && item.observation.changed == status.changed
      && status.changed < moment
  }
}
