public import BackupFileTree

/// Predicts what a container holds after an update of the app: a pure function.
///
/// The update makes a new container at another path; Documents and Library are carried over, others
/// may be (`apple-app-guide`).
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
  /// - Returns: The new container; marks stay on what is carried over (`unverified`).
  public func update(_ tree: FileTree, keeping: [ContainerPath] = []) -> FileTree {
    var updated = layout.tree
    for path in profile.update.carriedOver.value + keeping {
      guard let item = tree[path] else { continue }
      if let parent = path.parent { updated.ensureDirectory(parent) }
      updated.insert(item, at: path)
    }
    for directory in layout.directories where !updated.contains(directory) {
      updated.ensureDirectory(directory)
    }
    return updated
  }
}
