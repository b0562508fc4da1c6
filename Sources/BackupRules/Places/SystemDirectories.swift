import BackupFileTree

/// The directories right in Library that the system, or a framework of Apple's, makes and fills.
enum SystemDirectories {
  /// Their names; an app puts nothing into them itself.
  static let names: Set<String> = [
    "Application Scripts", "Assistant", "Cookies", "HTTPStorages", "Saved Application State",
    "SplashBoard", "SyncedPreferences", "WebKit",
  ]

  /// Whether an item is one of them, or in one.
  static func cover(_ path: ContainerPath) -> Bool {
    guard let folders = path.pathInContainer?.components.prefix(2) else { return false }
    return folders.first == ContainerPath.StandardLocation.library.path.name
      && folders.dropFirst().first.map { names.contains($0.string) } == true
  }
}
