/// A tree or a disk that performs file operations.
///
/// To perform an operation, a target first calls ``checkedItems(of:)``, which checks the operation.
/// Then the target changes the returned items without further checks.
package protocol OperationTarget {
  /// The target's description of an item that exists.
  associatedtype FoundItem

  func kind(of item: FoundItem) -> OperationItemKind

  /// Returns true if the container of a group or an extension exists.
  func hasContainer(_ name: ContainerPath.Component) -> Bool

  /// Returns the item at a path, or nil. Does not follow symbolic links in the path. The
  /// directories above the path must exist.
  func itemIfPresent(at path: ContainerPath) throws(FileOperation.Failure) -> FoundItem?

  /// Returns true if a directory is empty. A move can only replace an empty directory.
  func isEmpty(_ directory: FoundItem, at path: ContainerPath) throws(FileOperation.Failure) -> Bool

  /// Returns the length and the depth that the items in an item add to the item's path.
  func extent(
    of item: FoundItem, at path: ContainerPath
  ) throws(FileOperation.Failure) -> PathExtent
}

/// A kind of item that operations treat in its own way.
package enum OperationItemKind: Hashable, Sendable {
  /// A regular file, with its size in bytes.
  case file(size: Int64)
  case directory
  /// A socket, pipe or device, which no copy has.
  case special
  /// A symbolic link, or something that cannot be read.
  case other
}

/// The items that an operation will change.
package struct OperationItems<FoundItem> {
  /// The item that is moved, copied, removed, appended to or marked; nil for other operations.
  package var source: FoundItem?
  /// The existing item that is replaced or written over; nil if no item is at the path.
  package var target: FoundItem?
  /// The directories to create, the topmost first.
  package var missingDirectories: [ContainerPath] = []
}

/// The length and the depth that items in a directory add to the directory's path.
///
/// A move or a copy of the directory fails if a path at the destination would be too long or too
/// deep.
package struct PathExtent {
  /// The number of bytes that the longest path adds.
  private(set) var byteCount = 0
  /// The number of components that the deepest path adds.
  private(set) var levelCount = 0

  package init() {}

  /// Includes an item directly in the directory, with a name of `count` bytes and the extent of the
  /// paths in the item.
  package mutating func include(nameLength count: Int, _ extentOfItem: PathExtent) {
    byteCount = max(byteCount, count + 1 + extentOfItem.byteCount)
    levelCount = max(levelCount, 1 + extentOfItem.levelCount)
  }

  /// Returns true if no path would be too long or too deep with the directory at `path`.
  func fits(below path: ContainerPath) -> Bool {
    path.bytes.count + byteCount <= ContainerPath.longestPath
      && path.components.count + levelCount <= ContainerPath.deepestPath
  }
}

extension OperationTarget {
  /// Returns the items that an operation will change. Throws an error if the operation cannot be
  /// performed. Changes nothing.
  package func checkedItems(
    of operation: FileOperation
  ) throws(FileOperation.Failure) -> OperationItems<FoundItem> {
    for path in operation.namedPaths { try requireContainer(of: path, in: operation) }
    switch operation {
    case .createDirectory(let path, let intermediates):
      return try checkedItemsForCreation(path, intermediates: intermediates)
    case .write(let path, let contents, method: _):
      try requireParent(of: path)
      let target = try itemIfPresent(at: path)
      if let target { try requireFile(target, at: path) }
      try requireValidSize(adding: contents.size, to: 0, at: path)
      return OperationItems(target: target)
    case .append(let path, let contents):
      let item = try existingItem(at: path)
      try requireValidSize(adding: contents.size, to: try requireFile(item, at: path), at: path)
      return OperationItems(source: item)
    case .move(let source, to: let path, let replacing):
      return try checkedItemsForMove(source, to: path, replacing: replacing)
    case .copy(let source, to: let path):
      let item = try existingItem(at: source)
      if kind(of: item) == .special { throw FileOperation.Failure(.notAFile, source) }
      try requireNoItem(at: path)
      try requireValidDestination(for: item, from: source, at: path)
      return OperationItems(source: item)
    case .remove(let path):
      return OperationItems(source: try existingItem(at: path))
    case .link(let path, _):
      return try requireNoItem(at: path)
    case .setMark(_, on: let path, to: _):
      let item = try existingItem(at: path)
      if kind(of: item) != .directory { try requireFile(item, at: path) }
      return OperationItems(source: item)
    }
  }

  /// Returns the changes that perform an operation. Returns none for a write or a removal, because
  /// each target performs these in its own way.
  package func changes(
    of operation: FileOperation, on items: OperationItems<FoundItem>
  ) -> [FileChange] {
    switch operation {
    case .write, .remove: []
    case .createDirectory: items.missingDirectories.map(FileChange.createDirectory)
    case .append(let path, let contents):
      if let item = items.source, case .file(let size) = kind(of: item) {
        [.write(path, contents, at: size, isGrowth: contents.size > 0)]
      } else {
        []
      }
    case .move(let source, to: let path, replacing: _):
      source == path ? [] : [.rename(source, to: path)]
    case .copy(let source, to: let path): [.clone(source, to: path)]
    case .link(let path, let destination):
      [.link(path, target: destination.relative(toDirectoryOf: path))]
    case .setMark(let mark, on: let path, to: let isSet): [.setMark(mark, on: path, isSet: isSet)]
    }
  }

  /// Returns the directories to create. Throws an error if an item of another kind is at the path
  /// of a directory. Without `intermediates`, also throws an error if the directory exists.
  private func checkedItemsForCreation(
    _ path: ContainerPath, intermediates: Bool
  ) throws(FileOperation.Failure) -> OperationItems<FoundItem> {
    guard intermediates else {
      var items = try requireNoItem(at: path)
      items.missingDirectories = [path]
      return items
    }
    var missingDirectories: [ContainerPath] = []
    for directory in path.ancestors where try !isDirectory(directory) {
      missingDirectories.append(directory)
    }
    if let item = try itemIfPresent(at: path) {
      guard kind(of: item) == .directory else { throw FileOperation.Failure(.fileExists, path) }
    } else {
      missingDirectories.append(path)
    }
    return OperationItems(missingDirectories: missingDirectories)
  }

  /// Returns the item to move, and the item that rename(2) would replace, if any.
  private func checkedItemsForMove(
    _ source: ContainerPath, to path: ContainerPath, replacing: Bool
  ) throws(FileOperation.Failure) -> OperationItems<FoundItem> {
    let item = try existingItem(at: source)
    try requireParent(of: path)
    let target = try itemIfPresent(at: path)
    if let target {
      guard replacing else { throw FileOperation.Failure(.fileExists, path) }
      if source == path { return OperationItems(source: item, target: target) }
      try requireReplaceable(target, at: path, by: item)
    }
    try requireValidDestination(for: item, from: source, at: path)
    return OperationItems(source: item, target: target)
  }

  private func existingItem(at path: ContainerPath) throws(FileOperation.Failure) -> FoundItem {
    try requireParent(of: path)
    guard let item = try itemIfPresent(at: path) else {
      throw FileOperation.Failure(.noSuchFile, path)
    }
    return item
  }

  private func requireParent(of path: ContainerPath) throws(FileOperation.Failure) {
    for directory in path.ancestors where try !isDirectory(directory) {
      throw FileOperation.Failure(.noSuchFile, directory)
    }
  }

  private func isDirectory(_ path: ContainerPath) throws(FileOperation.Failure) -> Bool {
    switch try itemIfPresent(at: path).map(kind) {
    case .directory: return true
    case nil: return false
    case .file: throw FileOperation.Failure(.notADirectory, path)
    case .special, .other: throw FileOperation.Failure(.notAFile, path)
    }
  }

  /// Requires that the parent exists, and that no item is at the path.
  @discardableResult
  private func requireNoItem(
    at path: ContainerPath
  ) throws(FileOperation.Failure) -> OperationItems<FoundItem> {
    try requireParent(of: path)
    guard try itemIfPresent(at: path) == nil else { throw FileOperation.Failure(.fileExists, path) }
    return OperationItems()
  }

  /// Requires that an item is a file, and returns the size of the file.
  @discardableResult
  private func requireFile(
    _ item: FoundItem, at path: ContainerPath
  ) throws(FileOperation.Failure) -> Int64 {
    switch kind(of: item) {
    case .file(let size): return size
    case .directory: throw FileOperation.Failure(.isADirectory, path)
    case .special, .other: throw FileOperation.Failure(.notAFile, path)
    }
  }

  /// Requires that a file of `size` bytes can grow by `addedSize` bytes.
  private func requireValidSize(
    adding addedSize: Int64, to size: Int64, at path: ContainerPath
  ) throws(FileOperation.Failure) {
    guard addedSize <= FileOperation.Contents.largest - size else {
      throw FileOperation.Failure(.tooLarge, path)
    }
  }

  /// Requires that rename(2) can replace `target` by `item`.
  func requireReplaceable(
    _ target: FoundItem, at path: ContainerPath, by item: FoundItem
  ) throws(FileOperation.Failure) {
    let isTargetDirectory = kind(of: target) == .directory
    if kind(of: item) == .directory {
      guard isTargetDirectory else { throw FileOperation.Failure(.notADirectory, path) }
      guard try isEmpty(target, at: path) else {
        throw FileOperation.Failure(.directoryNotEmpty, path)
      }
    } else if isTargetDirectory {
      throw FileOperation.Failure(.isADirectory, path)
    }
  }

  /// Requires that a move or a copy does not put an item into itself, and makes no path too long.
  private func requireValidDestination(
    for item: FoundItem, from source: ContainerPath, at path: ContainerPath
  ) throws(FileOperation.Failure) {
    if source.isAncestor(of: path) { throw FileOperation.Failure(.intoItself, source) }
    guard try extent(of: item, at: source).fits(below: path) else {
      throw FileOperation.Failure(.pathTooLong, path)
    }
  }

  /// Requires that a path's container exists. If the path names the container itself, requires that
  /// the operation changes only attributes.
  private func requireContainer(
    of path: ContainerPath, in operation: FileOperation
  ) throws(FileOperation.Failure) {
    guard let name = path.containerName else { return }
    guard hasContainer(name) else {
      throw FileOperation.Failure(
        .failed, path,
        underlying:
          "there is no container '\(name)', and an app cannot create an item with such a name")
    }
    if operation.changesAttributes { return }
    guard !path.isContainer else {
      throw FileOperation.Failure(
        .failed, path,
        underlying:
          "it is a container, which only the system creates and removes; name an item in it"
      )
    }
  }
}
