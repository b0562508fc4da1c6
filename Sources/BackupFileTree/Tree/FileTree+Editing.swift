extension FileTree {
  /// Puts an item at a path whose parent directory exists, replacing what is there.
  ///
  /// - Parameters:
  ///   - item: What is put there, with all in it.
  ///   - path: Relative to the container.
  /// - Returns: False if the parent is not a directory.
  @discardableResult
  public mutating func insert(_ item: Item, at path: ContainerPath) -> Bool {
    withChildren(of: path.parent) { $0[path.name] = item } != nil
  }

  /// Takes an item out, with all in it.
  ///
  /// - Parameter path: Relative to the container; nothing needs to be there.
  /// - Returns: The item, or nil if nothing was there.
  @discardableResult
  public mutating func remove(_ path: ContainerPath) -> Item? {
    withChildren(of: path.parent) { children in
      defer { children[path.name] = nil }
      return children[path.name]
    } ?? nil
  }

  /// Changes the item at a path, if there is one.
  ///
  /// - Parameters:
  ///   - path: Relative to the container.
  ///   - change: Changes the item in place; not called if it does not exist.
  /// - Returns: False if the item does not exist.
  @discardableResult
  public mutating func modify(_ path: ContainerPath, _ change: (inout Item) -> Void) -> Bool {
    withChildren(of: path.parent) { $0.modify(path.name, change) } ?? false
  }

  /// Changes the items that are wanted, in the order of a walk. Where many are, this is quicker than one
  /// by one, and leaves what is in a directory in one piece.
  package mutating func modify<Failure: Error>(
    where isWanted: (Item) -> Bool,
    _ change: (ContainerPath, inout Item) throws(Failure) -> Void
  ) throws(Failure) {
    if let changed = try children.changed(in: nil, where: isWanted, change) { children = changed }
  }

  package mutating func setSizes(_ sizes: [ContainerPath: Int64]) {
    for (path, size) in sizes {
      modify(path) { $0.information?.size = size }
    }
  }

  /// Takes out all in a directory that are no directories and for which `isUnwanted` is true, or
  /// the one such item that is there itself; all else stays shared with copies.
  package mutating func removeFiles(
    in directory: ContainerPath, where isUnwanted: (ContainerPath) -> Bool
  ) {
    var hasAny = false
    let item = self[directory]
    item?.walk(at: directory) { path, item in
      hasAny = hasAny || !item.isDirectory && isUnwanted(path)
      return !hasAny
    }
    guard hasAny, let item else { return }
    if let kept = item.kept(at: directory, isUnwanted) {
      insert(kept, at: directory)
    } else {
      remove(directory)
    }
  }

  /// Makes a directory with those above it, where they are missing.
  ///
  /// - Parameter path: Relative to the container; nothing is made where a file is in the way.
  public mutating func ensureDirectory(_ path: ContainerPath) {
    for directory in path.ancestors + [path] where self[directory] == nil {
      insert(.emptyDirectory, at: directory)
    }
  }

  /// Changes what is right in a directory, or in the container for nil; nil where no such directory is.
  private mutating func withChildren<Result>(
    of directory: ContainerPath?, _ change: (inout Children) -> Result
  ) -> Result? {
    guard let directory else { return change(&children) }
    return Self.descend(into: &children, directory.components[...], change)
  }

  private static func descend<Result>(
    into children: inout Children, _ components: ArraySlice<ContainerPath.Component>,
    _ change: (inout Children) -> Result
  ) -> Result? {
    guard let name = components.first else { return change(&children) }
    var result: Result?
    _ = children.modify(name) { item in
      guard case .directory(var inner) = item.kind else { return }
      item.kind = .special  // gives up the storage, so that `inner` changes in place
      result = descend(into: &inner, components.dropFirst(), change)
      item.kind = .directory(inner)
    }
    return result
  }
}

extension FileTree.Children {
  /// These with the items changed that are wanted; nil if none is.
  fileprivate func changed<Failure: Error>(
    in directory: ContainerPath?, where isWanted: (FileTree.Item) -> Bool,
    _ change: (ContainerPath, inout FileTree.Item) throws(Failure) -> Void
  ) throws(Failure) -> FileTree.Children? {
    var entries = self.entries
    var hasChanged = false
    for index in entries.indices {
      let isOne = isWanted(entries[index].item)
      guard isOne || entries[index].item.isDirectory else { continue }
      let path = ContainerPath(entries[index].name, in: directory)
      if isOne { try change(path, &entries[index].item) }
      hasChanged = hasChanged || isOne
      if case .directory(let children) = entries[index].item.kind,
        let inner = try children.changed(in: path, where: isWanted, change)
      {
        entries[index].item.kind = .directory(inner)
        hasChanged = true
      }
    }
    return hasChanged ? FileTree.Children(sorted: entries) : nil
  }
}

extension FileTree.Item {
  /// This item without the files that are not wanted; nil for such a file itself.
  fileprivate func kept(
    at path: ContainerPath, _ isUnwanted: (ContainerPath) -> Bool
  ) -> FileTree.Item? {
    guard case .directory(let children) = kind else { return isUnwanted(path) ? nil : self }
    var directory = self
    directory.kind = .directory(
      children.filtered { name, item in item.kept(at: path.appending(name), isUnwanted) })
    return directory
  }
}
