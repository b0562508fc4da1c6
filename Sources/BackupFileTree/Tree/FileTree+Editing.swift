extension FileTree {
  /// Inserts an item at a path. Replaces an existing item.
  ///
  /// - Parameters:
  ///   - item: The item, with all items in it.
  ///   - path: A path relative to the container.
  /// - Returns: False if the parent is not a directory.
  @discardableResult
  public mutating func insert(_ item: Item, at path: ContainerPath) -> Bool {
    withChildren(of: path.parent) { $0[path.name] = item } != nil
  }

  /// Removes an item with all items in it.
  ///
  /// - Parameter path: A path relative to the container. The item need not exist.
  /// - Returns: The removed item, or nil if it did not exist.
  @discardableResult
  public mutating func remove(_ path: ContainerPath) -> Item? {
    withChildren(of: path.parent) { children in
      defer { children[path.name] = nil }
      return children[path.name]
    } ?? nil
  }

  /// Returns the tree without the items at some paths.
  package func removing(_ paths: some Sequence<ContainerPath>) -> FileTree {
    var tree = self
    for path in paths { tree.remove(path) }
    return tree
  }

  /// Changes the item at a path, if there is one.
  ///
  /// - Parameters:
  ///   - path: A path relative to the container.
  ///   - change: Changes the item in place. It is not called if the item does not exist.
  /// - Returns: False if the item does not exist.
  @discardableResult
  public mutating func modify(_ path: ContainerPath, _ change: (inout Item) -> Void) -> Bool {
    withChildren(of: path.parent) { $0.modify(path.name, change) } ?? false
  }

  /// Changes the items that satisfy a condition, in the order of ``walk(_:)``.
  ///
  /// For many items, this is faster than a call of ``modify(_:_:)`` for each item. The entries of a
  /// changed directory are then in one chunk.
  package mutating func modify<Failure: Error>(
    where condition: (Item) -> Bool,
    _ change: (ContainerPath, inout Item) throws(Failure) -> Void
  ) throws(Failure) {
    if let newChildren = try children.changingItems(in: nil, where: condition, change) {
      children = newChildren
    }
  }

  package mutating func setSizes(_ sizes: [ContainerPath: Int64]) {
    for (path, size) in sizes {
      modify(path) { $0.information?.size = size }
    }
  }

  /// Removes the items that satisfy a condition, except directories. Looks at the item at
  /// `directory`, and at all items in it.
  ///
  /// If no item satisfies the condition, the tree does not change, and continues to share its
  /// storage with copies.
  package mutating func removeFiles(
    in directory: ContainerPath, where shouldBeRemoved: (ContainerPath) -> Bool
  ) {
    var hasMatch = false
    let item = self[directory]
    item?.walk(at: directory) { path, item in
      hasMatch = hasMatch || !item.isDirectory && shouldBeRemoved(path)
      return !hasMatch
    }
    guard hasMatch, let item else { return }
    if let remainingItem = item.removingFiles(at: directory, where: shouldBeRemoved) {
      insert(remainingItem, at: directory)
    } else {
      remove(directory)
    }
  }

  /// Creates a directory and the directories above it, if they are missing.
  ///
  /// - Parameter path: A path relative to the container. Nothing is created below a file.
  public mutating func ensureDirectory(_ path: ContainerPath) {
    for directory in path.ancestors + [path] where self[directory] == nil {
      insert(.emptyDirectory, at: directory)
    }
  }

  /// Changes the children of a directory, or those of the container if `directory` is nil. Returns
  /// nil if no directory is at this path.
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
      guard case .directory(var innerChildren) = item.kind else { return }
      item.kind = .special  // releases the storage, so that `innerChildren` is changed in place
      result = descend(into: &innerChildren, components.dropFirst(), change)
      item.kind = .directory(innerChildren)
    }
    return result
  }
}

extension FileTree.Children {
  /// Changes the items that satisfy a condition, and returns the new children. Returns nil if no
  /// item satisfies the condition.
  fileprivate func changingItems<Failure: Error>(
    in directory: ContainerPath?, where condition: (FileTree.Item) -> Bool,
    _ change: (ContainerPath, inout FileTree.Item) throws(Failure) -> Void
  ) throws(Failure) -> FileTree.Children? {
    var entries = self.entries
    var hasChanged = false
    for index in entries.indices {
      let isMatch = condition(entries[index].item)
      guard isMatch || entries[index].item.isDirectory else { continue }
      let path = ContainerPath(entries[index].name, in: directory)
      if isMatch { try change(path, &entries[index].item) }
      hasChanged = hasChanged || isMatch
      if case .directory(let children) = entries[index].item.kind,
        let innerChildren = try children.changingItems(in: path, where: condition, change)
      {
        entries[index].item.kind = .directory(innerChildren)
        hasChanged = true
      }
    }
    return hasChanged ? FileTree.Children(sorted: entries) : nil
  }
}

extension FileTree.Item {
  /// Returns the item without the items in it that satisfy a condition, except directories.
  /// Returns nil if the item itself satisfies the condition and is not a directory.
  fileprivate func removingFiles(
    at path: ContainerPath, where shouldBeRemoved: (ContainerPath) -> Bool
  ) -> FileTree.Item? {
    guard case .directory(let children) = kind else { return shouldBeRemoved(path) ? nil : self }
    var directory = self
    directory.kind = .directory(
      children.compactMap { name, item in
        item.removingFiles(at: path.appending(name), where: shouldBeRemoved)
      })
    return directory
  }
}
