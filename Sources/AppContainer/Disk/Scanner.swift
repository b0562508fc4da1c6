internal import CExtendedAttributes
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
  private var path: DiskPath
  /// How long the container's own path is.
  private let rootCount: Int
  /// Which items have a header looked for.
  private let headers: HeaderReading
  /// Where attribute names are read to.
  private var attributeNames = [CChar](repeating: 0, count: 4096)

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
    return FileTree(children: try scanner.readDirectory())
  }

  /// Reads what is in the directory at `path`.
  private mutating func readDirectory() throws(SystemError) -> FileTree.Children {
    guard let directory = opendir(path.characters) else { throw SystemError() }
    defer { closedir(directory) }
    let names = DirectoryStream.names(readingNext: { readdir(directory) })
    let count = path.count
    var entries: [FileTree.Children.Entry] = []
    entries.reserveCapacity(names.count)
    for name in names {
      path.append(name)
      if let item = readItem(named: name, in: dirfd(directory)) {
        entries.append(FileTree.Children.Entry(name: PathComponent(unchecked: name), item: item))
      }
      path.truncate(to: count)
    }
    markDatabases(in: &entries)
    return FileTree.Children(unsorted: entries)
  }

  /// Reads the item at `path`; nil when it went away since its directory was read.
  private mutating func readItem(named name: [UInt8], in directory: Int32) -> FileTree.Item? {
    var status = cfs_status()
    let found = path.characters.withUnsafeBufferPointer { characters -> Int32 in
      guard let start = characters.baseAddress else { return -1 }
      return cfs_status_in(directory, start + (characters.count - 1 - name.count), &status)
    }
    guard found == 0 else { return errno == ENOENT ? nil : unreadable(SystemError()) }
    guard path.count - rootCount - 1 <= ContainerPath.longestPath else {
      return unreadable(SystemError(ENAMETOOLONG))
    }
    do throws(SystemError) {
      return try item(of: status)
    } catch {
      return unreadable(error, status)
    }
  }

  /// The item at `path`, whose status is known.
  private mutating func item(of status: cfs_status) throws(SystemError) -> FileTree.Item {
    var item = FileTree.Item(.special)
    item.observation.inode = status.inode
    item.observation.modified = status.modified
    switch UInt32(status.kind) {
    case CFS_FILE.rawValue:
      item.kind = .file(FileTree.FileInformation(size: status.size))
    case CFS_DIRECTORY.rawValue:
      item.kind = .directory(try readDirectory())
    case CFS_LINK.rawValue:
      item.kind = .link(target: try linkTarget())
      return item
    default:
      return item
    }
    try readAttributes(of: &item)
    return item
  }

  /// An item that says why it could not be read.
  private func unreadable(_ error: SystemError, _ status: cfs_status? = nil) -> FileTree.Item {
    var item = FileTree.Item(.unreadable(reason: error.description))
    item.observation.inode = status?.inode ?? 0
    return item
  }

  /// Where the link at `path` points.
  private func linkTarget() throws(SystemError) -> [UInt8] {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink(path.characters, &target, target.count)
    guard count >= 0 else { throw SystemError() }
    return target.prefix(count).map(UInt8.init(bitPattern:))
  }

  /// Reads marks and the kit's stamp of the item at `path`; one call where it has no attributes.
  private mutating func readAttributes(of item: inout FileTree.Item) throws(SystemError) {
    var size = cea_list(path.characters, &attributeNames, attributeNames.count)
    if size < 0, errno == ERANGE {
      attributeNames = [CChar](repeating: 0, count: 1 << 17)
      size = cea_list(path.characters, &attributeNames, attributeNames.count)
    }
    if size < 0, errno == ENOTSUP { return }
    guard size >= 0 else { throw SystemError() }
    guard size > 0 else { return }
    let names = attributeNames.prefix(size).split(separator: 0).map(String.init(characters:))
    for mark in ExclusionMark.all where names.contains(mark.attributeName) {
      item.marks.insert(mark)
    }
    if names.contains(IdentityStamp.attributeName) {
      item.observation.identity = try IdentityStamp.read(at: path.characters) ?? 0
    }
  }
}

extension Scanner {
  /// Looks for SQLite headers in the files that may need one.
  private mutating func markDatabases(in entries: inout [FileTree.Children.Entry]) {
    guard headers == .everyFile || entries.contains(where: { $0.name.isDatabaseSibling }) else {
      return
    }
    let siblings = Set(entries.compactMap { $0.name.databaseName })
    for index in entries.indices {
      guard case .file(var information) = entries[index].item.kind,
        headers == .everyFile || siblings.contains(entries[index].name)
      else { continue }
      let file = path.appending(entries[index].name.bytes)
      information.isDatabase = file.startsWith(FileContents.databaseHeader)
      entries[index].item.kind = .file(information)
    }
  }
}

extension String {
  /// The text of C characters without their NUL.
  fileprivate init(characters: ArraySlice<CChar>) {
    self.init(decoding: characters.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension DiskPath {
  /// Whether the file begins with these bytes; false where it cannot be read.
  fileprivate func startsWith(_ bytes: [UInt8]) -> Bool {
    let file = open(characters, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var start = [UInt8](repeating: 0, count: bytes.count)
    return read(file, &start, start.count) == bytes.count && start == bytes
  }
}
