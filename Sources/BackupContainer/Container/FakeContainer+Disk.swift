public import BackupFileTree
import Foundation

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
  /// - Throws: ``FakeContainerError`` if the container itself cannot be read.
  public func scan() throws(FakeContainerError) -> FileTree {
    try scan(readingAllHeaders: false)
  }

  /// Reads the container, with the headers of all files or of those that decisions need.
  func scan(readingAllHeaders readsAllHeaders: Bool) throws(FakeContainerError) -> FileTree {
    try requireThere()
    do throws(SystemError) {
      return try Scanner.scan(roots, readingAllHeaders: readsAllHeaders)
    } catch {
      throw failure(error, whenTheyAre: "read")
    }
  }

  /// Makes the container on disk equal to a tree.
  ///
  /// What is there already, of the same kind and size, is left as it is, contents and all; anything
  /// not in the tree is removed. Files that are missing are copied from the archive, or made of
  /// zeros, a database with the header of one.
  ///
  /// - Parameters:
  ///   - tree: What the container holds afterwards; special and unreadable items are passed over.
  ///   - before: What it holds now; nil to look.
  ///   - archive: The files of a backup.
  /// - Throws: ``FakeContainerError`` if the file system refuses, or takes two names for one.
  package func materialise(
    _ tree: FileTree, from before: FileTree? = nil, contents archive: ContainerArchive? = nil
  ) throws(FakeContainerError) {
    try requireThere()
    if let (path, reason) = tree.objection(on: traits) {
      throw FakeContainerError(path: url(of: path).path, reason: reason)
    }
    let roots = self.roots
    var found = if let before { before } else { try scan() }
    for name in roots.beside.keys { found.ensureDirectory(ContainerPath(name)) }
    do throws(SystemError) {
      try removeItems(of: found, notIn: tree, in: roots)
      try tree.walk { path, item throws(SystemError) in
        let disk = DiskPath(path, in: roots)
        let former = found[path]
        try make(item, at: disk, found: former, archive?.copy(of: path))
        return !item.sharesChildren(with: former)
      }
    } catch {
      throw FakeContainerError(path: url.path, reason: "the container cannot be written: \(error)")
    }
  }

  /// Moves the containers to new paths, as an update of the app does; whether a group's too is
  /// `unverified`, so no app may count on the old one.
  ///
  /// - Throws: ``FakeContainerError`` if the file system refuses.
  package func moveToNewURL() throws(FakeContainerError) {
    try requireThere()
    do throws(SystemError) {
      try changeURL { old, new throws(SystemError) in try old.rename(to: new) }
    } catch {
      throw FakeContainerError(path: url.path, reason: "the container cannot be moved: \(error)")
    }
  }

  /// Leaves the containers for new, empty ones at other paths, as a new device does.
  ///
  /// - Throws: ``FakeContainerError`` if the file system refuses.
  package func replaceWithEmptyContainer() throws(FakeContainerError) {
    try requireThere()
    do throws(SystemError) {
      try changeURL { old, new throws(SystemError) in
        try old.removeItem()
        try new.makeDirectory()
      }
    } catch {
      throw FakeContainerError(path: url.path, reason: "the container cannot be replaced: \(error)")
    }
  }

  /// Makes a link hold the absolute path of an item in the container, and returns its bytes.
  package func makeLinkAbsolute(
    _ link: ContainerPath, _ destination: ContainerPath
  ) throws(FakeContainerError) -> [UInt8] {
    let roots = self.roots
    let target = DiskPath(destination, in: roots).bytes
    do throws(SystemError) {
      try DiskPath(link, in: roots).unlinkFile()
      try DiskPath(link, in: roots).makeLink(to: target)
      return target
    } catch {
      throw FakeContainerError(
        path: url(of: link).path, reason: "the link cannot be created: \(error)")
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
    let marks = isThere ? found?.marks ?? [] : []
    for mark in ExclusionMark.all where marks.contains(mark) != item.marks.contains(mark) {
      try disk.setMark(mark, item.marks.contains(mark))
    }
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

extension FakeContainer {
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
}
