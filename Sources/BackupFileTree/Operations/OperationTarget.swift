/// Where operations are done: a tree or a disk, which both say what stands at a path.
///
/// What an operation requires stands here once, in ``requirements(of:)``; whoever does operations
/// asks there first and then changes what it found without looking again.
package protocol OperationTarget {
  associatedtype Found

  func kind(of item: Found) -> OperationKind

  func hasContainer(_ name: ContainerPath.Component) -> Bool

  /// What is at a path, nil for nothing; links on the way are not followed. The directories above
  /// it are known to be there.
  func found(at path: ContainerPath) throws(FileOperation.Failure) -> Found?

  /// Whether a directory is empty, so that it may be replaced.
  func isEmpty(_ directory: Found, at path: ContainerPath) throws(FileOperation.Failure) -> Bool

  /// How far the paths below an item reach, which limits where it can go.
  func extent(of item: Found, at path: ContainerPath) throws(FileOperation.Failure) -> PathExtent
}

package enum OperationKind: Hashable, Sendable {
  /// A regular file of a size in bytes.
  case file(size: Int64)
  case directory
  /// A socket, pipe or device, which no copy has.
  case special
  /// A symbolic link, or something that cannot be read.
  case other
}

/// What an operation that can be done will change.
package struct OperationItems<Found> {
  /// The item that is moved, copied, removed, appended to or marked; nil for other operations.
  package var source: Found?
  /// The existing item that is replaced or written over; nil if there was no item.
  package var target: Found?
  /// The directories to make, the topmost first.
  package var missingDirectories: [ContainerPath] = []
}

/// How far the paths below an item reach beyond its own: in bytes and in levels of directories.
package struct PathExtent {
  /// The most bytes that a path below adds.
  private(set) var bytes = 0
  /// The most components that a path below adds.
  private(set) var levels = 0

  package init() {}

  /// Takes an item right below into account, with what is below that.
  package mutating func include(nameOf count: Int, _ below: PathExtent) {
    bytes = max(bytes, count + 1 + below.bytes)
    levels = max(levels, 1 + below.levels)
  }

  /// Whether all of it would be at paths that a container holds, with the item at `path`.
  func fits(below path: ContainerPath) -> Bool {
    path.bytes.count + bytes <= ContainerPath.longestPath
      && path.components.count + levels <= ContainerPath.deepestPath
  }
}

extension OperationTarget {
  /// Requires that an operation can be done, and finds what it is about; changes nothing.
  package func requirements(
    of operation: FileOperation
  ) throws(FileOperation.Failure) -> OperationItems<Found> {
    for path in operation.namedPaths { try requireContainer(of: path, in: operation) }
    switch operation {
    case .createDirectory(let path, let intermediates):
      return try directoriesToMake(path, intermediates: intermediates)
    case .write(let path, let contents, method: _):
      try requireParent(of: path)
      let target = try found(at: path)
      if let target { try requireFile(target, at: path) }
      try requireSize(contents.size, beyond: 0, at: path)
      return OperationItems(target: target)
    case .append(let path, let contents):
      let item = try existing(path)
      try requireSize(contents.size, beyond: try requireFile(item, at: path), at: path)
      return OperationItems(source: item)
    case .move(let source, to: let path, let replacing):
      return try requirementsOfMoving(source, to: path, replacing: replacing)
    case .copy(let source, to: let path):
      let item = try existing(source)
      if kind(of: item) == .special { throw FileOperation.Failure(.notAFile, source) }
      try requireNothing(at: path)
      try requireRoom(for: item, from: source, at: path)
      return OperationItems(source: item)
    case .remove(let path):
      return OperationItems(source: try existing(path))
    case .link(let path, _):
      return try requireNothing(at: path)
    case .setMark(_, on: let path, to: _):
      let item = try existing(path)
      if kind(of: item) != .directory { try requireFile(item, at: path) }
      return OperationItems(source: item)
    }
  }

  /// The changes by which a target does an operation that can be done; none for a save and a removal,
  /// which targets do at once.
  package func changes(
    of operation: FileOperation, on items: OperationItems<Found>
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
    case .setMark(let mark, on: let path, to: let isSet): [.mark(mark, on: path, isSet: isSet)]
    }
  }

  /// The directories that are missing. Throws if a file is in the way of one.
  private func directoriesToMake(
    _ path: ContainerPath, intermediates: Bool
  ) throws(FileOperation.Failure) -> OperationItems<Found> {
    guard intermediates else {
      var items = try requireNothing(at: path)
      items.missingDirectories = [path]
      return items
    }
    var missing: [ContainerPath] = []
    for directory in path.ancestors where try !isDirectory(directory) { missing.append(directory) }
    if let item = try found(at: path) {
      guard kind(of: item) == .directory else { throw FileOperation.Failure(.fileExists, path) }
    } else {
      missing.append(path)
    }
    return OperationItems(missingDirectories: missing)
  }

  /// An item, and a place for it: free, or taken by what rename(2) would replace.
  private func requirementsOfMoving(
    _ source: ContainerPath, to path: ContainerPath, replacing: Bool
  ) throws(FileOperation.Failure) -> OperationItems<Found> {
    let item = try existing(source)
    try requireParent(of: path)
    let target = try found(at: path)
    if let target {
      guard replacing else { throw FileOperation.Failure(.fileExists, path) }
      if source == path { return OperationItems(source: item, target: target) }
      try requireReplaceable(target, at: path, by: item)
    }
    try requireRoom(for: item, from: source, at: path)
    return OperationItems(source: item, target: target)
  }

  private func existing(_ path: ContainerPath) throws(FileOperation.Failure) -> Found {
    try requireParent(of: path)
    guard let item = try found(at: path) else { throw FileOperation.Failure(.noSuchFile, path) }
    return item
  }

  private func requireParent(of path: ContainerPath) throws(FileOperation.Failure) {
    for directory in path.ancestors where try !isDirectory(directory) {
      throw FileOperation.Failure(.noSuchFile, directory)
    }
  }

  private func isDirectory(_ path: ContainerPath) throws(FileOperation.Failure) -> Bool {
    switch try found(at: path).map(kind) {
    case .directory: return true
    case nil: return false
    case .file: throw FileOperation.Failure(.notADirectory, path)
    case .special, .other: throw FileOperation.Failure(.notAFile, path)
    }
  }

  /// Requires the parent to be there and the path to be free.
  @discardableResult
  private func requireNothing(
    at path: ContainerPath
  ) throws(FileOperation.Failure) -> OperationItems<Found> {
    try requireParent(of: path)
    guard try found(at: path) == nil else { throw FileOperation.Failure(.fileExists, path) }
    return OperationItems()
  }

  @discardableResult
  private func requireFile(
    _ item: Found, at path: ContainerPath
  ) throws(FileOperation.Failure) -> Int64 {
    switch kind(of: item) {
    case .file(let size): return size
    case .directory: throw FileOperation.Failure(.isADirectory, path)
    case .special, .other: throw FileOperation.Failure(.notAFile, path)
    }
  }

  /// Requires that bytes added to those of a file make none that is larger than the kit makes.
  private func requireSize(
    _ added: Int64, beyond size: Int64, at path: ContainerPath
  ) throws(FileOperation.Failure) {
    guard added <= FileOperation.Contents.largest - size else {
      throw FileOperation.Failure(.tooLarge, path)
    }
  }

  /// Requires what rename(2) requires of the item it replaces.
  func requireReplaceable(
    _ target: Found, at path: ContainerPath, by item: Found
  ) throws(FileOperation.Failure) {
    let isDirectory = kind(of: target) == .directory
    if kind(of: item) == .directory {
      guard isDirectory else { throw FileOperation.Failure(.notADirectory, path) }
      guard try isEmpty(target, at: path) else {
        throw FileOperation.Failure(.directoryNotEmpty, path)
      }
    } else if isDirectory {
      throw FileOperation.Failure(.isADirectory, path)
    }
  }

  /// Requires that an item neither ends up in itself nor at too long a path.
  private func requireRoom(
    for item: Found, from source: ContainerPath, at path: ContainerPath
  ) throws(FileOperation.Failure) {
    if source.isAncestor(of: path) { throw FileOperation.Failure(.intoItself, source) }
    guard try extent(of: item, at: source).fits(below: path) else {
      throw FileOperation.Failure(.pathTooLong, path)
    }
  }

  /// Requires that a path which names a container names one that is there, and something in it:
  /// the app can mark a container itself, and that is all.
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
