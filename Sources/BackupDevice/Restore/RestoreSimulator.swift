public import BackupFileTree

/// Predicts what a new device's container holds after a restore: a pure function.
///
/// What the backup left out is not there, marked directories neither (`observed`;
/// `apple-optimizing` counts on the app's fetching it again). Everything
/// is unmarked: whether a mark on a restored item would come back is `unverified`, so it does not.
///
/// Containers that the tree has beside the app's own, as `group.x:`, are on the new device too,
/// each with what a new one of its kind has.
///
/// ```swift
/// let set = BackupSimulator(profile: profile).backUp(tree)
/// let restored = RestoreSimulator(profile: profile).restore(tree, from: set)
/// restored.contains(try ContainerPath("Documents/note.txt"))  // true
/// ```
public struct RestoreSimulator: Sendable {
  /// The version of iOS on the new device.
  public let profile: SystemProfile
  /// What a new container has.
  public let layout: FileTree.Layout

  /// A restore on one system.
  ///
  /// - Parameters:
  ///   - profile: The version of iOS on the new device.
  ///   - container: Which of an app's containers is restored.
  ///   - layout: What the new container has before anything is restored to it; by default what any
  ///     of its kind has.
  public init(
    profile: SystemProfile, container: SystemProfile.ContainerKind = .app,
    layout: FileTree.Layout? = nil
  ) {
    self.profile = profile
    self.layout = layout ?? container.layout
  }

  /// The container after the restore.
  ///
  /// - Parameters:
  ///   - tree: The container as it was when the backup was taken.
  ///   - set: What the backup held of it.
  /// - Returns: The new container.
  public func restore(_ tree: FileTree, from set: BackupSet) -> FileTree {
    var restored = layout.tree
    restored.makeContainers(besideAppIn: tree)
    for decision in set.decisions where decision.isIncluded && isRestored(decision.path) {
      guard let item = tree[decision.path] else { continue }
      let attributes = ItemAttributes(marks: [])
      if item.isDirectory {
        restored.ensureDirectory(decision.path)
        if restored[decision.path]?.attributes != attributes {
          restored.modify(decision.path) { $0.attributes = attributes }
        }
      } else {
        restored.insert(FileTree.Item(item.kind, attributes: attributes), at: decision.path)
      }
    }
    return restored
  }

  private func isRestored(_ path: ContainerPath) -> Bool {
    guard let path = path.pathInContainer else { return true }
    return !profile.update.neverRestored.value.contains { $0.covers(path) }
  }

  /// Where a backup is restored to.
  @nonexhaustive
  public enum Destination: String, CaseIterable, Hashable, Sendable {
    /// The device that the backup was taken of.
    case sameDevice
    case newDevice
    /// Another device, straight from the one before; what it takes along goes by the rules of a
    /// backup to a computer (`unverified`).
    case transfer
  }
}

extension FileTree {
  package mutating func makeContainers(besideAppIn tree: FileTree) {
    for case let name? in tree.containerNames {
      ensureDirectory(ContainerPath(name))
      for path in SystemProfile.ContainerKind(name).layout.directories {
        ensureDirectory(ContainerPath(path, inContainer: name))
      }
    }
  }
}

extension SystemProfile.KeychainPolicy {
  /// Whether an item is there after a restore.
  ///
  /// - Parameters:
  ///   - accessibility: Which devices the item is for.
  ///   - destination: Where the backup is restored to.
  ///   - kind: The kind of the backup.
  /// - Returns: What the policy says of that.
  public func isKept(
    _ accessibility: Accessibility, restoringTo destination: RestoreSimulator.Destination,
    from kind: SystemProfile.BackupKind
  ) -> Bool {
    switch (destination, accessibility) {
    case (.sameDevice, _): outlivesRestore.value
    case (.newDevice, .ordinary), (.transfer, .ordinary): bringingOrdinaryItems.value.contains(kind)
    case (.newDevice, .thisDeviceOnly), (.transfer, .thisDeviceOnly): reachesNewDevice.value
    }
  }
}
