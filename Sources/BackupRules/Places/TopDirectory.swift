import BackupFileTree

extension ContainerPath {
  /// The advice on a topmost directory that only looks like one of a container; nil for any other.
  static func adviceOnTopDirectory(_ name: some StringProtocol) -> String? {
    if name == "~" {
      return "a path begins in the container, without '~': write it like 'Documents/notes.txt'"
    }
    let names = [StandardLocation.documents, .library, .temporary].map(\.rawValue)
    return names.first { $0 != name && $0.lowercased() == name.lowercased() }.map {
      "the directory is '\($0)': names on a device are case-sensitive"
    }
  }
}

extension PathPattern {
  /// The same for the topmost directory of a pattern.
  package var adviceOnTopDirectory: String? {
    ContainerPath.adviceOnTopDirectory(description.prefix { $0 != "/" })
  }
}
