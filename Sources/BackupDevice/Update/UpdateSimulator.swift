public import BackupFileTree

/// Predicts the contents of a container after an update of the app: a pure function.
///
/// The update makes a new container at another path. Documents and Library are carried over, and
/// other items may be (`apple-app-guide`). It is `unverified` that Library/Caches always is, so an
/// update loses the items there that the caller names.
///
/// The tree may have containers beside the app's own, such as `group.x:`. An extension's container
/// is updated like the app's, and a group's container, which other apps may share, does not change
/// (`unverified`, both).
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
  ///   - layout: The layout that the new container always has, whatever is carried over.
  public init(profile: SystemProfile, layout: FileTree.Layout = .newlyInstalled) {
    self.profile = profile
    self.layout = layout
  }

  /// Returns the container after the update.
  ///
  /// - Parameters:
  ///   - tree: The container before the update.
  ///   - keeping: Items that this update also carries over, though it need not.
  ///   - losing: Patterns of items that this update does not carry over, each with all items in it.
  ///     Items in Documents, and in Library outside Library/Caches, stay even if a pattern matches.
  /// - Returns: The new container; marks stay on the items carried over (`unverified`).
  public func update(
    _ tree: FileTree, keeping: [ContainerPath] = [], losing: [PathPattern] = []
  ) -> FileTree {
    var updated = layout.tree
    var carried = tree
    for path in itemsLost(from: tree, losing) { carried.remove(path) }
    for path in tree.containerNames.flatMap(carriedOver) + keeping {
      guard let item = carried[path] else { continue }
      if let parent = path.parent { updated.ensureDirectory(parent) }
      updated.insert(item, at: path)
    }
    for directory in layout.directories where !updated.contains(directory) {
      updated.ensureDirectory(directory)
    }
    updated.makeContainers(besideAppIn: tree)
    return updated
  }

  /// Returns the paths carried over from a container; nil names the app's own.
  private func carriedOver(of name: ContainerPath.Component?) -> [ContainerPath] {
    if let name, name.isGroup, profile.updateKeepsGroups.value { return [ContainerPath(name)] }
    return profile.update.carriedOver.value.map { ContainerPath($0, inContainer: name) }
  }

  /// Returns the topmost items that match a pattern and that an update need not carry over.
  private func itemsLost(from tree: FileTree, _ patterns: [PathPattern]) -> [ContainerPath] {
    let index = PatternIndex(patterns)
    let places = PathPattern.places(of: patterns).map { $0.map(Optional.some) } ?? [nil]
    var lost: [ContainerPath] = []
    for place in places {
      tree.walk(from: place) { path, _ in
        guard profile.mayLose(path) else {
          return path.isContainer || profile.mayLoseItems(in: path)
        }
        guard index.firstIndex(matching: path) != nil else { return true }
        lost.append(path)
        return false
      }
    }
    return lost
  }
}

extension SystemProfile {
  fileprivate func mayLose(_ path: ContainerPath) -> Bool {
    guard let inner = path.pathInContainer, !isKept(path) else { return false }
    return update.mayBeLost.value.contains { $0.covers(inner) }
      || !update.carriedOver.value.contains { $0.covers(inner) }
  }

  /// Returns true if an update keeps the item, but may lose items in it.
  fileprivate func mayLoseItems(in path: ContainerPath) -> Bool {
    guard let inner = path.pathInContainer, !isKept(path) else { return false }
    return update.mayBeLost.value.contains(where: inner.isAncestor)
  }

  /// Returns true if the item is in a container that an update does not change.
  private func isKept(_ path: ContainerPath) -> Bool {
    updateKeepsGroups.value && path.containerName?.isGroup == true
  }
}
