import Foundation

/// The app: its stores, and what it does with more than one of them.
public struct CinemaApp: Sendable {
  /// Where the stores keep their files.
  public let directories: AppDirectories

  /// The app in its own container, or in one that a test hands over.
  public init(directories: AppDirectories = .standard) {
    self.directories = directories
  }

  /// What the user wants to see.
  public var watchlist: Watchlist { Watchlist(directories: directories) }
  /// What the user has set.
  public var settings: SettingsFile { SettingsFile(directories: directories) }
  /// Movies for watching without a network.
  public var movies: MovieStore { MovieStore(directories: directories) }
  /// Posters.
  public var artwork: ArtworkCache { ArtworkCache(directories: directories) }
  /// What the user thought of each movie.
  public var diary: Diary { Diary(directories: directories) }
  /// All movies there are.
  public var catalogue: Catalogue { Catalogue(directories: directories) }
  /// What the server knows this device by.
  public var identity: DeviceIdentity { DeviceIdentity(directories: directories) }

  /// What the app does at each start.
  public func launch() throws {
    _ = try identity.key()
    _ = try catalogue.open()
    try movies.prepare()
  }

  /// Plays a movie and notes it as the last; false where it has to be downloaded.
  public func play(_ movie: Int) throws -> Bool {
    let name = movies.file(of: movie).lastPathComponent
    guard let file = try movies.open(name) else { return false }
    try file.close()
    try settings.update { $0.lastPlayed = name }
    return true
  }

  /// Goes on with the movie that was played last; false where there is none, or no longer.
  public func resume() throws -> Bool {
    guard let name = try settings.load().lastPlayed, let file = try movies.open(name) else {
      return false
    }
    try file.close()
    return true
  }
}
