import Foundation

/// What the user has set, and where the user left off.
public struct Settings: Codable, Hashable, Sendable {
  /// Whether the diary goes into backups.
  public var backsUpDiary = true
  /// The name of the movie file that was played last; never its path, which changes.
  public var lastPlayed: String?

  /// The settings of a new user.
  public init() {}
}

/// The settings file: the user's own, in every backup.
public struct SettingsFile: Sendable {
  /// The file.
  public let file: URL

  /// The settings file in an app's container.
  public init(directories: AppDirectories = .standard) {
    self.file = directories.applicationSupport.appending(path: "Settings.json")
  }

  /// The settings; those of a new user where none were saved.
  public func load() throws -> Settings {
    guard FileManager.default.fileExists(atPath: file.path) else { return Settings() }
    return try JSONDecoder().decode(Settings.self, from: Data(contentsOf: file))
  }

  /// Changes the settings.
  public func update(_ change: (inout Settings) -> Void) throws {
    var settings = try load()
    change(&settings)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try JSONEncoder().encode(settings).write(to: file, options: .atomic)
  }
}
