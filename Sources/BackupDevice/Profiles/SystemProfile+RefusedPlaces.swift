package import BackupFileTree

extension SystemProfile {
  /// Whether a device lets no app make or write an item: one in Documents/Inbox, in which the
  /// system puts files that the app is asked to open (`apple-fspg`), or one right in a container.
  package func refuses(_ path: ContainerPath) -> Bool {
    if path.isInInbox { return true }
    guard let namesAtTop, path.containerName?.isGroup != true, let inner = path.pathInContainer
    else { return false }
    return inner.parent == nil && !namesAtTop.contains(inner.name.string)
  }

  /// What stands right in a container of an app or extension, by name: its directories, and those
  /// that Apple's frameworks make; nil if an app may make anything there.
  ///
  /// Up to iOS 8, whose backups take more than the usual directories, no source says that it may
  /// not.
  package var namesAtTop: [String]? {
    guard backup.roots.value != nil else { return nil }
    return ["Documents", "Library", "tmp", "CloudKit", "GeoJSON", "StoreKit", "SystemData"]
  }
}
