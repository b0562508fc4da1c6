import BackupCollections
public import BackupDiagnostics
public import BackupFileTree
import CBackupFiles
package import Foundation

extension FakeContainer {
  /// Reads the container from disk, with those of groups and extensions beside it. The items in the container
  /// of the group `group.x` are at `group.x:/` in the tree.
  ///
  /// If an item cannot be read, the tree has the reason. Nothing on disk is changed.
  ///
  /// ```swift
  /// let tree = try container.scan()
  /// tree[try ContainerPath("Documents/note.txt")]?.size  // 5
  /// ```
  ///
  /// - Returns: The container as a value, with sizes in bytes and the marks on each item.
  /// - Throws: ``RunError`` with the code `.containerUnavailable` if the container itself cannot be read.
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

  /// Makes the container on disk equal to a tree.
  ///
  /// Items that exist with the same kind and size keep their contents. Items that are not in the tree are removed.
  /// Missing files are copied from the archive, or filled with zeros; a database also gets its header. Special and
  /// unreadable items are skipped.
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

  /// Moves the containers to new paths, as an update of the app does. That the containers of groups move too is
  /// `unverified`, so no app may rely on an old path.
  package func moveToNewURL() throws(RunError) {
    try reporting("the container cannot be moved") { () throws(SystemError) in
      try changeURL { old, new throws(SystemError) in try old.rename(to: new) }
    }
  }

  /// Replaces the containers with empty ones at new paths, as on a new device.
  package func replaceWithEmptyContainer() throws(RunError) {
    try reporting("the container cannot be replaced") { () throws(SystemError) in
      try changeURL { old, new throws(SystemError) in
        try old.removeItem()
        try new.makeDirectory()
      }
    }
  }

  /// Runs system calls on the containers, or on an item. If they fail, `problem` begins the message.
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

  /// Makes a link lead to the absolute path of an item in the container, and returns that path's bytes.
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

  /// Removes the items that a tree does not have, or has as another kind of item.
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

  /// Copies the contents of a file, without its attributes, to a URL where nothing exists. Holes stay holes.
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

  /// Returns the offset at which a file first differs from its copy in a backup, which has the same size, or nil if
  /// they are equal. Two files without data are equal.
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

  /// The size of the largest file that is summed whole, in bytes. For a larger file, half as many bytes at its
  /// beginning and at its end are summed.
  private static let mostSummed = 16_000_000

  /// Returns a tree of the container with the sum of each file's contents and the leaves in them. `known` has those of
  /// files that have not changed since.
  package func summed(_ tree: FileTree, known: FileTree) throws(RunError) -> FileTree {
    try reporting("its files cannot be read") { () throws(SystemError) in
      try withSums(tree, known: known)
    }
  }

  /// Returns a tree with sums and leaves, as ``summed(_:known:)``. `before` is the container before the latest
  /// changes; nil if that is unknown.
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
      // Two files that were saved in one tick of the clock have the same date, and may have swapped their paths.
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
        &information, upTo: Self.mostSummed,
        grownFrom: (known.renamed(item, to: path) ?? former)?.information)
      item.kind = .file(information)
      if contents?.isDatabase == true { databases.insert(path) }
      // Only the log may have some rows.
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

  /// The unit in which the system counts the space that a file occupies, in bytes.
  private static let block: Int64 = 512

  /// Returns the number of bytes on disk that the files of an item occupy, or those of the whole container. Holes
  /// occupy none. A file that cannot be examined counts with its whole size.
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
      return Int64(status.st_blocks) * block
    }
  }
}

extension FileTree.Item {
  /// Returns true if an item on disk need not be removed before this item is written.
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
  /// The number of bytes of two files that are compared at a time.
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

  /// Records the sum of this file's contents and the leaves in them. If the file has only grown since an earlier
  /// snapshot, the earlier contents become a part. Returns the contents, or nil if the file cannot be read.
  fileprivate func sum(
    _ information: inout FileTree.FileInformation, upTo most: Int,
    grownFrom former: FileTree.FileInformation?
  ) throws(SystemError) -> FileOperation.Contents? {
    let readable = try SystemError.unlessRefused { () throws(SystemError) in
      try contents(upTo: most)
    }
    guard let contents = readable else { return nil }
    guard case .bytes(let bytes) = contents, let former, former.contents.isKnown,
      former.size <= bytes.count
    else {
      information.contents = ContentsSum(contents)
      information.details = ContentsDetails(contents)
      return contents
    }
    var sum = ContentsSum(.bytes(Array(bytes.prefix(Int(former.size)))))
    let added = FileOperation.Contents.bytes(Array(bytes.dropFirst(Int(former.size))))
    let grown = sum == former.contents ? former.details(adding: added)?.parts : nil
    information.details = ContentsDetails(contents, parts: grown ?? ChunkedArray())
    sum.append(added)
    information.contents = sum
    return contents
  }

  private func contents(upTo most: Int) throws(SystemError) -> FileOperation.Contents {
    try withFile(O_RDONLY | O_NONBLOCK) { file throws(SystemError) -> FileOperation.Contents in
      var status = stat()
      guard fstat(file, &status) == 0 else { throw SystemError() }
      if status.st_size > most, try file.isHole() { return .zeros(Int64(status.st_size)) }
      let size = Int(status.st_size)
      guard size > most else { return .bytes(try file.bytes(at: 0, count: size)) }
      return .bytes(
        try file.bytes(at: 0, count: most / 2)
          + file.bytes(at: Int64(size - most / 2), count: most / 2))
    }
  }
}

extension Int32 {
  /// Returns bytes of this open file from an offset on; fewer than `count` only at its end.
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
    // Copied to free the unused capacity.
    return bytes.withUnsafeBufferPointer { Array($0) }
  }
}

extension FileTree {
  /// Returns the item that had another name in the same directory, as a rotated log; nil if there is none.
  fileprivate func renamed(_ item: Item, to path: ContainerPath) -> Item? {
    formerName(of: item, at: path).flatMap { self[ContainerPath($0, in: path.parent)] }
  }

  /// Returns the name that an item had in the same directory, or nil if it is the present one.
  fileprivate func formerName(of item: Item, at path: ContainerPath) -> ContainerPath.Component? {
    let inode = item.observation.inode
    guard inode != 0, let directory = path.parent.map({ self[$0]?.children }) ?? children,
      directory[path.name]?.observation.inode != inode
    else { return nil }
    return directory.list.first { $0.item.observation.inode == inode }?.name
  }
}

extension FileTree.Item {
  /// Reuses the sum and the leaves of a file's contents in an earlier snapshot, if its size and its date are the same.
  /// The files of a saved container keep their dates too.
  mutating func reuseContents(of former: FileTree.Item) {
    guard var information, let earlier = former.information, earlier.contents.isKnown,
      earlier.size == information.size, observation.modified != 0,
      observation.modified == former.observation.modified
    else { return }
    (information.contents, information.details) = (earlier.contents, earlier.details)
    kind = .file(information)
  }
}
