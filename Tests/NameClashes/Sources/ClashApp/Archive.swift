import Foundation

/// An archive of races, which the user shares with another device.
public struct Backup: Codable, Hashable, Sendable {
  /// The name of the file.
  static let fileName = "races.json"

  /// The races in it.
  public let events: [Event]

  /// Makes an archive.
  ///
  /// - Parameter events: The races in it.
  public init(events: [Event]) {
    self.events = events
  }

  /// Writes the archive to a file.
  ///
  /// - Parameter file: Where to write it.
  /// - Throws: An error of Foundation's if it cannot be written.
  public func write(to file: URL) throws {
    try JSONEncoder().encode(self).write(to: file)
  }
}

/// The way back from an archive.
public struct Restore: Sendable {
  /// The archive.
  public let backup: Backup

  /// Reads an archive.
  ///
  /// - Parameter file: Where it was written.
  /// - Throws: An error of Foundation's if it cannot be read.
  public init(from file: URL) throws {
    backup = try JSONDecoder().decode(Backup.self, from: Data(contentsOf: file))
  }
}
