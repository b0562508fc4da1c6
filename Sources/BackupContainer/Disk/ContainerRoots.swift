import BackupFileTree
import Foundation

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

extension DiskPath {
  init(_ path: ContainerPath, in roots: ContainerRoots) {
    let place = roots.place(of: path)
    self = place.root
    if let path = place.path { append(path.bytes) }
  }
}

/// Where a container is: the app's own, or one beside it.
struct ContainerPlace: Sendable {
  /// The container's name in a tree; nil for the app's own.
  let name: ContainerPath.Component?
  let url: URL

  /// The path that an absolute one in this container has in a tree; nil for one outside, or of no item.
  func path(of absolute: String) -> ContainerPath? {
    Self.rest(of: absolute, below: url).flatMap { try? ContainerPath($0) }.map {
      ContainerPath($0, inContainer: name)
    }
  }

  /// What an absolute path has behind that of a directory, which may lie in `/private`.
  static func rest(of absolute: String, below directory: URL) -> Substring? {
    let roots = [directory.path, "/private" + directory.path]
    let root = roots.first { absolute.hasPrefix($0 + "/") }
    return root.map { absolute.dropFirst($0.count + 1) }
  }
}

/// Where the containers of a device are, and where they were.
struct ContainerPlaces: Sendable {
  /// Where they are, the app's own first.
  private(set) var current: [ContainerPlace]
  /// The places that they had before, newest last.
  private(set) var former: [ContainerPlace] = []
  /// The index of each of those by its name in the device's folder.
  private var formerIndices: [String: Int] = [:]

  init(_ current: [ContainerPlace]) {
    self.current = current
  }

  mutating func move(at index: Int, to url: URL) {
    let old = current[index]
    formerIndices[old.url.lastPathComponent] = former.count
    former.append(old)
    current[index] = ContainerPlace(name: old.name, url: url)
  }

  /// The former places whose directories have these names, the newest last.
  func former(named names: some Sequence<String>) -> [ContainerPlace] {
    names.compactMap { formerIndices[$0] }.sorted().map { former[$0] }
  }
}
