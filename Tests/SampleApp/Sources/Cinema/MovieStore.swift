import Foundation

/// The movies that the user has downloaded to watch them without a network.
///
/// They are large and can be downloaded again, so they are not backed up. They are not in Caches,
/// because iOS empties this directory. Instead, their folder has the mark.
public struct MovieStore: Sendable {
  /// The folder of the movies.
  public let folder: URL
  /// The directory in which a copy for the user is prepared.
  private let temporary: URL

  /// Creates the store in an app's container.
  public init(directories: AppDirectories = .standard) {
    self.folder = directories.applicationSupport.appending(
      path: "Movies", directoryHint: .isDirectory)
    self.temporary = directories.temporary
  }

  /// Returns the place of a movie's file, which may be missing.
  public func file(of movie: Int) -> URL { folder.appending(path: "\(movie).mp4") }

  /// Excludes the folder from backups. The app calls this at each launch too, because an older
  /// version may have left a folder without a mark.
  public func prepare() throws {
    try folder.makeExcludedFolder()
  }

  /// Moves a finished download to its place, and replaces an earlier download.
  public func keep(_ download: URL, as movie: Int) throws {
    try prepare()
    let file = file(of: movie)
    if FileManager.default.fileExists(atPath: file.path) {
      _ = try FileManager.default.replaceItemAt(file, withItemAt: download)
    } else {
      try FileManager.default.moveItem(at: download, to: file)
    }
  }

  /// Opens a movie; nil if it must be downloaded first.
  public func open(_ name: String) throws -> FileHandle? {
    let file = folder.appending(path: name)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return try FileHandle(forReadingFrom: file)
  }

  /// Returns the file name of a copy for the user.
  private func exportedName(of movie: Int) -> String { "Movie \(movie).mp4" }

  /// Copies a movie. If the file itself has the mark, so has the copy.
  public func copy(_ movie: Int, to folder: URL) throws -> URL {
    let copy = folder.appending(path: exportedName(of: movie))
    try FileManager.default.copyItem(at: file(of: movie), to: copy)
    return copy
  }

  /// Makes a copy for the user, which is backed up; false if the movie must be downloaded first.
  ///
  /// The copy is moved to its place when it is complete. If iOS ends the app earlier, the user can
  /// try again.
  public func export(_ movie: Int, to folder: URL) throws -> Bool {
    guard FileManager.default.fileExists(atPath: file(of: movie).path) else { return false }
    let name = exportedName(of: movie)
    try? FileManager.default.removeItem(at: temporary.appending(path: name))
    let copy = try copy(movie, to: temporary)
    try copy.setExcluded(fromBackup: false)
    try FileManager.default.moveItem(at: copy, to: folder.appending(path: name))
    return true
  }

  /// Deletes a movie that the user has seen.
  public func delete(_ movie: Int) throws {
    guard FileManager.default.fileExists(atPath: file(of: movie).path) else { return }
    try FileManager.default.removeItem(at: file(of: movie))
  }
}
