import BackupFileTree
import Foundation

/// The directories of a device's containers on disk. Only this type knows which directory the first
/// name of a path means.
///
/// The containers of groups and extensions are directories beside the app's, so that an app that
/// lists its own container does not find them.
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

  /// Returns the container directory with an item, and the item's path in it: nil for the directory
  /// itself.
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

  /// Removes the items of a tree from the containers, and then the containers. Other items stay.
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

/// The place of a container: the app's own, or one beside it.
struct ContainerPlace: Sendable {
  /// The container's name in a tree; nil for the app's own.
  let name: ContainerPath.Component?
  let url: URL
  /// What the absolute paths of its items begin with.
  private let start: [UInt8]

  init(name: ContainerPath.Component?, url: URL) {
    (self.name, self.url, self.start) = (name, url, Self.start(of: url))
  }

  /// Returns the path in a tree for an absolute path in this container; nil for a path outside, or
  /// for one that names no item.
  func path(of absolute: String) -> ContainerPath? {
    Self.rest(of: Array(absolute.utf8), after: start).flatMap { ContainerPath(ifValid: $0) }
      .map { ContainerPath($0, inContainer: name) }
  }

  /// Returns the part of an absolute path after a directory, which may be in `/private`.
  static func rest(of absolute: String, below directory: URL) -> String? {
    rest(of: Array(absolute.utf8), after: start(of: directory)).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private static func start(of directory: URL) -> [UInt8] { Array("\(directory.path)/".utf8) }

  private static func rest(of absolute: [UInt8], after start: [UInt8]) -> [UInt8]? {
    let start = start.isBeginning(of: absolute) ? start : Array("/private".utf8) + start
    return start.isBeginning(of: absolute) ? Array(absolute[start.count...]) : nil
  }
}

/// The present and former places of a device's containers.
struct ContainerPlaces: Sendable {
  /// The present places, the app's own first.
  private(set) var current: [ContainerPlace]
  /// The former places, the newest last.
  private(set) var former: [ContainerPlace] = []
  /// The index of each former place, by its name in the device's folder.
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

  /// Returns the former places whose directories have these names, the newest last.
  func former(named names: some Sequence<String>) -> [ContainerPlace] {
    names.compactMap { formerIndices[$0] }.sorted().map { former[$0] }
  }
}
