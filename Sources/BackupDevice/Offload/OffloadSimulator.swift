package import BackupFileTree

/// Predicts the container of an app that is offloaded or deleted, and then installed again: a pure
/// function.
///
/// An offloaded app keeps Documents and Library. The kit assumes the worse case: the app loses
/// Library/Caches and all items outside Documents and Library (`unverified`). The same applies to
/// the app's extensions. A group's container loses only Library/Caches.
///
/// A deleted app loses all items, and so do its groups. Another app of a group may keep the group's
/// container, but the kit cannot know that.
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
    var newTree = layout.tree
    newTree.makeContainers(besideAppIn: tree)
    for name in tree.containerNames {
      for path in keptPaths(of: name) {
        guard let item = tree[path] else { continue }
        newTree.insert(item, at: path)
      }
      for path in profile.offload.lost.value {
        newTree.remove(ContainerPath(path, inContainer: name))
      }
    }
    for directory in layout.directories { newTree.ensureDirectory(directory) }
    newTree.makeContainers(besideAppIn: tree)
    return newTree
  }

  /// Returns the container of an app that was deleted and installed again.
  package func delete(_ tree: FileTree) -> FileTree {
    var newTree = layout.tree
    newTree.makeContainers(besideAppIn: tree)
    return newTree
  }

  /// Returns the paths that an offload keeps in a container. For a group, which other apps may
  /// share, this is the whole container.
  private func keptPaths(of name: ContainerPath.Component?) -> [ContainerPath] {
    if let name, name.isGroup { return [ContainerPath(name)] }
    return profile.offload.kept.value.map { ContainerPath($0, inContainer: name) }
  }
}
