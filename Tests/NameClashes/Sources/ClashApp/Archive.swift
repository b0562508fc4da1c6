import Foundation

/// An archive of races, which the user shares with another device.
public struct Backup: Codable, Hashable, Sendable {
  /// The name of the file.
  static let fileName = "races.json"

  /// The races in the archive.
  public let events: [Event]

  /// Makes an archive.
  ///
  /// - Parameter events: The races in the archive.
  public init(events: [Event]) {
    self.events = events
  }

  /// Writes the archive to a file.
  ///
  /// - Parameter file: The location of the file.
  /// - Throws: An error of Foundation if the file cannot be written.
  public func write(to file: URL) throws {
    try JSONEncoder().encode(self).write(to: file)
  }
}

/// Reads an archive, to bring its races back.
public struct Restore: Sendable {
  /// The archive that was read.
  public let backup: Backup

  /// Reads an archive.
  ///
  /// - Parameter file: The location of the file.
  /// - Throws: An error of Foundation if the file cannot be read.
  public init(from file: URL) throws {
    backup = try JSONDecoder().decode(Backup.self, from: Data(contentsOf: file))
  }
}
