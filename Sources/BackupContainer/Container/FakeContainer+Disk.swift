import BackupCollections
public import BackupDiagnostics
public import BackupFileTree
import CBackupFiles
package import Foundation

extension FakeContainer {
  /// Reads the container from disk, with those of groups and extensions beside it: what is in the
  /// container of the group `group.x` is at `group.x:/` in the tree.
  ///
  /// An item that cannot be read becomes one that says why. Nothing on disk is changed.
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
    try requireThere()
    do throws(SystemError) {
      return try Scanner.scan(roots, options)
    } catch {
      throw failure(error, whenTheyAre: "read")
    }
  }

  /// Makes the container on disk equal to a tree.
  ///
  /// What is there already, of the same kind and size, is left as it is, contents and all; anything
  /// not in the tree is removed. Files that are missing are copied from the archive, or made of
  /// zeros, a database with the header of one.
  /// Special and unreadable items are passed over.
  package func materialise(
    _ tree: FileTree, from before: FileTree? = nil, contents archive: ContainerArchive? = nil
  ) throws(RunError) {
    try requireThere()
    if let (path, reason) = tree.objection(on: traits) {
      throw RunError(path: url(of: path).path, reason: reason)
    }
    let roots = self.roots
    var found = if let before { before } else { try scan() }
    for name in roots.beside.keys { found.ensureDirectory(ContainerPath(name)) }
    try changing("the container cannot be written") { () throws(SystemError) in
      try removeItems(of: found, notIn: tree, in: roots)
      try tree.walk { path, item throws(SystemError) in
        let disk = DiskPath(path, in: roots)
        let former = found[path]
        try make(item, at: disk, found: former, archive?.copy(of: path))
        return !item.sharesChildren(with: former)
      }
    }
  }

  /// Moves the containers to new paths, as an update of the app does; whether a group's too is
  /// `unverified`, so no app may count on the old one.
  package func moveToNewURL() throws(RunError) {
    try changing("the container cannot be moved") { () throws(SystemError) in
      try changeURL { old, new throws(SystemError) in try old.rename(to: new) }
    }
  }

  /// Leaves the containers for new, empty ones at other paths, as a new device does.
  package func replaceWithEmptyContainer() throws(RunError) {
    try changing("the container cannot be replaced") { () throws(SystemError) in
      try changeURL { old, new throws(SystemError) in
        try old.removeItem()
        try new.makeDirectory()
      }
    }
  }

  /// Does something to the containers, or to an item; `problem` is what is said if that fails.
  func changing<Result>(
    _ problem: String, at path: ContainerPath? = nil, _ body: () throws(SystemError) -> Result
  ) throws(RunError) -> Result {
    try requireThere()
    do throws(SystemError) {
      return try body()
    } catch {
      throw RunError(
        path: (path.map(url) ?? url).path, reason: "\(problem): \(error)",
        isMachineFault: error.isMachineFault)
    }
  }

  /// Makes a link hold the absolute path of an item in the container, and returns its bytes.
  package func makeLinkAbsolute(
    _ link: ContainerPath, _ destination: ContainerPath
  ) throws(RunError) -> [UInt8] {
    let target = DiskPath(destination, in: roots).bytes
    return try calling(link, "the link cannot be created") { disk throws(SystemError) in
      try disk.unlinkFile()
      try disk.makeLink(to: target)
      return target
    }
  }

  /// Removes what the tree does not have, or has as another kind of item.
  private func removeItems(
    of found: FileTree, notIn tree: FileTree, in roots: ContainerRoots
  ) throws(SystemError) {
    try found.walk { path, item throws(SystemError) in
      if let wanted = tree[path], wanted.canStandIn(for: item) {
        return !item.sharesChildren(with: wanted)
      }
      try DiskPath(path, in: roots).removeItem()
      return false
    }
  }

  private func make(
    _ item: FileTree.Item, at disk: DiskPath, found: FileTree.Item?, _ copy: DiskPath?
  ) throws(SystemError) {
    let isThere = found.map(item.canStandIn) ?? false
    switch item.kind {
    case .directory:
      if !isThere { try disk.makeDirectory() }
    case .file(let information):
      try make(information, at: disk, found: isThere ? found : nil, copy)
    case .link(let target):
      if !isThere { try disk.makeLink(to: target) }
      return
    case .special, .unreadable:
      return
    }
    try disk.setAttributes(
      item.attributes, replacing: (isThere ? found : nil)?.attributes ?? .ofNewItem)
  }

  private func make(
    _ information: FileTree.FileInformation, at disk: DiskPath, found: FileTree.Item?,
    _ copy: DiskPath?
  ) throws(SystemError) {
    if let found {
      guard found.size != information.size else { return }
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

  /// What a file holds; nil if it is missing. No link on the way is followed.
  package func bytes(of path: ContainerPath) throws(RunError) -> [UInt8]? {
    try calling(path, "cannot be read") { disk throws(SystemError) in try disk.bytesIfThere() }
  }

  /// The permission bits of an item; nil if it is missing.
  package func permissions(of path: ContainerPath) throws(RunError) -> UInt32? {
    try calling(path, "cannot be read") { disk throws(SystemError) in
      try disk.status()?.permissions
    }
  }

  /// Copies what a file holds, without its attributes, to where nothing is; holes stay holes.
  package func copyFile(_ path: ContainerPath, to url: URL) throws(RunError) {
    try requireThere()
    do throws(SystemError) {
      try DiskPath(path, in: roots).copyFile(to: DiskPath(url))
    } catch {
      // Where the copy is made is the user's choice, and no folder of the kit's.
      let words = String(cString: strerror(error.number)).lowercased()
      throw RunError(path: path.description, reason: "cannot be copied: \(words)")
    }
  }

  /// The offset at which a file first differs from the copy of it in a backup, which has the same
  /// size; nil for nowhere. Two files that were both made by their size hold the same.
  package func firstDifference(
    of path: ContainerPath, from archive: ContainerArchive
  ) throws(RunError) -> Int64? {
    try calling(path, "cannot be read") { disk throws(SystemError) in
      guard let copy = archive.copy(of: path) else { return nil }
      return try disk.firstDifference(from: copy)
    }
  }

  /// Calls `body` with an item's path on disk; `problem` is what is said of it if that fails.
  private func calling<Result>(
    _ path: ContainerPath, _ problem: String, _ body: (DiskPath) throws(SystemError) -> Result
  ) throws(RunError) -> Result {
    try changing(problem, at: path) { () throws(SystemError) in
      try body(DiskPath(path, in: roots))
    }
  }

  /// The largest file that is read to tell its contents from others, in bytes; a larger one is
  /// known by as many in its begin and its end.
  private static let mostSummed = 16_000_000

  /// A look at the container with what tells each file's contents from others, and the leaves in it;
  /// `known` says them of files that have not changed since.
  package func summed(_ tree: FileTree, known: FileTree) throws(RunError) -> FileTree {
    try changing("its files cannot be read") { () throws(SystemError) in
      try withSums(tree, known: known)
    }
  }

  /// The same; `before` is the container before what has changed it, if that is known.
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
      // Two files that were saved in one tick of the clock have the same date: one of them may be at the other's path.
      if let name = before?.formerName(of: item, at: path) {
        if let moved = known[ContainerPath(name, in: path.parent)] {
          item.takeContents(from: moved)
        }
      } else if let former,
        before?[path].map({ $0.observation.inode == item.observation.inode }) ?? true
      {
        item.takeContents(from: former)
      }
      guard var information = item.information, !information.contents.isKnown else { return }
      let contents = try DiskPath(path, in: roots).sum(
        &information, upTo: Self.mostSummed,
        grownFrom: (known.renamed(item, to: path) ?? former)?.information)
      item.kind = .file(information)
      if contents?.isDatabase == true { databases.insert(path) }
      // Rows may be in a log alone.
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

  /// The unit in which the system counts what a file occupies, in bytes.
  private static let block: Int64 = 512

  /// How many bytes of the disk the files of an item take, or of the whole container. Those made by
  /// their size only take none; one that cannot be looked at counts with its whole size.
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
  /// Whether an item on disk can be left standing for this one.
  fileprivate func canStandIn(for found: FileTree.Item) -> Bool {
    switch (kind, found.kind) {
    case (.directory, .directory), (.file, .file): true
    case (.link(let target), .link(let other)): target == other
    case (.special, .special), (.unreadable, .unreadable): true
    default: false
    }
  }
}

extension DiskPath {
  /// How many bytes of two files are compared at a time.
  private static let comparedAtOnce = 65_536

  /// Where this file first holds something else than another; nil if both hold the same.
  fileprivate func firstDifference(from other: DiskPath) throws(SystemError) -> Int64? {
    try withFile(O_RDONLY | O_NONBLOCK) { file throws(SystemError) in
      try other.withFile(O_RDONLY | O_NONBLOCK) { copy throws(SystemError) in
        if try file.isHole(), try copy.isHole() { return nil }
        var offset: Int64 = 0
        while true {
          let mine = try file.bytes(at: offset, count: Self.comparedAtOnce)
          let theirs = try copy.bytes(at: offset, count: Self.comparedAtOnce)
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

  /// Notes what tells this file's contents from others, the leaves in it, and whether it begins with what a
  /// former look found. Returns the contents; nil if the file cannot be read.
  fileprivate func sum(
    _ information: inout FileTree.FileInformation, upTo most: Int,
    grownFrom former: FileTree.FileInformation?
  ) throws(SystemError) -> FileOperation.Contents? {
    let found = try SystemError.unlessRefused { () throws(SystemError) in
      try contents(upTo: most)
    }
    guard let contents = found else { return nil }
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
  /// Bytes of this open file from an offset on; fewer only at its end.
  func bytes(at offset: Int64, count: Int) throws(SystemError) -> [UInt8] {
    var fault: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let found = pread(
          self, buffer.baseAddress?.advanced(by: filled), count - filled,
          off_t(offset) + off_t(filled))
        if found < 0, errno == EINTR { continue }
        if found < 0 { fault = SystemError() }
        guard found > 0 else { return }
        filled += found
      }
    }
    if let fault { throw fault }
    // Without the room that is left over.
    return bytes.withUnsafeBufferPointer { Array($0) }
  }
}

extension FileTree {
  /// The item that had another name in the same directory, as a log that is rotated; nil without one.
  fileprivate func renamed(_ item: Item, to path: ContainerPath) -> Item? {
    formerName(of: item, at: path).flatMap { self[ContainerPath($0, in: path.parent)] }
  }

  /// The name that an item had in the same directory, if it was another.
  fileprivate func formerName(of item: Item, at path: ContainerPath) -> ContainerPath.Component? {
    let inode = item.observation.inode
    guard inode != 0, let directory = path.parent.map({ self[$0]?.children }) ?? children,
      directory[path.name]?.observation.inode != inode
    else { return nil }
    return directory.list.first { $0.item.observation.inode == inode }?.name
  }
}

extension FileTree.Item {
  /// Takes over what an earlier look knew of a file's contents, if its size and its date are the same.
  /// Copies that a kept container is set back to have the dates, too.
  mutating func takeContents(from former: FileTree.Item) {
    guard var information, let known = former.information, known.contents.isKnown,
      known.size == information.size, observation.modified != 0,
      observation.modified == former.observation.modified
    else { return }
    (information.contents, information.details) = (known.contents, known.details)
    kind = .file(information)
  }
}
