extension FileTree {
  /// What stands in a container before the app has run.
  ///
  /// ```swift
  /// let tree = FileTree.Layout.newlyInstalled.tree
  /// tree.contains(try ContainerPath("Library/Caches"))  // true
  /// ```
  public struct Layout: Hashable, Sendable {
    /// The directories, a parent before what is in it.
    public let directories: [ContainerPath]
    /// A container with these directories and nothing else, as a value.
    public let tree: FileTree

    /// A layout of these directories, each with its parents before it.
    ///
    /// - Parameter directories: Paths relative to the container, a parent before what is in it.
    public init(directories: [ContainerPath]) {
      var tree = FileTree()
      for directory in directories { tree.ensureDirectory(directory) }
      self.directories = directories
      self.tree = tree
    }

    /// A newly installed app's container.
    ///
    /// Source: `eidinger`, class `observed`. `Library/Application Support` is not among the
    /// directories.
    public static let newlyInstalled = Layout(
      directories: ContainerPath.StandardLocation.allCases.filter { $0 != .applicationSupport }.map(
        \.path))

    /// A group's container that no app has written to: `Library/Caches` is all there is.
    ///
    /// Source: `apple-group-container`, class `documented`.
    public static let newGroup = Layout(
      directories: [ContainerPath.StandardLocation.library, .caches].map(\.path))
  }
}
