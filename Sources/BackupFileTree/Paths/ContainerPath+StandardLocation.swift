extension ContainerPath {
  /// A directory that has the same meaning for iOS in each app's container.
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

    /// True if iOS may delete the files in the directory while the app does not run.
    public var isPurgeable: Bool { self == .caches || self == .temporary }
  }
}

extension PathPattern {
  /// True if the pattern begins with a directory whose files iOS may purge.
  public var isPurgeable: Bool {
    guard let location = ContainerPath(ifValid: fixedPrefix)?.location else { return false }
    return location.isPurgeable
  }

  /// True if an update of the app may delete each item that the pattern matches.
  ///
  /// An update may delete `Library/Caches`, and all items outside of `Documents` and `Library`. It
  /// does not change a group's container, because the container does not belong to the app alone.
  package var canBeLostInUpdate: Bool {
    guard let prefix = ContainerPath(ifValid: fixedPrefix), prefix.containerName?.isGroup != true,
      let path = prefix.pathWithoutContainerName
    else { return false }
    let keptDirectories = [ContainerPath.StandardLocation.documents, .library].map(\.path)
    return ContainerPath.StandardLocation.caches.path.covers(path)
      || !keptDirectories.contains { $0.covers(path) }
  }
}

extension ContainerPath {
  /// True if Foundation stores user defaults in the file, as in `Library/Preferences/x.plist`.
  package var isUserDefaultsFile: Bool { name.hasSuffix(".plist") && location == .preferences }

  /// The standard location that the path is in, or that it names. If there are several, the
  /// innermost; nil if there is none. A group's container has only `Library` and the standard
  /// locations in it.
  public var location: StandardLocation? {
    guard let path = pathWithoutContainerName else { return nil }
    return Self.locationsInnermostFirst.first {
      $0.key.covers(path) && possibleLocations.contains($0.value)
    }?.value
  }

  /// The standard location with exactly this path in its container, or nil.
  public var ownLocation: StandardLocation? {
    guard let path = pathWithoutContainerName, let location = Self.standardLocations[path] else {
      return nil
    }
    return possibleLocations.contains(location) ? location : nil
  }

  private static let standardLocations = Dictionary(
    StandardLocation.allCases.map { ($0.path, $0) }
  ) { first, _ in first }

  private static let locationsInnermostFirst = standardLocations.sorted {
    $0.key.bytes.count > $1.key.bytes.count
  }

  /// The standard locations in the path's container. In a group's container, iOS creates only
  /// `Library/Caches` (`apple-group-container`), so locations outside of `Library` have no meaning.
  private var possibleLocations: [StandardLocation] {
    guard containerName?.isGroup == true else { return StandardLocation.allCases }
    return StandardLocation.allCases.filter { StandardLocation.library.path.covers($0.path) }
  }

  /// The directory in which iOS puts the files that other apps ask this app to open. The app can
  /// read and delete these files, but not write to them (`apple-fspg`).
  package static let inbox = ContainerPath(unchecked: Array("Documents/Inbox".utf8))

  package var isInInbox: Bool { Self.inbox.isAncestor(of: self) }
}
