import BackupFileTree

extension ContainerPath {
  /// Returns advice on a path that must be a mistake, such as `~/notes.txt`; nil for any other
  /// path.
  static func adviceOnPlace(_ path: some StringProtocol) -> String? {
    let names = path.split(separator: "/")
    if names.first == "~" {
      return "a path begins in the container, without '~': write it like 'Documents/notes.txt'"
    }
    if names.first?.hasSuffix(".app") == true {
      return "an app cannot write into its bundle: save to Documents or Library instead"
    }
    // The explicit types save a third of a second of compile time.
    let locations: [String] = StandardLocation.allCases.map(\.rawValue)
    let location: String? = locations.filter { (location: String) -> Bool in
      let beginning: String = names.prefix(location.split(separator: "/").count)
        .joined(separator: "/")
      return beginning != location && beginning.lowercased() == location.lowercased()
    }.max { (one: String, other: String) -> Bool in one.count < other.count }
    return location.map { "the directory is '\($0)': names on a device are case-sensitive" }
  }

  /// The advice on this path, if it must be a mistake.
  var adviceOnPlace: String? { pathWithoutContainerName.flatMap { Self.adviceOnPlace($0.string) } }
}

extension PathPattern {
  /// The advice on the directories at the start of the pattern, if they must be a mistake.
  package var adviceOnPlace: String? { ContainerPath.adviceOnPlace(fixedPrefix) }
}
