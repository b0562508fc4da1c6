package import BackupFileTree

/// Predicts what is left of an app that is taken off the device: a pure function.
///
/// An app that is offloaded keeps its data, but for Library/Caches and what an update need not
/// carry over (`unverified`: resolved against the app); so do its extensions. Groups' containers
/// lose Library/Caches only. One that is deleted keeps nothing, in its groups' containers neither:
/// whether another app of the group keeps them, the kit cannot know.
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

  /// The container of an app that was offloaded, after it is installed again.
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

  /// The container of an app that was deleted, after it is installed again.
  package func delete(_ tree: FileTree) -> FileTree {
    var new = layout.tree
    new.makeContainers(besideAppIn: tree)
    return new
  }

  /// What is kept of a container: all of a group's, which other apps may share.
  private func kept(of name: ContainerPath.Component?) -> [ContainerPath] {
    if let name, name.isGroup { return [ContainerPath(name)] }
    return profile.offload.kept.value.map { ContainerPath($0, inContainer: name) }
  }
}
