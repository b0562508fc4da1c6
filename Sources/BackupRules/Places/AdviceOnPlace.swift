import BackupFileTree

extension ContainerPath {
  /// The advice on a path in its container that only looks like one; nil for any other.
  static func adviceOnPlace(_ path: some StringProtocol) -> String? {
    let names = path.split(separator: "/")
    if names.first == "~" {
      return "a path begins in the container, without '~': write it like 'Documents/notes.txt'"
    }
    if names.first?.hasSuffix(".app") == true {
      return "an app cannot write into its bundle: save to Documents or Library instead"
    }
    let location = StandardLocation.allCases.map(\.rawValue).filter { location in
      let own = names.prefix(location.split(separator: "/").count).joined(separator: "/")
      return own != location && own.lowercased() == location.lowercased()
    }.max { $0.count < $1.count }
    return location.map { "the directory is '\($0)': names on a device are case-sensitive" }
  }

  /// The same for this path.
  var adviceOnPlace: String? { pathInContainer.flatMap { Self.adviceOnPlace($0.string) } }
}

extension PathPattern {
  /// The same for the directories that a pattern begins with.
  package var adviceOnPlace: String? { ContainerPath.adviceOnPlace(fixedPrefix) }
}
