package import BackupFileTree

extension Scenario.App {
  /// Where its defaults are, or those of a suite, which of a group's name is in the group's container; nil if
  /// the identifier names no file.
  package func preferences(of suite: String? = nil) -> ContainerPath? {
    let container = suite.map { groups.contains($0) ? "\($0):/" : "" } ?? ""
    let directory = ContainerPath.StandardLocation.preferences.rawValue
    return try? ContainerPath("\(container)\(directory)/\(suite ?? bundleIdentifier).plist")
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
