import BackupScenarios
import Foundation

/// Where a file of a folder really is. The folder itself may be reached by links, which are the
/// user's word; below it a link is followed only where it leads to a place in the folder.
struct EnclosedPath {
  /// The absolute path of the place, without a link on the way; nothing need be there.
  let place: String

  /// Links that are not followed.
  struct Escape: Error {
    /// The first link on the way, by the folder's path as it was named.
    let link: String
    /// What is wrong with it, for the middle of a sentence.
    let reason: String
  }

  /// How many links are followed, more than any system does.
  private static let mostLinks = 64

  /// Finds the place of a file.
  ///
  /// - Parameters:
  ///   - path: The file's path below the folder.
  ///   - folder: The folder's path, absolute or relative to the working directory.
  /// - Throws: ``Escape`` where a link leads out of the folder, or in a circle.
  init(_ path: String, in folder: String) throws(Escape) {
    guard let root = Self.realPath(of: folder) else {
      self.place = "\(folder)/\(path)"
      return
    }
    var (place, rest) = (root, Self.components(of: path))
    var (link, count): (String?, Int) = (nil, 0)
    while let name = rest.popLast() {
      let next = name == ".." ? Self.parent(of: place) : "\(place == "/" ? "" : place)/\(name)"
      guard name != "..", let target = Self.target(of: next) else {
        place = next
        continue
      }
      link = link ?? "\(folder)\(next.dropFirst(root.count))"
      count += 1
      guard count <= Self.mostLinks else {
        throw Escape(link: link ?? next, reason: "leads in a circle")
      }
      if target.hasPrefix("/") { place = "/" }
      rest += Self.components(of: target)
    }
    guard root == "/" || place.hasPrefix("\(root)/") else {
      throw Escape(link: link ?? path, reason: "leads out of \(folder)")
    }
    self.place = place
  }

  /// A folder's path without links; nil where nothing is there.
  private static func realPath(of folder: String) -> String? {
    guard let characters = realpath(folder.isEmpty ? "/" : folder, nil) else { return nil }
    defer { free(characters) }
    return String(cString: characters)
  }

  /// The names in a path, the last one first, without those that say nothing.
  private static func components(of path: String) -> [String] {
    path.split(separator: "/").map(String.init).filter { $0 != "." }.reversed()
  }

  /// The folder above a path without links.
  private static func parent(of path: String) -> String {
    let above = path.split(separator: "/").dropLast().joined(separator: "/")
    return "/\(above)"
  }

  /// What a link holds; nil for what is none.
  private static func target(of path: String) -> String? {
    guard FileKind(at: path, followingLinks: false) == .link else { return nil }
    return try? FileManager.default.destinationOfSymbolicLink(atPath: path)
  }
}
