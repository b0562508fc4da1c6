import Foundation

/// The database of all movies. It comes from the server, so it is not backed up.
public struct Catalogue: Sendable {
  /// The folder of the database and the files beside it. The mark on the folder covers all of them.
  public let folder: URL

  /// Creates the catalogue in an app's container.
  public init(directories: AppDirectories = .standard) {
    self.folder = directories.applicationSupport.appending(
      path: "Catalogue", directoryHint: .isDirectory)
  }

  /// Opens the database. If it is missing, for example after a restore, it is empty.
  public func open() throws -> Database {
    try folder.makeExcludedFolder()
    return try Database(at: folder.appending(path: "catalogue.sqlite"))
  }
}
