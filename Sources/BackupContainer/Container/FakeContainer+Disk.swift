import BackupCollections
public import BackupDiagnostics
public import BackupFileTree
import CBackupFiles
package import Foundation

extension FakeContainer {
  /// Reads the app's container and the containers of its groups and extensions from disk.
  ///
  /// In the tree, the items in the container of the group `group.x` are below `group.x:/`. If an
  /// item cannot be read, the tree has the reason. Nothing on disk changes.
  ///
  /// ```swift
  /// let tree = try container.scan()
  /// tree[try ContainerPath("Documents/note.txt")]?.size  // 5
  /// ```
  ///
  /// - Returns: The container as a value, with sizes in bytes and the marks on each item.
  /// - Throws: ``RunError`` with the code `.containerUnavailable` if the container itself cannot be
  ///   read.
  public func scan() throws(RunError) -> FileTree {
    try scan([])
  }

  func scan(_ options: Scanner.Options) throws(RunError) -> FileTree {
    try requireNotRemoved()
    do throws(SystemError) {
      return try Scanner.scan(roots, options)
    } catch {
      throw failure(error, cannotBe: "read")
    }
  }

  /// Makes the containers on disk equal to a tree.
  ///
  /// An existing file keeps its contents. If the tree has another size for it, the file is cut off,
  /// or zeros are added. A missing file is copied from `archive`. If `archive` lacks the file, the
  /// new file has zeros, and a database also has its header. Items that are not in the tree are
  /// removed. Special and unreadable items are skipped. `before` is the tree of the containers on
  /// disk. If `before` is nil, the containers are scanned first.
  package func materialise(
    _ tree: FileTree, from before: FileTree? = nil, contents archive: ContainerArchive? = nil
  ) throws(RunError) {
    try requireNotRemoved()
    if let (path, reason) = tree.objection(on: traits) {
      throw RunError(path: url(of: path).path, reason: reason)
    }
    let roots = self.roots
    var present = if let before { before } else { try scan() }
    for name in roots.others.keys { present.ensureDirectory(ContainerPath(name)) }
    try reporting("the container cannot be written") { () throws(SystemError) in
      try removeItems(of: present, notIn: tree, in: roots)
      try tree.walk { path, item throws(SystemError) in
        let disk = DiskPath(path, in: roots)
        let former = present[path]
        try make(item, at: disk, replacing: former, archive?.copy(of: path))
        return !item.sharesChildren(with: former)
      }
    }
  }

  /// Moves the containers to new paths, as an update of the app does.
  ///
  /// It is `unverified` that an update also moves the containers of groups. The kit moves them, so
  /// that a test fails if the app relies on an old path.
  package func moveToNewURL() throws(RunError) {
    try reporting("the container cannot be moved") { () throws(SystemError) in
      try changeURLs { old, new throws(SystemError) in try old.rename(to: new) }
    }
  }

  /// Replaces the containers with empty ones at new paths, as on a new device.
  package func replaceWithEmptyContainer() throws(RunError) {
    try reporting("the container cannot be replaced") { () throws(SystemError) in
      try changeURLs { old, new throws(SystemError) in
        try old.removeItem()
        try new.makeDirectory()
      }
    }
  }

  /// Runs system calls. If a call fails, throws an error for the item at `path`, or for the
  /// container if `path` is nil. The error's reason begins with `problem`.
  func reporting<Result>(
    _ problem: String, at path: ContainerPath? = nil, _ body: () throws(SystemError) -> Result
  ) throws(RunError) -> Result {
    try requireNotRemoved()
    do throws(SystemError) {
      return try body()
    } catch {
      throw RunError(
        path: (path.map(url) ?? url).path, reason: "\(problem): \(error)",
        isMachineFault: error.isMachineFault)
    }
  }

  /// Makes a link point to the absolute path of `destination`. Returns the bytes of that path.
  package func makeLinkAbsolute(
    _ link: ContainerPath, _ destination: ContainerPath
  ) throws(RunError) -> [UInt8] {
    let target = DiskPath(destination, in: roots).bytes
    return try reporting("the link cannot be created", on: link) { disk throws(SystemError) in
      try disk.unlinkFile()
      try disk.makeLink(to: target)
      return target
    }
  }

  /// Removes the items that a tree lacks, and those that cannot be changed into the tree's items.
  private func removeItems(
    of present: FileTree, notIn tree: FileTree, in roots: ContainerRoots
  ) throws(SystemError) {
    try present.walk { path, item throws(SystemError) in
      if let wanted = tree[path], wanted.canReuse(item) {
        return !item.sharesChildren(with: wanted)
      }
      try DiskPath(path, in: roots).removeItem()
      return false
    }
  }

  private func make(
    _ item: FileTree.Item, at disk: DiskPath, replacing former: FileTree.Item?, _ copy: DiskPath?
  ) throws(SystemError) {
    let reused = former.flatMap { item.canReuse($0) ? $0 : nil }
    switch item.kind {
    case .directory:
      if reused == nil { try disk.makeDirectory() }
    case .file(let information):
      try make(information, at: disk, reusing: reused, copy)
    case .link(let target):
      if reused == nil { try disk.makeLink(to: target) }
      return
    case .special, .unreadable:
      return
    }
    try disk.setAttributes(item.attributes, replacing: reused?.attributes ?? .ofNewItem)
  }

  private func make(
    _ information: FileTree.FileInformation, at disk: DiskPath, reusing former: FileTree.Item?,
    _ copy: DiskPath?
  ) throws(SystemError) {
    if let former {
      guard former.size != information.size else { return }
      try disk.setSize(information.size)
    } else if let copy {
      try copy.copyFile(to: disk)
    } else {
      try disk.write(.zeros(information.size), options: O_EXCL)
      if information.isDatabase {
        try disk.write(.bytes(FileOperation.Contents.databaseHeader), options: 0)
      }
    }
  }

  static func advice(for error: SystemError) -> String {
    switch error.number {
    case ENOTSUP:
      "this volume does not support extended attributes, which hold the marks; set TMPDIR to a "
        + "folder on a volume that does (APFS, ext4, tmpfs)"
    case ENAMETOOLONG:
      "the container cannot be created because the path is too long for this system; set TMPDIR "
        + "to a folder with a shorter path"
    default: "the container cannot be created: \(error)"
    }
  }

  /// Returns the contents of a file, or nil if it is missing. No link is followed.
  package func bytes(of path: ContainerPath) throws(RunError) -> [UInt8]? {
    try reporting("cannot be read", on: path) { disk throws(SystemError) in
      try disk.bytesIfPresent()
    }
  }

  /// Returns the permission bits of an item, or nil if it is missing.
  package func permissions(of path: ContainerPath) throws(RunError) -> UInt32? {
    try reporting("cannot be read", on: path) { disk throws(SystemError) in
      try disk.status()?.permissions
    }
  }

  /// Copies the contents of a file, without its attributes, to a URL where nothing exists. Holes
  /// stay holes.
  package func copyFile(_ path: ContainerPath, to url: URL) throws(RunError) {
    try requireNotRemoved()
    do throws(SystemError) {
      try DiskPath(path, in: roots).copyFile(to: DiskPath(url))
    } catch {
      // The user has chosen the folder for the copy, so the kit gives no advice.
      let words = String(cString: strerror(error.number)).lowercased()
      throw RunError(path: path.description, reason: "cannot be copied: \(words)")
    }
  }

  /// Compares a file with a copy of the same size in a backup. Returns the offset of the first
  /// difference. Returns nil if both are equal, or if the backup has no copy. Two files that have
  /// only holes count as equal.
  package func firstDifference(
    of path: ContainerPath, from archive: ContainerArchive
  ) throws(RunError) -> Int64? {
    try reporting("cannot be read", on: path) { disk throws(SystemError) in
      guard let copy = archive.copy(of: path) else { return nil }
      return try disk.firstDifference(from: copy)
    }
  }

  private func reporting<Result>(
    _ problem: String, on path: ContainerPath, _ body: (DiskPath) throws(SystemError) -> Result
  ) throws(RunError) -> Result {
    try reporting(problem, at: path) { () throws(SystemError) in
      try body(DiskPath(path, in: roots))
    }
  }

  /// The size in bytes of the largest file whose checksum covers all contents. The checksum of a
  /// larger file covers only its first and last bytes, half of this number each.
  private static let largestFileSummedWhole = 16_000_000

  /// Returns a tree of the container with the checksum of each file's contents and the values in
  /// them, such as lines. Unchanged files get the checksums and values that they have in `known`,
  /// an earlier tree.
  package func summed(_ tree: FileTree, known: FileTree) throws(RunError) -> FileTree {
    try reporting("its files cannot be read") { () throws(SystemError) in
      try withSums(tree, known: known)
    }
  }

  /// Adds checksums and values to a tree, as ``summed(_:known:)`` does. `before` is the tree just
  /// before the app's code ran: its inode numbers show which files were renamed or replaced. If it
  /// is nil, only size and date decide.
  func withSums(
    _ tree: FileTree, known: FileTree, before: FileTree? = nil
  ) throws(SystemError) -> FileTree {
    let roots = self.roots
    var summed = tree
    var databases: Set<ContainerPath> = []
    try summed.modify {
      $0.information?.contents.isKnown == false
    } _: { path, item throws(SystemError) in
      let former = known[path]
      // Files that were saved in the same tick of the clock have the same date. If they have
      // swapped their paths, only the inode numbers show it.
      if let name = before?.formerName(of: item, at: path) {
        if let moved = known[ContainerPath(name, in: path.parent)] {
          item.reuseContents(of: moved)
        }
      } else if let former,
        before?[path].map({ $0.observation.inode == item.observation.inode }) ?? true
      {
        item.reuseContents(of: former)
      }
      guard var information = item.information, !information.contents.isKnown else { return }
      let contents = try DiskPath(path, in: roots).sum(
        &information, upTo: Self.largestFileSummedWhole,
        grownFrom: (known.itemBeforeRenaming(item, to: path) ?? former)?.information)
      item.kind = .file(information)
      if contents?.isDatabase == true { databases.insert(path) }
      // Some rows of a database may be only in its write-ahead log.
      if let name = path.name.databaseName {
        databases.insert(ContainerPath(name, in: path.parent))
      }
    }
    for path in databases {
      guard case .file(var information) = summed[path]?.kind else { continue }
      let rows = try DiskPath(path, in: roots).rows(named: path.name)
      information.details = rows.map { ContentsDetails($0) }
      summed.modify(path) { $0.kind = .file(information) }
    }
    return summed
  }

  /// The unit of `st_blocks`, in bytes.
  private static let blockSize: Int64 = 512

  /// Returns the number of bytes that files occupy on disk. Counts the files in the item at `path`,
  /// or all files if `path` is nil. Holes and missing files occupy none. If the system refuses to
  /// examine a file, its size in the tree counts.
  package func occupiedBytes(
    of tree: FileTree, from path: ContainerPath? = nil,
    where isCounted: (ContainerPath) -> Bool = { _ in true }
  ) throws(RunError) -> Int64 {
    let roots = self.roots
    var bytes: Int64 = 0
    var fault: SystemError?
    tree.forEachItem(from: path) { path, item in
      guard fault == nil, let size = item.size, isCounted(path) else { return }
      do throws(SystemError) {
        bytes += try Self.occupiedBytes(of: DiskPath(path, in: roots))
      } catch {
        if error.isMachineFault { fault = error }
        if !error.isMissingItem { bytes += size }
      }
    }
    if let fault {
      throw RunError(path: url.path, reason: "its files cannot be examined: \(fault)")
    }
    return bytes
  }

  private static func occupiedBytes(of file: DiskPath) throws(SystemError) -> Int64 {
    try file.inDirectory { directory, name throws(SystemError) in
      var status = stat()
      guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw SystemError() }
      return Int64(status.st_blocks) * blockSize
    }
  }
}

extension FileTree.Item {
  /// Returns true if `former`, an item on disk, can be changed into this item without removing it.
  fileprivate func canReuse(_ former: FileTree.Item) -> Bool {
    switch (kind, former.kind) {
    case (.directory, .directory), (.file, .file): true
    case (.link(let target), .link(let other)): target == other
    case (.special, .special), (.unreadable, .unreadable): true
    default: false
    }
  }
}

extension DiskPath {
  /// The number of bytes that are compared at a time.
  private static let comparedChunkSize = 65_536

  /// Returns the offset at which the contents of two files first differ, or nil if they are equal.
  fileprivate func firstDifference(from other: DiskPath) throws(SystemError) -> Int64? {
    try withFile(O_RDONLY | O_NONBLOCK) { file throws(SystemError) in
      try other.withFile(O_RDONLY | O_NONBLOCK) { copy throws(SystemError) in
        if try file.isHole(), try copy.isHole() { return nil }
        var offset: Int64 = 0
        while true {
          let mine = try file.bytes(at: offset, count: Self.comparedChunkSize)
          let theirs = try copy.bytes(at: offset, count: Self.comparedChunkSize)
          if let index = zip(mine, theirs).enumerated().first(where: { $1.0 != $1.1 })?.offset {
            return offset + Int64(index)
          }
          if mine.count != theirs.count { return offset + Int64(min(mine.count, theirs.count)) }
          if mine.isEmpty { return nil }
          offset += Int64(mine.count)
        }
      }
    }
  }

  /// Stores in `information` the checksum of this file's contents, and the values in them.
  ///
  /// `former` is the file at an earlier time. If the file has only grown since, the former contents
  /// and the added bytes are stored as separate parts.
  ///
  /// - Returns: The contents, or nil if the system refuses to read the file.
  fileprivate func sum(
    _ information: inout FileTree.FileInformation, upTo limit: Int,
    grownFrom former: FileTree.FileInformation?
  ) throws(SystemError) -> FileOperation.Contents? {
    let readContents = try SystemError.nilIfRefused { () throws(SystemError) in
      try contents(upTo: limit)
    }
    guard let contents = readContents else { return nil }
    guard case .bytes(let bytes) = contents, let former, former.contents.isKnown,
      former.size <= bytes.count
    else {
      information.contents = ContentsSum(contents)
      information.details = ContentsDetails(contents)
      return contents
    }
    var sum = ContentsSum(.bytes(Array(bytes.prefix(Int(former.size)))))
    let added = FileOperation.Contents.bytes(Array(bytes.dropFirst(Int(former.size))))
    let grownParts = sum == former.contents ? former.details(adding: added)?.parts : nil
    information.details = ContentsDetails(contents, parts: grownParts ?? ChunkedArray())
    sum.append(added)
    information.contents = sum
    return contents
  }

  private func contents(upTo limit: Int) throws(SystemError) -> FileOperation.Contents {
    try withFile(O_RDONLY | O_NONBLOCK) { file throws(SystemError) -> FileOperation.Contents in
      var status = stat()
      guard fstat(file, &status) == 0 else { throw SystemError() }
      if status.st_size > limit, try file.isHole() { return .zeros(Int64(status.st_size)) }
      let size = Int(status.st_size)
      guard size > limit else { return .bytes(try file.bytes(at: 0, count: size)) }
      return .bytes(
        try file.bytes(at: 0, count: limit / 2)
          + file.bytes(at: Int64(size - limit / 2), count: limit / 2))
    }
  }
}

extension Int32 {
  /// Returns bytes of this open file from an offset on. At the end of the file, they may be fewer
  /// than `count`.
  func bytes(at offset: Int64, count: Int) throws(SystemError) -> [UInt8] {
    var fault: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let size = pread(
          self, buffer.baseAddress?.advanced(by: filled), count - filled,
          off_t(offset) + off_t(filled))
        if size < 0, errno == EINTR { continue }
        if size < 0 { fault = SystemError() }
        guard size > 0 else { return }
        filled += size
      }
    }
    if let fault { throw fault }
    // The copy has no unused capacity.
    return bytes.withUnsafeBufferPointer { Array($0) }
  }
}

extension FileTree {
  /// Returns the item of this earlier tree that was renamed to `path` within its directory, for
  /// example a rotated log. Returns nil if `item` was not renamed.
  fileprivate func itemBeforeRenaming(_ item: Item, to path: ContainerPath) -> Item? {
    formerName(of: item, at: path).flatMap { self[ContainerPath($0, in: path.parent)] }
  }

  /// Returns the name that an item, which is now at `path`, had in this earlier tree. Returns nil
  /// if the item was not renamed within its directory.
  fileprivate func formerName(of item: Item, at path: ContainerPath) -> ContainerPath.Component? {
    let inode = item.observation.inode
    guard inode != 0, let directory = path.parent.map({ self[$0]?.children }) ?? children,
      directory[path.name]?.observation.inode != inode
    else { return nil }
    return directory.list.first { $0.item.observation.inode == inode }?.name
  }
}

extension FileTree.Item {
  /// Reuses the checksum and the values of `former`, the file in an earlier snapshot, if size and
  /// date are the same. This also works after the container has returned to a
  /// ``SavedContainer``, because that keeps the dates of files.
  mutating func reuseContents(of former: FileTree.Item) {
    guard var information, let earlier = former.information, earlier.contents.isKnown,
      earlier.size == information.size, observation.modified != 0,
      observation.modified == former.observation.modified
    else { return }
    (information.contents, information.details) = (earlier.contents, earlier.details)
    kind = .file(information)
  }
}
