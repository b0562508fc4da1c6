extension FileTree {
  /// The names of the containers that the tree holds: nil for the app's own, then those of groups,
  /// then those of extensions, each in the order of their bytes.
  package var containerNames: [ContainerPath.Component?] {
    let beside = children.entries.filter { $0.item.isDirectory && $0.name.isContainer }.map(\.name)
    return [nil] + beside.filter(\.isGroup) + beside.filter { !$0.isGroup }
  }
}

extension FileTree.Layout {
  /// This layout of an app's container, with new containers of groups and extensions beside it.
  ///
  /// - Parameters:
  ///   - groups: The groups' identifiers, each beginning with `group.`.
  ///   - extensions: The extensions' bundle identifiers, each beginning with the app's and a dot.
  /// - Returns: The layout of all of them as one tree; this one where there are none.
  package func beside(groups: [String], extensions: [String]) -> FileTree.Layout {
    let beside =
      groups.map { ($0, FileTree.Layout.newGroup) }
      + extensions.map { ($0, FileTree.Layout.newlyInstalled) }
    return FileTree.Layout(
      directories: directories
        + beside.flatMap { identifier, layout in
          let name = ContainerPath.Component(containerOf: identifier)
          return [ContainerPath(name)]
            + layout.directories.map { ContainerPath($0, inContainer: name) }
        })
  }
}
