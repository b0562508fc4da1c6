public import BackupFileTree

/// Predicts the contents of a new device's container after a restore: a pure function.
///
/// Items that the backup left out are missing, even marked directories (`observed`). The app has to
/// fetch their contents again (`apple-optimizing`). No restored item has a mark: the kit assumes
/// the worse case, because it is `unverified` whether iOS restores marks.
///
/// Containers of groups and extensions, such as `group.x:`, are also on the new device. Each begins
/// with the layout of a new container of its kind.
///
/// ```swift
/// let set = BackupSimulator(profile: profile).backUp(tree)
/// let restored = RestoreSimulator(profile: profile).restore(tree, from: set)
/// restored.contains(try ContainerPath("Documents/note.txt"))  // true
/// ```
public struct RestoreSimulator: Sendable {
  /// The profile of the version of iOS on the new device.
  public let profile: SystemProfile
  /// The layout of a new container.
  public let layout: FileTree.Layout

  /// Creates a simulator of restores under one version of iOS.
  ///
  /// - Parameters:
  ///   - profile: The profile of the version of iOS on the new device.
  ///   - container: The kind of the container that is restored.
  ///   - layout: The layout of the new container before the restore; by default the layout for the
  ///     kind of container.
  public init(
    profile: SystemProfile, container: SystemProfile.ContainerKind = .app,
    layout: FileTree.Layout? = nil
  ) {
    self.profile = profile
    self.layout = layout ?? container.layout
  }

  /// Returns the container after the restore.
  ///
  /// - Parameters:
  ///   - tree: The container at the time of the backup.
  ///   - set: The backup's decisions on the container's items.
  /// - Returns: The new container.
  public func restore(_ tree: FileTree, from set: BackupSet) -> FileTree {
    var restoredTree = layout.tree
    restoredTree.makeContainers(besideAppIn: tree)
    for decision in set.decisions where decision.isIncluded && isRestored(decision.path) {
      guard let item = tree[decision.path] else { continue }
      let attributes = ItemAttributes(marks: [])
      if item.isDirectory {
        restoredTree.ensureDirectory(decision.path)
        if restoredTree[decision.path]?.attributes != attributes {
          restoredTree.modify(decision.path) { $0.attributes = attributes }
        }
      } else {
        restoredTree.insert(FileTree.Item(item.kind, attributes: attributes), at: decision.path)
      }
    }
    return restoredTree
  }

  private func isRestored(_ path: ContainerPath) -> Bool {
    guard let path = path.pathWithoutContainerName else { return true }
    return !profile.update.neverRestored.value.contains { $0.covers(path) }
  }

  /// The device that a backup is restored to.
  @nonexhaustive
  public enum Destination: String, CaseIterable, Hashable, Sendable {
    /// The device that was backed up.
    case sameDevice
    case newDevice
    /// Another device, which takes the data directly from the old device. The transfer follows the
    /// rules of a backup to a computer (`unverified`).
    case transfer
  }
}

extension FileTree {
  /// Creates a new container for each group and extension that has one in `tree`.
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
  /// Returns whether a keychain item exists after a restore.
  ///
  /// - Parameters:
  ///   - accessibility: The devices that the item is for.
  ///   - destination: The device that the backup is restored to.
  ///   - kind: The kind of the backup.
  /// - Returns: True if the policy keeps the item.
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
