import BackupFileTree
import Foundation

/// Where a container is: the app's own, or one beside it.
struct ContainerPlace: Sendable {
  /// The container's name in a tree; nil for the app's own.
  let name: ContainerPath.Component?
  /// Its directory.
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
