import BackupFileTree

extension ContainerPath {
  /// Returns the advice on a path that cannot be meant, such as one that begins with `~`; nil for any other path.
  static func adviceOnPlace(_ path: some StringProtocol) -> String? {
    let names = path.split(separator: "/")
    if names.first == "~" {
      return "a path begins in the container, without '~': write it like 'Documents/notes.txt'"
    }
    if names.first?.hasSuffix(".app") == true {
      return "an app cannot write into its bundle: save to Documents or Library instead"
    }
    // Without the types, the compiler takes a third of a second for this expression.
    let locations: [String] = StandardLocation.allCases.map(\.rawValue)
    let location: String? = locations.filter { (location: String) -> Bool in
      let own: String = names.prefix(location.split(separator: "/").count).joined(separator: "/")
      return own != location && own.lowercased() == location.lowercased()
    }.max { (one: String, other: String) -> Bool in one.count < other.count }
    return location.map { "the directory is '\($0)': names on a device are case-sensitive" }
  }

  /// The advice on this path, if it cannot be meant.
  var adviceOnPlace: String? { pathInContainer.flatMap { Self.adviceOnPlace($0.string) } }
}

extension PathPattern {
  /// The advice on the directories that the pattern begins with, if they cannot be meant.
  package var adviceOnPlace: String? { ContainerPath.adviceOnPlace(fixedPrefix) }
}
