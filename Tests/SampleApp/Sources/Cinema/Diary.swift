import Foundation

/// What the user thought of each movie: the user's own, in a database, in every backup.
public struct Diary: Sendable {
  /// The folder of the database and the files beside it.
  public let folder: URL
  /// Says whether the user wants it backed up.
  private let settings: SettingsFile

  /// The diary in an app's container.
  public init(directories: AppDirectories = .standard) {
    self.folder = directories.applicationSupport.appending(
      path: "Diary", directoryHint: .isDirectory)
    self.settings = SettingsFile(directories: directories)
  }

  /// Opens the database, in a backup unless the user has said otherwise.
  public func open() throws -> Database {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try folder.setExcluded(fromBackup: !settings.load().backsUpDiary)
    return try Database(at: folder.appending(path: "diary.sqlite"))
  }
}
