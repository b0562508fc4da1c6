extension FileTree {
  /// The item at a path that must be there.
  func existing(_ path: ContainerPath) throws(FileOperationError) -> Item {
    try requireParent(of: path)
    guard let item = self[path] else { throw FileOperationError(.noSuchFile, path) }
    return item
  }

  /// Requires every directory above a path to be one.
  func requireParent(of path: ContainerPath) throws(FileOperationError) {
    for directory in path.ancestors { try requireDirectory(directory) }
  }

  /// Requires a directory, or nothing at all where that is fine.
  func requireDirectory(
    _ path: ContainerPath, missingIsFine: Bool = false
  ) throws(FileOperationError) {
    guard let item = self[path] else {
      if missingIsFine { return }
      throw FileOperationError(.noSuchFile, path)
    }
    switch item.kind {
    case .directory: return
    case .file: throw FileOperationError(.notADirectory, path)
    case .link, .special, .unreadable: throw FileOperationError(.notAFile, path)
    }
  }

  /// Requires the parent to be there and the path to be free.
  func requireNothing(at path: ContainerPath) throws(FileOperationError) {
    try requireParent(of: path)
    guard self[path] == nil else { throw FileOperationError(.fileExists, path) }
  }

  /// Requires a regular file.
  func requireFile(_ item: Item, _ path: ContainerPath) throws(FileOperationError) {
    switch item.kind {
    case .file: return
    case .directory: throw FileOperationError(.isADirectory, path)
    case .link, .special, .unreadable: throw FileOperationError(.notAFile, path)
    }
  }

  /// Requires what rename(2) requires of the item it replaces.
  func requireReplaceable(
    _ target: Item, _ path: ContainerPath, by item: Item
  ) throws(FileOperationError) {
    if item.isDirectory {
      guard target.isDirectory else { throw FileOperationError(.notADirectory, path) }
      guard target.children.isEmpty else { throw FileOperationError(.directoryNotEmpty, path) }
    } else if target.isDirectory {
      throw FileOperationError(.isADirectory, path)
    }
  }

  /// Requires that an item neither ends up in itself nor at too long a path.
  func requireRoom(
    for item: Item, from source: ContainerPath, at path: ContainerPath
  ) throws(FileOperationError) {
    if source.isAncestor(of: path) { throw FileOperationError(.intoItself, source) }
    guard item.extent.fits(below: path) else { throw FileOperationError(.pathTooLong, path) }
  }
}

extension FileTree.Item {
  /// How far the paths below this item reach.
  fileprivate var extent: PathExtent {
    children.entries.reduce(into: PathExtent()) { extent, entry in
      extent.include(nameOf: entry.name.bytes.count, entry.item.extent)
    }
  }
}

extension ContainerPath {
  /// This path as a link in the directory of `link` would spell it.
  package func relative(toDirectoryOf link: ContainerPath) -> [UInt8] {
    let base = link.components.dropLast()
    let own = components
    let shared = zip(base, own).prefix { $0 == $1 }.count
    let up = Array(repeating: Array("..".utf8), count: base.count - shared)
    let down = own.dropFirst(shared).map(\.bytes)
    let parts = up + down
    return parts.isEmpty ? [UInt8(ascii: ".")] : Array(parts.joined(separator: [Self.separator]))
  }
}
