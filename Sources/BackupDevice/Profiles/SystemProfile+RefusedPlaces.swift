package import BackupFileTree

extension SystemProfile {
  /// Where a device refuses to let an app make or write anything.
  package enum RefusedPlace: Hashable, Sendable {
    /// Right in a container.
    case top
    /// In Documents/Inbox, in which the system puts files that the app is asked to open
    /// (`apple-fspg`).
    case inbox
  }

  /// The place that a device refuses, and an item is in; nil for one in no such place.
  package func refusedPlace(of path: ContainerPath) -> RefusedPlace? {
    if path.isInInbox { return .inbox }
    guard let namesAtTop, path.containerName?.isGroup != true, let inner = path.pathInContainer,
      inner.parent == nil, !namesAtTop.contains(inner.name.string)
    else { return nil }
    return .top
  }

  /// What stands right in a container of an app or extension, by name: its directories, and those that
  /// Apple's frameworks make; nil where an app may make anything there.
  ///
  /// Up to iOS 8, whose backups take more than the usual directories, no source says that it may not.
  package var namesAtTop: [String]? {
    guard backup.roots.value != nil else { return nil }
    return ["Documents", "Library", "tmp", "CloudKit", "GeoJSON", "StoreKit", "SystemData"]
  }
}
