import BackupFileTree
public import Foundation

extension FakeContainer {
  /// Where the app's code finds its container: the directories that iOS gives it.
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

    /// `Documents`, for what the user makes.
    public var documents: URL { directory(.documents) }

    /// `Library`, for everything else the app keeps.
    public var library: URL { directory(.library) }

    /// `Library/Application Support`, which is not there until the app creates it (`eidinger`).
    public var applicationSupport: URL { directory(.applicationSupport) }

    /// `Library/Caches`, for what can be made again.
    public var caches: URL { directory(.caches) }

    /// `tmp`, which the system may empty while the app does not run and never backs up.
    public var temporary: URL { directory(.temporary) }

    /// The container that the app shares with others of its group.
    ///
    /// - Parameter identifier: The group's identifier, such as `group.com.example.cinema`.
    /// - Returns: Its directory, an absolute file URL; nil for a group that the app is not in.
    public func group(_ identifier: String) -> URL? { groups[identifier] }

    private func directory(_ location: ContainerPath.StandardLocation) -> URL {
      url.appendingPathComponent(location.rawValue, isDirectory: true)
    }
  }
}

extension FakeContainer {
  package var locations: Locations { Locations(url: url, groups: groupURLs) }

  /// The directories that code of this task finds: those of the extension that it runs in, or of
  /// the app.
  package var currentLocations: Locations {
    Self.currentExtension.flatMap(locations(ofExtension:)) ?? locations
  }

  /// The directories of an extension's container; nil for an extension that the app has not.
  package func locations(ofExtension identifier: String) -> Locations? {
    url(ofExtension: identifier).map { Locations(url: $0, groups: groupURLs) }
  }

  /// The bundle identifier of the app or extension whose code this task runs; nil if it is unknown.
  package var currentIdentifier: String? { Self.currentExtension ?? appIdentifier.withLock { $0 } }

  package func isApp(_ identifier: String) -> Bool { appIdentifier.withLock { $0 == identifier } }

  /// The containers of the app's groups, by identifier.
  private var groupURLs: [String: URL] {
    var urls: [String: URL] = [:]
    for place in places {
      guard let name = place.name, name.isGroup else { continue }
      urls[String(name.string.dropLast())] = place.url
    }
    return urls
  }

  /// Opens the file, beside the container, that takes what the process of a launch prints.
  ///
  /// - Throws: ``FakeContainerError`` if the app has replaced a folder of the kit, too.
  package func openOutput(
    ofLaunch number: Int, of identifier: String
  ) throws(FakeContainerError) -> FileHandle {
    try requireInPlace()
    do throws(SystemError) {
      let file = folder.path("output-of-\(identifier)-\(number)")
      try file.removeItem()
      let descriptor = try file.open(O_RDWR | O_CREAT | O_EXCL | O_APPEND)
      return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    } catch {
      throw FakeContainerError(
        path: device.path, reason: "the app's output cannot be stored: \(error)")
    }
  }
}
