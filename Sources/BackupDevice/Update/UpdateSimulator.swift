public import BackupFileTree

/// Predicts what a container holds after an update of the app: a pure function.
///
/// The update makes a new container at another path; Documents and Library are carried over, others
/// may be (`apple-app-guide`). Whether Library/Caches always is, is not known (`unverified`): an
/// update loses what the caller names there.
///
/// Of containers that the tree has beside the app's own, as `group.x:`, an extension's is updated
/// as the app's, and a group's, which other apps may share, stays as it is (`unverified`, both).
///
/// ```swift
/// let updated = UpdateSimulator(profile: profile).update(tree)
/// updated.contains(try ContainerPath("Documents/note.txt"))  // true
/// updated.contains(try ContainerPath("tmp/scratch"))  // false
/// ```
public struct UpdateSimulator: Sendable {
  /// The version of iOS that updates.
  public let profile: SystemProfile
  /// What a new container has.
  public let layout: FileTree.Layout

  /// An update on one system.
  ///
  /// - Parameters:
  ///   - profile: The version of iOS that updates.
  ///   - layout: What the new container has whether or not anything is carried over.
  public init(profile: SystemProfile, layout: FileTree.Layout = .newlyInstalled) {
    self.profile = profile
    self.layout = layout
  }

  /// The container after the update.
  ///
  /// - Parameters:
  ///   - tree: The container before.
  ///   - keeping: Items that this update happens to carry over too.
  ///   - losing: Patterns of items that this update does not carry over, each with all in it. What
  ///     lies in Documents, or in Library but for Library/Caches, stays whatever they match.
  /// - Returns: The new container; marks stay on what is carried over (`unverified`).
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

  /// What is carried over of a container, the app's own for nil.
  private func carriedOver(of name: ContainerPath.Component?) -> [ContainerPath] {
    if let name, name.isGroup, profile.updateKeepsGroups.value { return [ContainerPath(name)] }
    return profile.update.carriedOver.value.map { ContainerPath($0, inContainer: name) }
  }

  /// The topmost items that patterns match, of those that an update need not carry over.
  private func itemsLost(from tree: FileTree, _ patterns: [PathPattern]) -> [ContainerPath] {
    let index = PatternIndex(patterns)
    let places = PathPattern.places(of: patterns).map { $0.map(Optional.some) } ?? [nil]
    var lost: [ContainerPath] = []
    for place in places {
      tree.walk(from: place) { path, _ in
        guard profile.needNotKeep(path) else {
          return path.isContainer || profile.mayHoldWhatIsLost(path)
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
  fileprivate func needNotKeep(_ path: ContainerPath) -> Bool {
    guard let inner = path.pathInContainer, !isKept(path) else { return false }
    return update.mayBeLost.value.contains { $0.covers(inner) }
      || !update.carriedOver.value.contains { $0.covers(inner) }
  }

  /// Whether an update may lose something in an item that it keeps.
  fileprivate func mayHoldWhatIsLost(_ path: ContainerPath) -> Bool {
    guard let inner = path.pathInContainer, !isKept(path) else { return false }
    return update.mayBeLost.value.contains(where: inner.isAncestor)
  }

  /// Whether an item is in a container that an update leaves as it is.
  private func isKept(_ path: ContainerPath) -> Bool {
    updateKeepsGroups.value && path.containerName?.isGroup == true
  }
}
