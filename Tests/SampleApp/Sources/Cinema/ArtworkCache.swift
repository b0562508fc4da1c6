import Foundation

/// Posters, which only save time: in Caches, where iOS may take them at any moment.
public struct ArtworkCache: Sendable {
  /// The folder of the posters.
  public let folder: URL

  /// The posters in an app's container.
  public init(directories: AppDirectories = .standard) {
    self.folder = directories.caches.appending(path: "Artwork", directoryHint: .isDirectory)
  }

  /// The poster of a movie, fetched where it is not here or no longer here.
  public func poster(of movie: Int, fetch: () throws -> Data) throws -> Data {
    let file = folder.appending(path: "\(movie).jpg")
    if let poster = try? Data(contentsOf: file) { return poster }
    let poster = try fetch()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try poster.write(to: file, options: .atomic)
    return poster
  }
}
