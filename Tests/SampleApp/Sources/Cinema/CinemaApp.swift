import Foundation

/// The app: its stores, and the actions that use more than one store.
public struct CinemaApp: Sendable {
  /// The directories for the stores' files.
  public let directories: AppDirectories

  /// Creates the app with the directories of its own container or of a test's container.
  public init(directories: AppDirectories = .standard) {
    self.directories = directories
  }

  /// The movies that the user wants to see.
  public var watchlist: Watchlist { Watchlist(directories: directories) }
  /// The user's settings.
  public var settings: SettingsFile { SettingsFile(directories: directories) }
  /// The downloaded movies.
  public var movies: MovieStore { MovieStore(directories: directories) }
  /// The posters.
  public var artwork: ArtworkCache { ArtworkCache(directories: directories) }
  /// The user's ratings of movies.
  public var diary: Diary { Diary(directories: directories) }
  /// All movies of the server.
  public var catalogue: Catalogue { Catalogue(directories: directories) }
  /// The key by which the server knows this device.
  public var identity: DeviceIdentity { DeviceIdentity(directories: directories) }

  /// Prepares the stores at each launch.
  public func launch() throws {
    _ = try identity.key()
    _ = try catalogue.open()
    try movies.prepare()
  }

  /// Plays a movie, and stores its name in the settings; false if the movie must be downloaded
  /// first.
  public func play(_ movie: Int) throws -> Bool {
    let name = movies.file(of: movie).lastPathComponent
    guard let file = try movies.open(name) else { return false }
    try file.close()
    try settings.update { $0.lastPlayed = name }
    return true
  }

  /// Resumes the movie that was played last; false if there is none, or if it is missing now.
  public func resume() throws -> Bool {
    guard let name = try settings.load().lastPlayed, let file = try movies.open(name) else {
      return false
    }
    try file.close()
    return true
  }
}
