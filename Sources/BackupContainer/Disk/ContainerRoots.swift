import BackupFileTree

/// Where the containers of one device are on disk: the one place that knows which directory a
/// path's first name means.
///
/// Each container beside the app's is a directory of its own beside that, so that an app which
/// lists its container does not come upon it.
struct ContainerRoots: Sendable {
  let own: DiskPath
  /// The containers of groups and extensions, by their names in a tree.
  let beside: [ContainerPath.Component: DiskPath]

  init(_ own: DiskPath, beside: [ContainerPath.Component: DiskPath] = [:]) {
    self.own = own
    self.beside = beside
  }

  init(_ places: [ContainerPlace], in device: DeviceFolder) {
    let beside = places.compactMap { place in
      place.name.map { ($0, DiskPath(place.url, in: device)) }
    }
    self.init(
      DiskPath(places[0].url, in: device), beside: Dictionary(beside) { first, _ in first })
  }

  /// The directory that holds an item, and where the item is in it, nil for the directory itself.
  fileprivate func place(of path: ContainerPath) -> (root: DiskPath, path: ContainerPath?) {
    guard !beside.isEmpty, let name = path.containerName, let root = beside[name] else {
      return (own, path)
    }
    return (root, path.pathInContainer)
  }
}

extension DiskPath {
  init(_ path: ContainerPath, in roots: ContainerRoots) {
    let place = roots.place(of: path)
    self = place.root
    if let path = place.path { append(path.bytes) }
  }
}

extension ContainerRoots {
  func layOut(_ layout: FileTree.Layout) throws(SystemError) {
    try own.makeDirectory()
    for path in layout.tree.paths {
      try DiskPath(path, in: self).makeDirectory()
    }
  }

  /// Removes what a tree says is in the containers, and these; what is something else stays.
  func removeKnownItems(_ tree: FileTree) {
    own.removeKnownItems(tree)
    for (name, root) in beside {
      root.removeKnownItems(FileTree(children: tree[ContainerPath(name)]?.children ?? .init()))
    }
  }
}
