package import BackupFileTree

/// Predicts what is left of an app that is taken off the device: a pure function.
///
/// An app that is offloaded keeps its data, but for Library/Caches and what an update need not carry
/// over (`unverified`: resolved against the app). One that is deleted keeps nothing in its container.
///
/// ```swift
/// let simulator = OffloadSimulator(profile: profile)
/// simulator.offload(tree).contains(try ContainerPath("Documents/note.txt"))  // true
/// simulator.delete(tree).contains(try ContainerPath("Documents/note.txt"))  // false
/// ```
package struct OffloadSimulator: Sendable {
  /// The version of iOS on the device.
  package let profile: SystemProfile
  /// What a new container has.
  package let layout: FileTree.Layout

  /// The removal of an app on one system.
  ///
  /// - Parameters:
  ///   - profile: The version of iOS on the device.
  ///   - layout: What a new container has.
  package init(profile: SystemProfile, layout: FileTree.Layout = .newlyInstalled) {
    self.profile = profile
    self.layout = layout
  }

  /// The container of an app that was offloaded, and is there again when it is installed anew.
  ///
  /// - Parameter tree: The container before.
  /// - Returns: What is left, with its marks.
  package func offload(_ tree: FileTree) -> FileTree {
    var left = layout.tree
    for path in profile.offload.kept.value {
      guard let item = tree[path] else { continue }
      left.insert(item, at: path)
    }
    for path in profile.offload.lost.value { left.remove(path) }
    for directory in layout.directories { left.ensureDirectory(directory) }
    return left
  }

  /// The container of an app that was deleted and is installed anew.
  ///
  /// - Parameter tree: The container before.
  /// - Returns: A new container.
  package func delete(_ tree: FileTree) -> FileTree { layout.tree }
}
