import Foundation

/// The user's settings, and the movie that was played last.
public struct Settings: Codable, Hashable, Sendable {
  /// True if the diary is backed up.
  public var backsUpDiary = true
  /// The name of the movie file that was played last. Its path would change with the container.
  public var lastPlayed: String?

  /// Creates the settings of a new user.
  public init() {}
}

/// The file with the user's settings, which is backed up.
public struct SettingsFile: Sendable {
  /// The place of the file.
  public let file: URL

  /// Creates the settings file in an app's container.
  public init(directories: AppDirectories = .standard) {
    self.file = directories.applicationSupport.appending(path: "Settings.json")
  }

  /// Reads the settings; returns those of a new user if there is no file.
  public func load() throws -> Settings {
    guard FileManager.default.fileExists(atPath: file.path) else { return Settings() }
    return try JSONDecoder().decode(Settings.self, from: Data(contentsOf: file))
  }

  /// Changes and saves the settings.
  public func update(_ change: (inout Settings) -> Void) throws {
    var settings = try load()
    change(&settings)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try JSONEncoder().encode(settings).write(to: file, options: .atomic)
  }
}
