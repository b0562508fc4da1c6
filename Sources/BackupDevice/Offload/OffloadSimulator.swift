package import BackupFileTree

/// Predicts the data that an app has after it is offloaded or deleted and installed again: a pure
/// function.
///
/// An offloaded app keeps its data, except Library/Caches and the items that an update need not
/// carry over (`unverified`: the kit assumes the worse case for the app). The same holds for its
/// extensions. Containers of groups lose only Library/Caches.
///
/// A deleted app keeps nothing. Its groups' containers are lost too, because the kit cannot know
/// whether another app of the group keeps them.
///
/// ```swift
/// let simulator = OffloadSimulator(profile: profile)
/// simulator.offload(tree).contains(try ContainerPath("Documents/note.txt"))  // true
/// simulator.delete(tree).contains(try ContainerPath("Documents/note.txt"))  // false
/// ```
package struct OffloadSimulator: Sendable {
  package let profile: SystemProfile
  package let layout: FileTree.Layout

  package init(profile: SystemProfile, layout: FileTree.Layout = .newlyInstalled) {
    self.profile = profile
    self.layout = layout
  }

  /// Returns the container of an app that was offloaded and installed again.
  package func offload(_ tree: FileTree) -> FileTree {
    var left = layout.tree
    left.makeContainers(besideAppIn: tree)
    for name in tree.containerNames {
      for path in kept(of: name) {
        guard let item = tree[path] else { continue }
        left.insert(item, at: path)
      }
      for path in profile.offload.lost.value { left.remove(ContainerPath(path, inContainer: name)) }
    }
    for directory in layout.directories { left.ensureDirectory(directory) }
    left.makeContainers(besideAppIn: tree)
    return left
  }

  /// Returns the container of an app that was deleted and installed again.
  package func delete(_ tree: FileTree) -> FileTree {
    var new = layout.tree
    new.makeContainers(besideAppIn: tree)
    return new
  }

  /// Returns the paths kept in a container; for a group, which other apps may share, the whole
  /// container.
  private func kept(of name: ContainerPath.Component?) -> [ContainerPath] {
    if let name, name.isGroup { return [ContainerPath(name)] }
    return profile.offload.kept.value.map { ContainerPath($0, inContainer: name) }
  }
}
