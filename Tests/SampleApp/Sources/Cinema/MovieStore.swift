import Foundation

/// Movies for watching without a network: large, and can be downloaded again, so never backed up.
///
/// They are not in Caches, because iOS empties that; their folder bears the mark instead.
public struct MovieStore: Sendable {
  /// The folder of the movies.
  public let folder: URL
  /// Where copies for the user are made.
  private let temporary: URL

  /// The movies in an app's container.
  public init(directories: AppDirectories = .standard) {
    self.folder = directories.applicationSupport.appending(
      path: "Movies", directoryHint: .isDirectory)
    self.temporary = directories.temporary
  }

  /// The file of a movie, whether it is there or not.
  public func file(of movie: Int) -> URL { folder.appending(path: "\(movie).mp4") }

  /// Keeps the folder out of backups; at each launch too, for what an older version left.
  public func prepare() throws {
    try folder.makeExcludedFolder()
  }

  /// Moves a finished download into place, over the one that may be there.
  public func keep(_ download: URL, as movie: Int) throws {
    try prepare()
    let file = file(of: movie)
    if FileManager.default.fileExists(atPath: file.path) {
      _ = try FileManager.default.replaceItemAt(file, withItemAt: download)
    } else {
      try FileManager.default.moveItem(at: download, to: file)
    }
  }

  /// Opens a movie; nil where it has to be downloaded, perhaps again.
  public func open(_ name: String) throws -> FileHandle? {
    let file = folder.appending(path: name)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return try FileHandle(forReadingFrom: file)
  }

  /// What the user sees as the name of a movie's copy.
  private func exportedName(of movie: Int) -> String { "Movie \(movie).mp4" }

  /// Copies a movie; where the file bears the mark itself, so does the copy.
  public func copy(_ movie: Int, to folder: URL) throws -> URL {
    let copy = folder.appending(path: exportedName(of: movie))
    try FileManager.default.copyItem(at: file(of: movie), to: copy)
    return copy
  }

  /// Gives the user a copy, which is the user's own from now on and goes into backups; false where
  /// the movie has to be downloaded.
  ///
  /// The copy takes its place when it is whole: where iOS ends the app before that, the user can
  /// ask again.
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
