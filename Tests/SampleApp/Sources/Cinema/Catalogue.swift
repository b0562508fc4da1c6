import Foundation

/// All movies there are: a database that comes from the server, so it is not backed up.
public struct Catalogue: Sendable {
  /// The folder of the database and the files beside it; the mark on it covers all of them.
  public let folder: URL

  /// The catalogue in an app's container.
  public init(directories: AppDirectories = .standard) {
    self.folder = directories.applicationSupport.appending(
      path: "Catalogue", directoryHint: .isDirectory)
  }

  /// Opens the database; it is empty where it has to be fetched, perhaps again.
  public func open() throws -> Database {
    try folder.makeExcludedFolder()
    return try Database(at: folder.appending(path: "catalogue.sqlite"))
  }
}
