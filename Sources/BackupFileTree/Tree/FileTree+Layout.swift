extension FileTree {
  /// What stands in a container before the app has run.
  ///
  /// ```swift
  /// let tree = FileTree.Layout.newlyInstalled.tree
  /// tree.contains(try ContainerPath("Library/Caches"))  // true
  /// ```
  ///
  /// Source: `eidinger`, class `observed`. `Library/Application Support` is not among the directories.
  public struct Layout: Hashable, Sendable {
    /// The directories, a parent before what is in it.
    public let directories: [ContainerPath]

    /// A layout of these directories, each with its parents before it.
    ///
    /// - Parameter directories: Paths relative to the container, a parent before what is in it.
    public init(directories: [ContainerPath]) {
      self.directories = directories
    }

    /// A newly installed app's container.
    public static let newlyInstalled = Layout(
      directories: ContainerPath.StandardLocation.allCases.filter { $0 != .applicationSupport }.map(
        \.path))

    /// A container with these directories and nothing else, as a value.
    public var tree: FileTree {
      var tree = FileTree()
      for directory in directories {
        tree.ensureDirectory(directory)
      }
      return tree
    }
  }
}
