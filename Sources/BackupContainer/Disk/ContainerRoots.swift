import BackupFileTree
import Foundation

/// The directories of a device's containers on disk. Only this type knows that, for example, the
/// path `group.x:/a` is in the directory of the group `group.x`.
///
/// The containers of groups and extensions are beside the app's container. So an app that lists its
/// own container does not find them.
struct ContainerRoots: Sendable {
  /// The app's own container.
  let appContainer: DiskPath
  /// The containers of groups and extensions, by their names in a tree.
  let otherContainers: [ContainerPath.Component: DiskPath]

  init(_ own: DiskPath, otherContainers: [ContainerPath.Component: DiskPath] = [:]) {
    self.appContainer = own
    self.otherContainers = otherContainers
  }

  init(_ places: [ContainerPlace], in device: DeviceFolder) {
    let others = places.compactMap { place in
      place.name.map { ($0, DiskPath(place.url, in: device)) }
    }
    self.init(
      DiskPath(places[0].url, in: device), otherContainers: Dictionary(others) { first, _ in first }
    )
  }

  /// Returns the directory of the container with an item, and the item's path in this container.
  /// The path is nil if the item is the container itself.
  fileprivate func location(of path: ContainerPath) -> (root: DiskPath, path: ContainerPath?) {
    guard !otherContainers.isEmpty, let name = path.containerName, let root = otherContainers[name]
    else {
      return (appContainer, path)
    }
    return (root, path.pathWithoutContainerName)
  }

  /// Creates the containers with the directories of a layout.
  func layOut(_ layout: FileTree.Layout) throws(SystemError) {
    try appContainer.makeDirectory()
    for path in layout.tree.paths {
      try DiskPath(path, in: self).makeDirectory()
    }
  }

  /// Removes the items of a tree from the containers, and then the containers. Items that are not
  /// in the tree stay.
  func removeItems(of tree: FileTree) {
    appContainer.removeItems(of: tree)
    for (name, root) in otherContainers {
      root.removeItems(of: FileTree(children: tree[ContainerPath(name)]?.children ?? .init()))
    }
  }
}

extension DiskPath {
  /// Creates the path on disk of an item in a container.
  init(_ path: ContainerPath, in roots: ContainerRoots) {
    let location = roots.location(of: path)
    self = location.root
    if let path = location.path { append(path.bytes) }
  }
}

/// The place on disk of a container: the app's own, or that of a group or extension.
struct ContainerPlace: Sendable {
  /// The container's name in a tree; nil for the app's own.
  let name: ContainerPath.Component?
  let url: URL
  /// The bytes with which the absolute paths of the container's items begin.
  private let pathPrefix: [UInt8]

  init(name: ContainerPath.Component?, url: URL) {
    (self.name, self.url, self.pathPrefix) = (name, url, Self.prefix(of: url))
  }

  /// Returns the path in a tree for an absolute path in this container; nil if the absolute path is
  /// outside or names no item.
  func path(of absolutePath: String) -> ContainerPath? {
    Self.relativePath(of: Array(absolutePath.utf8), after: pathPrefix).flatMap {
      ContainerPath(ifValid: $0)
    }
    .map { ContainerPath($0, inContainer: name) }
  }

  /// Returns the part of an absolute path after a directory. The absolute path may begin with
  /// `/private`, even if the directory's does not.
  static func relativePath(of absolutePath: String, below directory: URL) -> String? {
    relativePath(of: Array(absolutePath.utf8), after: prefix(of: directory)).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private static func prefix(of directory: URL) -> [UInt8] { Array("\(directory.path)/".utf8) }

  private static func relativePath(of absolutePath: [UInt8], after prefix: [UInt8]) -> [UInt8]? {
    let prefix = prefix.isBeginning(of: absolutePath) ? prefix : Array("/private".utf8) + prefix
    return prefix.isBeginning(of: absolutePath) ? Array(absolutePath[prefix.count...]) : nil
  }
}

/// The present and former places of a device's containers.
struct ContainerPlaces: Sendable {
  /// The present places, the app's own first.
  private(set) var current: [ContainerPlace]
  /// The former places, the newest last.
  private(set) var former: [ContainerPlace] = []
  /// The index in `former` of each former place. The keys are names in the device's folder.
  private var formerIndices: [String: Int] = [:]

  init(_ current: [ContainerPlace]) {
    self.current = current
  }

  mutating func move(at index: Int, to url: URL) {
    let oldPlace = current[index]
    formerIndices[oldPlace.url.lastPathComponent] = former.count
    former.append(oldPlace)
    current[index] = ContainerPlace(name: oldPlace.name, url: url)
  }

  /// Returns the former places whose directories have these names, the newest last.
  func former(named names: some Sequence<String>) -> [ContainerPlace] {
    names.compactMap { formerIndices[$0] }.sorted().map { former[$0] }
  }
}
