import Foundation

/// A cache of posters. It is in Caches, where iOS can delete the posters at any time.
public struct ArtworkCache: Sendable {
  /// The folder of the posters.
  public let folder: URL

  /// Creates the cache in an app's container.
  public init(directories: AppDirectories = .standard) {
    self.folder = directories.caches.appending(path: "Artwork", directoryHint: .isDirectory)
  }

  /// Returns the poster of a movie, and fetches it if it is not in the cache.
  public func poster(of movie: Int, fetch: () throws -> Data) throws -> Data {
    let file = folder.appending(path: "\(movie).jpg")
    if let poster = try? Data(contentsOf: file) { return poster }
    let poster = try fetch()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try poster.write(to: file, options: .atomic)
    return poster
  }
}
