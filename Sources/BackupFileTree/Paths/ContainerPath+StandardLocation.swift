extension ContainerPath {
  /// A directory of an app's container to which iOS gives a meaning.
  @nonexhaustive
  public enum StandardLocation: String, CaseIterable, Hashable, Sendable {
    /// Files that the user creates and sees.
    case documents = "Documents"
    /// All other files of the app.
    case library = "Library"
    /// The app's own support files. The directory does not exist until the app creates it.
    case applicationSupport = "Library/Application Support"
    /// Files that the app can create again. iOS deletes them when storage is low.
    case caches = "Library/Caches"
    case preferences = "Library/Preferences"
    /// Temporary files. iOS may delete them whenever the app does not run.
    case temporary = "tmp"

    /// The location's path in the container.
    public var path: ContainerPath { ContainerPath(unchecked: Array(rawValue.utf8)) }

    /// True if the system may delete the files in it while the app does not run.
    public var isPurgeable: Bool { self == .caches || self == .temporary }
  }
}

extension PathPattern {
  /// True if the pattern begins with a directory that the system may purge.
  public var isPurgeable: Bool {
    guard let location = ContainerPath(ifValid: fixedPrefix)?.location else { return false }
    return location.isPurgeable
  }

  /// True if an update of the app may delete everything that the pattern matches: it begins with
  /// Library/Caches, or with the name of an item beside Documents and Library. A group's container
  /// does not belong to the app alone, so an update does not change it.
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
  /// True for a property list of Foundation's user defaults.
  package var isOfUserDefaults: Bool { name.hasSuffix(".plist") && location == .preferences }

  /// The innermost standard location of its container that covers the path. In a group's container,
  /// only Library has locations.
  public var location: StandardLocation? {
    guard let path = pathInContainer else { return nil }
    return Self.innermostFirst.first { $0.key.covers(path) && locations.contains($0.value) }?.value
  }

  /// The standard location of its container that has exactly this path.
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

  /// The standard locations of its container. The system gives a group's container Library and
  /// Library/Caches (`apple-group-container`); everything else in it is the app's.
  private var locations: [StandardLocation] {
    guard containerName?.isGroup == true else { return StandardLocation.allCases }
    return StandardLocation.allCases.filter { StandardLocation.library.path.covers($0.path) }
  }

  /// The directory into which the system puts files that the app is asked to open. The app can read
  /// and delete them, but not write to them (`apple-fspg`).
  package static let inbox = ContainerPath(unchecked: Array("Documents/Inbox".utf8))

  package var isInInbox: Bool { Self.inbox.isAncestor(of: self) }
}
