public import BackupFileTree
public import Foundation

extension FakeContainer {
  /// `Documents`, for what the user makes.
  public var documents: URL { url(of: .documents) }

  /// `Library`.
  public var library: URL { url(of: .library) }

  /// `Library/Application Support`, which is not there until the app creates it (`eidinger`).
  public var applicationSupport: URL { url(of: .applicationSupport) }

  /// `Library/Caches`, for what can be made again.
  public var caches: URL { url(of: .caches) }

  /// `tmp`, for scratch files.
  public var temporary: URL { url(of: .temporary) }

  /// The directory of a standard location, whether it is there or not.
  ///
  /// - Parameter location: One of the directories that iOS gives a meaning.
  /// - Returns: An absolute file URL that ends in `/`; an update or a restore makes it out of date.
  public func url(of location: ContainerPath.StandardLocation) -> URL {
    url.appendingPathComponent(location.rawValue, isDirectory: true)
  }

  /// The file URL of an item; a name that is not UTF-8 does not survive it.
  ///
  /// - Parameter path: Relative to the container; nothing needs to be there.
  /// - Returns: An absolute file URL; an update or a restore makes it out of date.
  public func url(of path: ContainerPath) -> URL {
    url.appendingPathComponent(path.string, isDirectory: false)
  }
}
