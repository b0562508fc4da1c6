import BackupFileTree
import Foundation

/// Where a container is: the app's own, or one beside it.
struct ContainerPlace: Sendable {
  /// The container's name in a tree; nil for the app's own.
  let name: ContainerPath.Component?
  let url: URL

  /// The path that an absolute one in this container has in a tree, nil for one outside.
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
