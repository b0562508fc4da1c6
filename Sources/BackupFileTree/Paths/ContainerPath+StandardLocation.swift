extension ContainerPath {
  /// A directory of an app's container to which iOS gives a meaning.
  @nonexhaustive
  public enum StandardLocation: String, CaseIterable, Hashable, Sendable {
    /// What the user makes and sees.
    case documents = "Documents"
    /// Everything else the app keeps.
    case library = "Library"
    /// The app's own support files; not there until the app creates it.
    case applicationSupport = "Library/Application Support"
    /// What can be made again; taken when storage is low.
    case caches = "Library/Caches"
    /// The user's settings.
    case preferences = "Library/Preferences"
    /// Scratch files; may be emptied whenever the app does not run.
    case temporary = "tmp"

    /// The location's path in the container.
    public var path: ContainerPath { ContainerPath(unchecked: Array(rawValue.utf8)) }

    /// Whether the system may delete what is in it while the app does not run.
    public var isPurgeable: Bool { self == .caches || self == .temporary }
  }
}

extension PathPattern {
  /// Whether the pattern begins with a directory that the system may purge.
  public var isPurgeable: Bool {
    (try? ContainerPath(fixedPrefix))?.location?.isPurgeable == true
  }

  /// Whether nothing that the pattern matches has to come through an update of the app: it begins
  /// with Library/Caches, or with the name of something beside Documents and Library.
  package var canBeLostInUpdate: Bool {
    guard let place = try? ContainerPath(fixedPrefix) else { return false }
    let kept = [ContainerPath.StandardLocation.documents, .library].map(\.path)
    return ContainerPath.StandardLocation.caches.path.covers(place)
      || !kept.contains { $0.covers(place) }
  }
}

extension ContainerPath {
  /// The innermost standard location that this path is, or is inside of.
  public var location: StandardLocation? {
    StandardLocation.allCases.filter { $0.path.covers(self) }
      .max { $0.path.bytes.count < $1.path.bytes.count }
  }

  /// The standard location that this path itself is.
  public var ownLocation: StandardLocation? {
    StandardLocation.allCases.first { $0.path == self }
  }
}
