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
  /// removed. Special and unreadable items are skipped. `treeBefore` is the tree of the containers
  /// on disk. If `treeBefore` is nil, the containers are scanned first.
  package func materialise(
    _ tree: FileTree, from treeBefore: FileTree? = nil, contents archive: ContainerArchive? = nil
  ) throws(RunError) {
    try requireNotRemoved()
    if let (path, reason) = tree.objection(on: volumeTraits) {
      throw RunError(unavailablePath: url(of: path).path, reason: reason)
    }
    let roots = self.roots
    var presentTree = if let treeBefore { treeBefore } else { try scan() }
    for name in roots.otherContainers.keys { presentTree.ensureDirectory(ContainerPath(name)) }
    try reporting("the container cannot be written") { () throws(SystemError) in
      try removeItems(of: presentTree, notIn: tree, in: roots)
      try tree.walk { path, item throws(SystemError) in
        let diskPath = DiskPath(path, in: roots)
        let formerItem = presentTree[path]
        try makeItem(item, at: diskPath, replacing: formerItem, archive?.copy(of: path))
        return !item.sharesChildren(with: formerItem)
      }
    }
  }

  /// Moves the containers to new paths, as an update of the app does.
  ///
  /// It is `unverified` that an update also moves the containers of groups. The kit moves them, so
  /// that a test fails if the app relies on an old path.
  package func moveToNewURL() throws(RunError) {
    try reporting("the container cannot be moved") { () throws(SystemError) in
      try changeURLs { oldPath, newPath throws(SystemError) in try oldPath.rename(to: newPath) }
    }
  }

  /// Replaces the containers with empty ones at new paths, as on a new device.
  package func replaceWithEmptyContainer() throws(RunError) {
    try reporting("the container cannot be replaced") { () throws(SystemError) in
      try changeURLs { oldPath, newPath throws(SystemError) in
        try oldPath.removeItem()
        try newPath.makeDirectory()
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
        unavailablePath: (path.map(url) ?? url).path, reason: "\(problem): \(error)",
        isMachineFault: error.isMachineFault)
    }
  }

  /// Makes a link point to the absolute path of `destination`. Returns the bytes of that path.
  package func makeLinkAbsolute(
    _ link: ContainerPath, _ destination: ContainerPath
  ) throws(RunError) -> [UInt8] {
    let target = DiskPath(destination, in: roots).bytes
    return try reporting("the link cannot be created", on: link) { diskPath throws(SystemError) in
      try diskPath.unlinkFile()
      try diskPath.makeLink(to: target)
      return target
    }
  }

  /// Removes the items on disk that a tree lacks, or that cannot be changed into the tree's items.
  private func removeItems(
    of presentTree: FileTree, notIn tree: FileTree, in roots: ContainerRoots
  ) throws(SystemError) {
    try presentTree.walk { path, item throws(SystemError) in
      if let wantedItem = tree[path], wantedItem.canBeMade(from: item) {
        return !item.sharesChildren(with: wantedItem)
      }
      try DiskPath(path, in: roots).removeItem()
      return false
    }
  }

  private func makeItem(
    _ item: FileTree.Item, at diskPath: DiskPath, replacing formerItem: FileTree.Item?,
    _ copy: DiskPath?
  ) throws(SystemError) {
    let reusedItem = formerItem.flatMap { item.canBeMade(from: $0) ? $0 : nil }
    switch item.kind {
    case .directory:
      if reusedItem == nil { try diskPath.makeDirectory() }
    case .file(let information):
      try makeFile(information, at: diskPath, reusing: reusedItem, copy)
    case .link(let target):
      if reusedItem == nil { try diskPath.makeLink(to: target) }
      return
    case .special, .unreadable:
      return
    }
    try diskPath.setAttributes(item.attributes, replacing: reusedItem?.attributes ?? .ofNewItem)
  }

  private func makeFile(
    _ information: FileTree.FileInformation, at diskPath: DiskPath,
    reusing formerItem: FileTree.Item?,
    _ copy: DiskPath?
  ) throws(SystemError) {
    if let formerItem {
      guard formerItem.size != information.size else { return }
      try diskPath.setSize(information.size)
    } else if let copy {
      try copy.copyFile(to: diskPath)
    } else {
      try diskPath.write(.zeros(information.size), options: O_EXCL)
      if information.isDatabase {
        try diskPath.write(.bytes(FileOperation.Contents.databaseHeader), options: 0)
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
    try reporting("cannot be read", on: path) { diskPath throws(SystemError) in
      try diskPath.bytesIfPresent()
    }
  }

  /// Returns the permission bits of an item, or nil if it is missing.
  package func permissions(of path: ContainerPath) throws(RunError) -> UInt32? {
    try reporting("cannot be read", on: path) { diskPath throws(SystemError) in
      try diskPath.status()?.permissions
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
      let systemMessage = String(cString: strerror(error.number)).lowercased()
      throw RunError(
        unavailablePath: path.description, reason: "cannot be copied: \(systemMessage)")
    }
  }

  /// Compares a file with its copy in a backup, which must have the same size. Returns the offset
  /// of the first difference; nil if both are equal, or if the backup has no copy.
  package func offsetOfFirstDifference(
    of path: ContainerPath, from archive: ContainerArchive
  ) throws(RunError) -> Int64? {
    try reporting("cannot be read", on: path) { diskPath throws(SystemError) in
      guard let copy = archive.copy(of: path) else { return nil }
      return try diskPath.firstDifference(from: copy)
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
  /// larger file covers only its first 8 MB and its last 8 MB.
  private static let wholeChecksumSizeLimit = 16_000_000

  /// Returns a tree of the container with the checksum of each file's contents and the values in
  /// them, such as lines. Unchanged files get their checksums and values from `knownTree`, an
  /// earlier tree.
  package func addingChecksums(to tree: FileTree, known knownTree: FileTree) throws(RunError)
    -> FileTree
  {
    try reporting("its files cannot be read") { () throws(SystemError) in
      try withChecksums(tree, known: knownTree)
    }
  }

  /// Adds checksums and values to a tree, as ``addingChecksums(to:known:)`` does.
  ///
  /// `treeBefore` is the tree just before the app's code ran. Its inode numbers show which files
  /// were renamed or replaced. If `treeBefore` is nil, a file counts as unchanged if its size and
  /// date are the same.
  func withChecksums(
    _ tree: FileTree, known knownTree: FileTree, before treeBefore: FileTree? = nil
  ) throws(SystemError) -> FileTree {
    let roots = self.roots
    var treeWithChecksums = tree
    var databases: Set<ContainerPath> = []
    try treeWithChecksums.modify {
      $0.information?.checksum.isKnown == false
    } _: { path, item throws(SystemError) in
      let formerItem = knownTree[path]
      // Files that were saved in the same tick of the clock have the same date. If they have
      // swapped their paths, only the inode numbers show the swap.
      if let name = treeBefore?.formerName(of: item, at: path) {
        if let movedItem = knownTree[ContainerPath(name, in: path.parent)] {
          item.reuseContents(of: movedItem)
        }
      } else if let formerItem,
        treeBefore?[path].map({ $0.observation.inode == item.observation.inode }) ?? true
      {
        item.reuseContents(of: formerItem)
      }
      guard var information = item.information, !information.checksum.isKnown else { return }
      let contents = try DiskPath(path, in: roots).storeChecksum(
        in: &information, upTo: Self.wholeChecksumSizeLimit,
        grownFrom: (knownTree.itemBeforeRenaming(item, to: path) ?? formerItem)?.information)
      item.kind = .file(information)
      if contents?.isDatabase == true { databases.insert(path) }
      // Some rows of a database may be only in its write-ahead log.
      if let name = path.name.databaseName {
        databases.insert(ContainerPath(name, in: path.parent))
      }
    }
    for path in databases {
      guard case .file(var information) = treeWithChecksums[path]?.kind else { continue }
      let rows = try DiskPath(path, in: roots).rows(ofDatabaseNamed: path.name)
      information.details = rows.map { ContentsDetails($0) }
      treeWithChecksums.modify(path) { $0.kind = .file(information) }
    }
    return treeWithChecksums
  }

  /// The unit of `st_blocks`, in bytes.
  private static let blockSize: Int64 = 512

  /// Returns the number of bytes that files occupy on disk. Counts the files in the item at `path`,
  /// or all files if `path` is nil, but only those for which `isCounted` returns true. Holes and
  /// missing files occupy no bytes. If the system refuses to examine a file, its size in the tree
  /// counts.
  package func occupiedBytes(
    of tree: FileTree, from path: ContainerPath? = nil,
    where isCounted: (ContainerPath) -> Bool = { _ in true }
  ) throws(RunError) -> Int64 {
    let roots = self.roots
    var byteCount: Int64 = 0
    var fault: SystemError?
    tree.forEachItem(from: path) { path, item in
      guard fault == nil, let size = item.size, isCounted(path) else { return }
      do throws(SystemError) {
        byteCount += try Self.occupiedBytes(of: DiskPath(path, in: roots))
      } catch {
        if error.isMachineFault { fault = error }
        if !error.isMissingItem { byteCount += size }
      }
    }
    if let fault {
      throw RunError(unavailablePath: url.path, reason: "its files cannot be examined: \(fault)")
    }
    return byteCount
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
  /// Returns true if this item can be made from `formerItem`, an item on disk, without a removal.
  fileprivate func canBeMade(from formerItem: FileTree.Item) -> Bool {
    switch (kind, formerItem.kind) {
    case (.directory, .directory), (.file, .file): true
    case (.link(let target), .link(let formerTarget)): target == formerTarget
    case (.special, .special), (.unreadable, .unreadable): true
    default: false
    }
  }
}

extension DiskPath {
  /// The number of bytes that are compared at a time.
  private static let comparedChunkSize = 65_536

  /// Returns the offset at which the contents of two files first differ, or nil if they are equal.
  fileprivate func firstDifference(from copyPath: DiskPath) throws(SystemError) -> Int64? {
    try withFile(O_RDONLY | O_NONBLOCK) { file throws(SystemError) in
      try copyPath.withFile(O_RDONLY | O_NONBLOCK) { copy throws(SystemError) in
        if try file.isHole(), try copy.isHole() { return nil }
        var offset: Int64 = 0
        while true {
          let ownChunk = try file.bytes(at: offset, count: Self.comparedChunkSize)
          let otherChunk = try copy.bytes(at: offset, count: Self.comparedChunkSize)
          if let index = zip(ownChunk, otherChunk).enumerated().first(where: { $1.0 != $1.1 })?
            .offset
          {
            return offset + Int64(index)
          }
          if ownChunk.count != otherChunk.count {
            return offset + Int64(min(ownChunk.count, otherChunk.count))
          }
          if ownChunk.isEmpty { return nil }
          offset += Int64(ownChunk.count)
        }
      }
    }
  }

  /// Stores in `information` the checksum of this file's contents, and the values in them.
  ///
  /// `formerInformation` describes the file at an earlier time. If the file has only grown since,
  /// the former contents and the added bytes are stored as separate parts.
  ///
  /// - Returns: The contents, or nil if the system refuses to read the file.
  fileprivate func storeChecksum(
    in information: inout FileTree.FileInformation, upTo limit: Int,
    grownFrom formerInformation: FileTree.FileInformation?
  ) throws(SystemError) -> FileOperation.Contents? {
    let readContents = try SystemError.nilIfRefused { () throws(SystemError) in
      try contents(upTo: limit)
    }
    guard let contents = readContents else { return nil }
    guard case .bytes(let bytes) = contents, let formerInformation,
      formerInformation.checksum.isKnown,
      formerInformation.size <= bytes.count
    else {
      information.checksum = ContentsChecksum(contents)
      information.details = ContentsDetails(contents)
      return contents
    }
    var checksum = ContentsChecksum(.bytes(Array(bytes.prefix(Int(formerInformation.size)))))
    let addedContents = FileOperation.Contents.bytes(
      Array(bytes.dropFirst(Int(formerInformation.size))))
    let appendVersions =
      checksum == formerInformation.checksum
      ? formerInformation.details(adding: addedContents)?.appendVersions : nil
    information.details = ContentsDetails(
      contents, appendVersions: appendVersions ?? ChunkedArray())
    checksum.append(addedContents)
    information.checksum = checksum
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
  /// Returns bytes of this open file from an offset on. Returns fewer than `count` bytes only if
  /// the file ends.
  func bytes(at offset: Int64, count: Int) throws(SystemError) -> [UInt8] {
    var fault: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filledCount in
      while filledCount < count {
        let size = pread(
          self, buffer.baseAddress?.advanced(by: filledCount), count - filledCount,
          off_t(offset) + off_t(filledCount))
        if size < 0, errno == EINTR { continue }
        if size < 0 { fault = SystemError() }
        guard size > 0 else { return }
        filledCount += size
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
    guard inode != 0, let siblings = path.parent.map({ self[$0]?.children }) ?? children,
      siblings[path.name]?.observation.inode != inode
    else { return nil }
    return siblings.chunkedEntries.first { $0.item.observation.inode == inode }?.name
  }
}

extension FileTree.Item {
  /// Reuses the checksum and the values of `formerItem`, the file in an earlier snapshot, if size
  /// and date are the same. This also works after the container has returned to a saved state,
  /// because a ``SavedContainer`` keeps the dates of files.
  mutating func reuseContents(of formerItem: FileTree.Item) {
    guard var information, let formerInformation = formerItem.information,
      formerInformation.checksum.isKnown,
      formerInformation.size == information.size, observation.modified != 0,
      observation.modified == formerItem.observation.modified
    else { return }
    (information.checksum, information.details) = (
      formerInformation.checksum, formerInformation.details
    )
    kind = .file(information)
  }
}
