package import BackupDiagnostics
public import BackupFileTree
public import Foundation

extension FakeContainer {
  /// The `Documents` directory, for documents that the user creates.
  public var documents: URL { url(of: .documents) }

  /// The `Library` directory, for all other files of the app.
  public var library: URL { url(of: .library) }

  /// The `Library/Application Support` directory, which does not exist until the app creates it
  /// (`eidinger`).
  public var applicationSupport: URL { url(of: .applicationSupport) }

  /// The `Library/Caches` directory, for files that the app can create again.
  public var caches: URL { url(of: .caches) }

  /// The `tmp` directory, which the system never backs up and may empty while the app does not run.
  public var temporary: URL { url(of: .temporary) }

  /// Returns the directory of a standard location, even if it does not exist.
  ///
  /// - Parameter location: One of the directories that iOS gives a meaning.
  /// - Returns: An absolute file URL that ends in `/`; an update or a restore makes it out of date.
  public func url(of location: ContainerPath.StandardLocation) -> URL {
    url.appendingPathComponent(location.rawValue, isDirectory: true)
  }

  /// Returns the file URL of an item. A URL cannot represent a name that is not UTF-8.
  ///
  /// - Parameter path: A path relative to the container, or `group.x:/a` for the item `a` in the
  ///   container of the app's group `group.x`. The item need not exist.
  /// - Returns: An absolute file URL; an update or a restore makes it out of date.
  public func url(of path: ContainerPath) -> URL {
    guard let name = path.containerName, let place = places.first(where: { $0.name == name }) else {
      return url.appendingPathComponent(path.string, isDirectory: false)
    }
    let innerPath = path.pathWithoutContainerName
    return innerPath.map { place.url.appendingPathComponent($0.string, isDirectory: false) }
      ?? place.url
  }

  /// Returns the container of a group, as `containerURL(forSecurityApplicationGroupIdentifier:)`
  /// does for an app.
  ///
  /// ```swift
  /// let container = try FakeContainer(groups: ["group.com.example.app"])
  /// let shared = try #require(container.url(ofGroup: "group.com.example.app"))
  /// ```
  ///
  /// - Parameter identifier: The group's identifier, which begins with `group.`.
  /// - Returns: An absolute file URL that ends in `/`, or nil for a group that the container was
  ///   not created with. An update or a restore makes it out of date.
  public func url(ofGroup identifier: String) -> URL? {
    url(ofContainer: identifier) { $0.isGroup }
  }

  /// Returns the container of an extension, which is the extension's home directory.
  ///
  /// - Parameter identifier: The extension's bundle identifier.
  /// - Returns: An absolute file URL that ends in `/`, or nil for an extension that the container
  ///   was not created with. An update or a restore makes it out of date.
  public func url(ofExtension identifier: String) -> URL? {
    url(ofContainer: identifier) { !$0.isGroup }
  }

  private func url(
    ofContainer identifier: String, where isWanted: (ContainerPath.Component) -> Bool
  ) -> URL? {
    let name = ContainerPath.Component(containerOf: identifier)
    return isWanted(name) ? places.first { $0.name == name }?.url : nil
  }

  /// Returns the path in a tree for an absolute path in the app's container, or in the container of
  /// a group or extension; nil for any other absolute path.
  package func containerPath(of absolutePath: String) -> ContainerPath? {
    for place in places {
      if let path = place.path(of: absolutePath) { return path }
    }
    return nil
  }

  /// Returns the path in a tree for an absolute path in a former directory of a container; nil for
  /// any other absolute path.
  package func formerContainerPath(of absolutePath: String) -> ContainerPath? {
    let name = ContainerPlace.relativePath(of: absolutePath, below: deviceURL)?.prefix { $0 != "/" }
    return name.flatMap { formerPlaces(named: [String($0)]).first?.path(of: absolutePath) }
  }

  /// Returns a text in which absolute paths in the container are relative to it, so that the text
  /// is the same in each run. Absolute paths in former directories also become relative.
  package func makingPathsRelative(in text: String) -> String {
    let folderPath = deviceURL.path + "/"
    let parts = text.replacing("/private\(folderPath)", with: folderPath)
      .split(separator: folderPath, omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(String(parts[0])) { text, textAfterFolder in
      let isContainer =
        UUID(uuidString: String(textAfterFolder.prefix(Self.directoryNameLength))) != nil
      let path = isContainer ? textAfterFolder.dropFirst(Self.directoryNameLength) : textAfterFolder
      return text + (isContainer && path.hasPrefix("/") ? path.dropFirst() : path)
    }
  }

  /// Returns the part of an absolute path after the directory of any fake container; nil if the
  /// path is in none.
  package static func pathInAnyContainer(_ absolutePath: String) -> String? {
    let components = absolutePath.split(separator: "/", omittingEmptySubsequences: false)
    guard components.first?.isEmpty == true,
      let deviceIndex = components.firstIndex(where: DeviceFolder.isDeviceName),
      components.indices.contains(deviceIndex + 1),
      UUID(uuidString: String(components[deviceIndex + 1])) != nil
    else { return nil }
    return components[(deviceIndex + 2)...].joined(separator: "/")
  }

  /// The number of characters in the name of a container's directory, which is a UUID.
  private static let directoryNameLength = 36

  /// Returns the error to throw for a failed system call. `participle` says what cannot be done
  /// with the container, for example `read`.
  func failure(_ error: SystemError, cannotBe participle: String) -> RunError {
    let missingURL = ([url] + locations.groups.values).first {
      !FileManager.default.fileExists(atPath: $0.path)
    }
    if let missingURL, error.isMissingItem {
      return RunError(
        unavailablePath: missingURL.path,
        reason:
          "the container is gone: code of the app or the test removed or moved it. Remove or "
          + "move only items in the container")
    }
    guard error.number == Scanner.reservedNameError.number else {
      return RunError(
        unavailablePath: url.path, reason: "the container cannot be \(participle): \(error)")
    }
    return RunError(
      unavailablePath: url.path,
      reason:
        "the app's code created an item directly in its container, with a name that the kit "
        + "reserves for the containers of groups and extensions (an identifier and a colon); "
        + "create it in Documents or Library, since iOS refuses items directly in the container")
  }

  /// The directories that iOS gives an app: its container and those of its groups.
  ///
  /// ```swift
  /// let list = action.container.documents.appending(path: "list.json")
  /// ```
  public struct Locations: Hashable, Sendable {
    /// The container's directory, an absolute file URL; an update or a restore makes it out of
    /// date.
    public let url: URL
    /// The containers of the groups that the app is in, by identifier.
    package let groups: [String: URL]

    package init(url: URL, groups: [String: URL] = [:]) {
      self.url = url
      self.groups = groups
    }

    /// The `Documents` directory, for documents that the user creates.
    public var documents: URL { directory(.documents) }

    /// The `Library` directory, for all other files of the app.
    public var library: URL { directory(.library) }

    /// The `Library/Application Support` directory, which does not exist until the app creates it
    /// (`eidinger`).
    public var applicationSupport: URL { directory(.applicationSupport) }

    /// The `Library/Caches` directory, for files that the app can create again.
    public var caches: URL { directory(.caches) }

    /// The `tmp` directory, which the system never backs up and may empty while the app does not
    /// run.
    public var temporary: URL { directory(.temporary) }

    /// Returns the container that the app shares with other apps of a group.
    ///
    /// - Parameter identifier: The group's identifier, such as `group.com.example.cinema`.
    /// - Returns: Its directory, an absolute file URL; nil for a group that the app is not in.
    public func group(_ identifier: String) -> URL? { groups[identifier] }

    private func directory(_ location: ContainerPath.StandardLocation) -> URL {
      url.appendingPathComponent(location.rawValue, isDirectory: true)
    }
  }

  package var locations: Locations { Locations(url: url, groups: groupURLs) }

  /// The directories of the app or extension whose code this task runs.
  package var currentLocations: Locations {
    Self.currentExtension.flatMap(locations(ofExtension:)) ?? locations
  }

  /// Returns the directories of an extension's container; nil if the app has no such extension.
  package func locations(ofExtension identifier: String) -> Locations? {
    url(ofExtension: identifier).map { Locations(url: $0, groups: groupURLs) }
  }

  /// The bundle identifier of the app or extension whose code this task runs; nil if it is unknown.
  package var currentIdentifier: String? { Self.currentExtension ?? appIdentifier.withLock { $0 } }

  private var groupURLs: [String: URL] {
    var urls: [String: URL] = [:]
    for place in places {
      guard let name = place.name, name.isGroup else { continue }
      urls[String(name.string.dropLast())] = place.url
    }
    return urls
  }

  /// Creates and opens a file beside the container, for the output of a launch's process.
  /// `identifier` is the bundle identifier of the app or extension.
  package func openOutput(
    ofLaunch number: Int, of identifier: String
  ) throws(RunError) -> FileHandle {
    try requireInPlace()
    do throws(SystemError) {
      let file = deviceFolder.path("output-of-\(identifier)-\(number)")
      try file.removeItem()
      let descriptor = try file.open(O_RDWR | O_CREAT | O_EXCL | O_APPEND)
      return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    } catch {
      throw RunError(
        unavailablePath: deviceURL.path, reason: "the app's output cannot be stored: \(error)")
    }
  }
}
