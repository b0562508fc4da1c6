package import BackupFileTree
import CBackupFiles
import Foundation

/// Reads a container from disk into a ``FileTree``: one pass, two system calls for each item, or one
/// for a file that has not changed since an earlier look.
///
/// What cannot be read becomes an item that says why; only an unreadable container throws.
struct Scanner {
  private(set) var path: DiskPath
  private let rootCount: Int
  struct Options: OptionSet {
    let rawValue: UInt8

    /// Every file has an SQLite header looked for, to be compared with a tree. Otherwise only databases
    /// that have a `-wal`, `-shm` or `-journal` beside them have, which is all that decisions need.
    static let allHeaders = Options(rawValue: 1)
    /// Attributes are read by path, for a kernel that takes no descriptor and name.
    static let byPath = Options(rawValue: 2)
  }

  private let options: Options
  /// How many components the items of the directory being read have.
  private var level = 0
  /// The names of the attributes of the item that was read last.
  private var attributes = AttributeNames()

  /// An earlier snapshot, from which items that have not changed since are taken over.
  private let known: Look?

  /// Reads the containers of a device into one tree; items that have not changed since the look
  /// `known` are taken over.
  static func scan(
    _ roots: ContainerRoots, _ options: Options = [], known: Look? = nil
  ) throws(SystemError) -> FileTree {
    var scanner = Scanner(
      path: roots.own, rootCount: roots.own.count, options: options, known: known)
    let file = try roots.own.openDirectory()
    var tree = FileTree(children: try scanner.readDirectory(file, known?.tree.children))
    guard !tree.children.list.contains(where: \.name.isContainer) else { throw Self.strangeName }
    for (name, root) in roots.beside {
      let path = ContainerPath(name)
      var scanner = Scanner(
        path: root, rootCount: root.count - name.count - 1, options: options, known: known)
      tree.insert(try scanner.readContainer(known?.tree[path]), at: path)
    }
    return tree
  }

  /// Reads what is in a container that need not be the kit's; the paths of its items have
  /// `prefixCount` bytes before what they have on disk.
  static func scanItems(
    of root: DiskPath, prefixCount: Int
  ) throws(SystemError) -> FileTree.Children {
    var scanner = Scanner(
      path: root, rootCount: root.count - prefixCount, options: [],
      level: prefixCount > 0 ? 1 : 0, known: nil)
    return try scanner.readDirectory(try root.openDirectory(), nil)
  }

  /// The error of an item in the app's own container whose name stands for another container.
  static let strangeName = SystemError(EEXIST)

  private mutating func readContainer(
    _ former: FileTree.Item?
  ) throws(SystemError) -> FileTree.Item {
    level = 1
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

  /// Reads what is in the directory at `path`, which was opened as `file`, -1 for not.
  private mutating func readDirectory(
    _ file: Int32, _ former: FileTree.Children?
  ) throws(SystemError) -> FileTree.Children {
    level += 1
    defer { level -= 1 }
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

  /// How often an item is looked at that is another each time.
  private static let attempts = 10

  /// Reads an item of a directory, which is given as the earlier look found it; false when it went
  /// away since its directory was read.
  ///
  /// It is unreadable where its permissions forbid it, or where its path is longer than a container
  /// has any. One that turned into another kind between two calls is looked at again. Whatever else
  /// keeps it from being read is the machine's fault.
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
    let isUnchanged = known?.holds(item, as: status) == true
    if isUnchanged, item.size != nil { return item.forgetWhatOthersTell() }
    var former = FileTree.Item(.special)
    swap(&former, &item)
    item.observe(status)
    guard path.count + name.component.count - rootCount <= ContainerPath.longestPath,
      level <= ContainerPath.deepestPath
    else {
      throw SystemError(ENAMETOOLONG)
    }
    switch UInt32(status.kind) {
    case CFS_FILE.rawValue:
      item.kind = .file(FileTree.FileInformation(size: status.size))
      // Another file, renamed to this path, may have the same size, and the same date.
      if let moment = known?.moment, former.observation.modified < moment,
        former.observation.inode == item.observation.inode
      {
        item.takeContents(from: former)
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

  /// Reads the attributes and the kit's stamp of an item; one call where it has no attributes.
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
    // By index, for an entry is not copied then.
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

extension FileTree.Item {
  fileprivate mutating func observe(_ status: cfs_status) {
    observation.inode = status.inode
    observation.modified = status.modified
    observation.changed = status.changed
  }

  /// Resets what does not follow from the file alone: `isDatabase`, which `markDatabases` finds
  /// again.
  fileprivate mutating func forgetWhatOthersTell() {
    guard case .file(var information) = kind, information.isDatabase else { return }
    information.isDatabase = false
    kind = .file(information)
  }
}

extension cfs_status {
  /// Whether the item's permissions keep its owner from reading it, or a directory from being
  /// looked into.
  fileprivate var isForbidden: Bool {
    let needed: UInt32 = kind == Int32(CFS_DIRECTORY.rawValue) ? 0o500 : 0o400
    return permissions & needed != needed
  }
}

/// What a look at a container found, and when it began.
///
/// The next look takes over what has not changed since: an item with the same name, inode number and
/// date of change, if that date is before this look began. Of a file it takes over everything, of a
/// directory the attributes. What is dated later may have changed again while the clock stood still,
/// and is read.
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
