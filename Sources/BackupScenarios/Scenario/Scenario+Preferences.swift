package import BackupFileTree

extension Scenario.App {
  /// Where its defaults are, relative to the container; nil where its identifier names no file.
  package var preferences: ContainerPath? {
    try? ContainerPath(
      "\(ContainerPath.StandardLocation.preferences.rawValue)/\(bundleIdentifier).plist")
  }
}
