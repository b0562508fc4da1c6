public import BackupFileTree

/// Predicts the contents of a container after an update of the app: a pure function.
///
/// The update makes a new container at another path. The update carries over Documents and Library,
/// and may carry over other items (`apple-app-guide`). An update may lose items in Library/Caches
/// (`unverified`), so the caller names the items that this update loses.
///
/// The tree may have containers of groups and extensions, such as `group.x:`. An update changes an
/// extension's container like the app's own. It does not change a group's container, which other
/// apps may share. Both statements are `unverified`.
///
/// ```swift
/// let updated = UpdateSimulator(profile: profile).update(tree)
/// updated.contains(try ContainerPath("Documents/note.txt"))  // true
/// updated.contains(try ContainerPath("tmp/scratch"))  // false
/// ```
public struct UpdateSimulator: Sendable {
  /// The profile of the version of iOS that is simulated.
  public let profile: SystemProfile
  /// The layout of a new container.
  public let layout: FileTree.Layout

  /// Creates a simulator of updates under one version of iOS.
  ///
  /// - Parameters:
  ///   - profile: The profile of the version of iOS that is simulated.
  ///   - layout: The layout of the new container. The update creates its missing directories.
  public init(profile: SystemProfile, layout: FileTree.Layout = .newlyInstalled) {
    self.profile = profile
    self.layout = layout
  }

  /// Returns the container after the update.
  ///
  /// - Parameters:
  ///   - tree: The container before the update.
  ///   - keeping: Items that this update also carries over, though an update need not.
  ///   - losing: Patterns of items that this update does not carry over, each with all items in it.
  ///     Documents stays, and so does Library outside Library/Caches, even if a pattern matches.
  /// - Returns: The new container; marks stay on the items carried over (`unverified`).
  public func update(
    _ tree: FileTree, keeping: [ContainerPath] = [], losing: [PathPattern] = []
  ) -> FileTree {
    var updatedTree = layout.tree
    var remainingTree = tree
    for path in itemsLost(from: tree, losing) { remainingTree.remove(path) }
    for path in tree.containerNames.flatMap(carriedOverPaths) + keeping {
      guard let item = remainingTree[path] else { continue }
      if let parent = path.parent { updatedTree.ensureDirectory(parent) }
      updatedTree.insert(item, at: path)
    }
    for directory in layout.directories where !updatedTree.contains(directory) {
      updatedTree.ensureDirectory(directory)
    }
    updatedTree.makeContainers(besideAppIn: tree)
    return updatedTree
  }

  /// Returns the paths that an update carries over in a container. The name of the app's own
  /// container is nil.
  private func carriedOverPaths(of name: ContainerPath.Component?) -> [ContainerPath] {
    if let name, name.isGroup, profile.updateKeepsGroups.value { return [ContainerPath(name)] }
    return profile.update.carriedOver.value.map { ContainerPath($0, inContainer: name) }
  }

  /// Returns the topmost items that match a pattern and that an update may lose.
  private func itemsLost(from tree: FileTree, _ patterns: [PathPattern]) -> [ContainerPath] {
    let index = PatternIndex(patterns)
    let places = PathPattern.coveringPaths(of: patterns).map { $0.map(Optional.some) } ?? [nil]
    var lostPaths: [ContainerPath] = []
    for place in places {
      tree.walk(from: place) { path, _ in
        guard profile.mayLose(path) else {
          return path.isContainer || profile.mayLoseItems(in: path)
        }
        guard index.firstIndex(matching: path) != nil else { return true }
        lostPaths.append(path)
        return false
      }
    }
    return lostPaths
  }
}

extension SystemProfile {
  /// Returns whether an update may lose the item.
  fileprivate func mayLose(_ path: ContainerPath) -> Bool {
    guard let relativePath = path.pathWithoutContainerName, !isInKeptContainer(path) else {
      return false
    }
    return update.mayBeLost.value.contains { $0.covers(relativePath) }
      || !update.carriedOver.value.contains { $0.covers(relativePath) }
  }

  /// Returns whether an update keeps the item, but may lose items in it.
  fileprivate func mayLoseItems(in path: ContainerPath) -> Bool {
    guard let relativePath = path.pathWithoutContainerName, !isInKeptContainer(path) else {
      return false
    }
    return update.mayBeLost.value.contains(where: relativePath.isAncestor)
  }

  /// Returns whether the item is in a container that an update does not change.
  private func isInKeptContainer(_ path: ContainerPath) -> Bool {
    updateKeepsGroups.value && path.containerName?.isGroup == true
  }
}
