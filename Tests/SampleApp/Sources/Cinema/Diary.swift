import Foundation

/// A database of the user's ratings. It is the user's own data, so it is backed up by default.
public struct Diary: Sendable {
  /// The folder of the database and the files beside it.
  public let folder: URL
  /// The settings, in which the user can exclude the diary from backups.
  private let settings: SettingsFile

  /// Creates the diary in an app's container.
  public init(directories: AppDirectories = .standard) {
    self.folder = directories.applicationSupport.appending(
      path: "Diary", directoryHint: .isDirectory)
    self.settings = SettingsFile(directories: directories)
  }

  /// Opens the database, and sets or clears its mark as in the settings.
  public func open() throws -> Database {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try folder.setExcluded(fromBackup: !settings.load().backsUpDiary)
    return try Database(at: folder.appending(path: "diary.sqlite"))
  }
}
