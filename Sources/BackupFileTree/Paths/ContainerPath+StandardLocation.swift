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
    guard let location = ContainerPath(ifValid: fixedPrefix)?.location else { return false }
    return location.isPurgeable
  }

  /// Whether an update of the app may drop everything that the pattern matches: it begins with
  /// Library/Caches, or with the name of something beside Documents and Library. A group's
  /// container does not belong to the app alone, and stays as it is.
  package var canBeLostInUpdate: Bool {
    guard let prefix = ContainerPath(ifValid: fixedPrefix), prefix.containerName?.isGroup != true,
      let place = prefix.pathInContainer
    else { return false }
    let kept = [ContainerPath.StandardLocation.documents, .library].map(\.path)
    return ContainerPath.StandardLocation.caches.path.covers(place)
      || !kept.contains { $0.covers(place) }
  }
}

extension ContainerPath {
  /// It names a property list of Foundation's user defaults.
  package var isOfUserDefaults: Bool { name.hasSuffix(".plist") && location == .preferences }

  /// The innermost standard location of its container that this path is, or is inside of; of a
  /// group's container that is in Library only.
  public var location: StandardLocation? {
    guard let path = pathInContainer else { return nil }
    return Self.innermostFirst.first { $0.key.covers(path) && locations.contains($0.value) }?.value
  }

  /// The standard location of its container that this path itself is.
  public var ownLocation: StandardLocation? {
    guard let path = pathInContainer, let location = Self.standardLocations[path] else {
      return nil
    }
    return locations.contains(location) ? location : nil
  }

  private static let standardLocations = Dictionary(
    StandardLocation.allCases.map { ($0.path, $0) }
  ) { first, _ in first }

  private static let innermostFirst = standardLocations.sorted {
    $0.key.bytes.count > $1.key.bytes.count
  }

  /// The standard locations of its container. To a group's the system gives Library and
  /// Library/Caches (`apple-group-container`); all else in it is the app's.
  private var locations: [StandardLocation] {
    guard containerName?.isGroup == true else { return StandardLocation.allCases }
    return StandardLocation.allCases.filter { StandardLocation.library.path.covers($0.path) }
  }

  /// Where the system puts files that the app is asked to open, which it can read and delete but
  /// not write to (`apple-fspg`).
  package static let inbox = ContainerPath(unchecked: Array("Documents/Inbox".utf8))

  package var isInInbox: Bool { Self.inbox.isAncestor(of: self) }
}
