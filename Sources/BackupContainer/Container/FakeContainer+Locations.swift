import BackupFileTree
public import Foundation

extension FakeContainer {
  /// Where the app's code finds its container: the directories that iOS gives it.
  ///
  /// ```swift
  /// let list = action.container.documents.appending(path: "list.json")
  /// ```
  public struct Locations: Hashable, Sendable {
    /// The container's directory, an absolute file URL; an update or a restore makes it out of date.
    public let url: URL

    /// The directories of a container at a place.
    package init(url: URL) {
      self.url = url
    }

    /// `Documents`, for what the user makes.
    public var documents: URL { directory(.documents) }

    /// `Library`, for everything else the app keeps.
    public var library: URL { directory(.library) }

    /// `Library/Application Support`, which is not there until the app creates it (`eidinger`).
    public var applicationSupport: URL { directory(.applicationSupport) }

    /// `Library/Caches`, for what can be made again.
    public var caches: URL { directory(.caches) }

    /// `tmp`, for scratch files.
    public var temporary: URL { directory(.temporary) }

    /// The container that the app shares with others of its group.
    ///
    /// - Parameter identifier: The group's identifier, such as `group.com.example.cinema`.
    /// - Returns: Its directory; nil for a group that the app is not in, and so far for any.
    public func group(_ identifier: String) -> URL? { nil }

    /// A standard directory.
    private func directory(_ location: ContainerPath.StandardLocation) -> URL {
      url.appendingPathComponent(location.rawValue, isDirectory: true)
    }
  }
}

extension FakeContainer {
  /// The directories of this container as it is now.
  package var locations: Locations { Locations(url: url) }

  /// The file, beside the container, that takes what the app's process of a launch prints.
  package func outputFile(ofLaunch number: Int) -> URL {
    device.appendingPathComponent("output-of-launch-\(number)", isDirectory: false)
  }
}
