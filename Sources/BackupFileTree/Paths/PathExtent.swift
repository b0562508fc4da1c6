/// How far the paths below an item reach beyond its own: in bytes and in levels of directories.
package struct PathExtent {
  /// The most bytes that a path below adds.
  private(set) var bytes = 0
  /// The most components that a path below adds.
  private(set) var levels = 0

  /// An extent; of an item with nothing below it by default.
  package init(bytes: Int = 0, levels: Int = 0) {
    self.bytes = bytes
    self.levels = levels
  }

  /// Takes an item right below into account, with what is below that.
  package mutating func include(nameOf count: Int, _ below: PathExtent) {
    bytes = max(bytes, count + 1 + below.bytes)
    levels = max(levels, 1 + below.levels)
  }

  /// Whether all of it would be at paths that a container holds, with the item at `path`.
  package func fits(below path: ContainerPath) -> Bool {
    path.bytes.count + bytes <= ContainerPath.longestPath
      && path.components.count + levels <= ContainerPath.deepestPath
  }
}
