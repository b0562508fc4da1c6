package import BackupFileTree

extension Scenario.App {
  /// Where its defaults are, relative to the container; nil where its identifier names no file.
  package var preferences: ContainerPath? {
    try? ContainerPath(
      "\(ContainerPath.StandardLocation.preferences.rawValue)/\(bundleIdentifier).plist")
  }

  /// What Foundation keeps of its own for an app that has a home, in its container and those of its
  /// extensions: preferences, cookies and what `URLCache` has.
  var filesOfFoundation: [PathPattern] {
    let patterns =
      ["Library/Preferences/*.plist", "Library/Cookies/Cookies.binarycookies"]
      + ([bundleIdentifier] + extensions).flatMap {
        ["Library/Caches/\($0)/fsCachedData/**", "Library/Caches/\($0)/Cache.db*"]
      }
    return (patterns + patterns.map { "*:/\($0)" }).compactMap { try? PathPattern($0) }
  }
}
