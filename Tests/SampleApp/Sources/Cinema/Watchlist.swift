import Foundation

/// The movies that the user wants to see. The file is the user's own, so it is backed up.
public struct Watchlist: Sendable {
  /// The file with the list.
  public let file: URL

  /// Creates the watchlist in an app's container.
  public init(directories: AppDirectories = .standard) {
    self.file = directories.documents.appending(path: "Watchlist.json")
  }

  /// Reads the numbers of the movies; returns none if there is no file.
  public func movies() throws -> [Int] {
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    return try JSONDecoder().decode([Int].self, from: Data(contentsOf: file))
  }

  /// Adds a movie if it is not in the list.
  public func add(_ movie: Int) throws {
    let movies = try movies()
    guard !movies.contains(movie) else { return }
    try JSONEncoder().encode(movies + [movie]).write(to: file, options: .atomic)
  }
}

extension Watchlist {
  /// Adds the movies of a list from another app, and then deletes the file of that list.
  public func importList(at list: URL, directories: AppDirectories = .standard) throws {
    let copy = directories.temporary.appending(path: "Import-\(list.lastPathComponent)")
    try? FileManager.default.removeItem(at: copy)
    try FileManager.default.copyItem(at: list, to: copy)
    defer { try? FileManager.default.removeItem(at: copy) }
    for movie in try JSONDecoder().decode([Int].self, from: Data(contentsOf: copy)) {
      try add(movie)
    }
    try FileManager.default.removeItem(at: list)
  }
}
