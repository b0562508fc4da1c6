import BackupFileTree

/// The directories right in Library that the system, or a framework of Apple's, makes and fills; an app
/// puts nothing into them itself.
private let systemDirectories: Set<String> = [
  "Application Scripts", "Assistant", "Cookies", "HTTPStorages", "Saved Application State",
  "SplashBoard", "SyncedPreferences", "WebKit",
]

extension ContainerPath {
  /// Whether the item is a directory of the system's in Library, or in one.
  var isInSystemDirectory: Bool {
    guard let folders = pathInContainer?.components.prefix(2) else { return false }
    return folders.first == ContainerPath.StandardLocation.library.path.name
      && folders.dropFirst().first.map { systemDirectories.contains($0.string) } == true
  }
}
