import BackupFileTree
import Foundation

/// A link that is not followed, since it leads out of a folder or in a circle.
struct LinkEscape: Error {
  /// The first link on the way, by the folder's path as it was named.
  let link: String
  /// What is wrong with it, for the middle of a sentence.
  let reason: String
}

extension TextFile {
  /// How many links are followed, more than any system does.
  private static let mostLinks = 64

  /// The absolute path of a file of a folder, without a link on the way; nothing need be there.
  ///
  /// The folder itself may be reached by links, which are the user's word; below it a link is followed
  /// only if it leads to a place in the folder.
  static func place(of path: String, in folder: String) throws(LinkEscape) -> String {
    guard let root = realPath(of: folder) else { return "\(folder)/\(path)" }
    var (place, rest) = (root, components(of: path))
    var (link, count): (String?, Int) = (nil, 0)
    while let name = rest.popLast() {
      let next = name == ".." ? parent(of: place) : "\(place == "/" ? "" : place)/\(name)"
      guard name != "..", let target = try target(of: next) else {
        place = next
        continue
      }
      let below = String(decoding: next.utf8.dropFirst(root.utf8.count), as: UTF8.self)
      link = link ?? "\(folder)\(below)"
      count += 1
      guard count <= mostLinks else {
        throw LinkEscape(link: link ?? next, reason: "leads in a circle")
      }
      if target.utf8.first == separator { place = "/" }
      rest += components(of: target)
    }
    guard root == "/" || place.utf8.starts(with: "\(root)/".utf8) else {
      throw LinkEscape(link: link ?? path, reason: "leads out of \(folder)")
    }
    return place
  }

  /// A folder's path without links; nil if it does not exist.
  private static func realPath(of folder: String) -> String? {
    guard let characters = realpath(folder.isEmpty ? "/" : folder, nil) else { return nil }
    defer { free(characters) }
    return String(cString: characters)
  }

  /// What stands between two names, a byte: as a character it may be one with an accent behind it.
  private static let separator = UInt8(ascii: "/")

  private static func names(in path: String) -> [String] {
    path.utf8.split(separator: separator).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The names in a path, the last one first, without those that say nothing.
  private static func components(of path: String) -> [String] {
    names(in: path).filter { $0 != "." }.reversed()
  }

  private static func parent(of path: String) -> String {
    "/\(names(in: path).dropLast().joined(separator: "/"))"
  }

  /// What a link holds; nil if the path is not a link, or can never be reached.
  ///
  /// - Throws: ``LinkEscape`` if it cannot be read now, since it may then lead anywhere.
  private static func target(of path: String) throws(LinkEscape) -> String? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &target, target.count)
    guard count < 0 else {
      return String(decoding: target[..<count].map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
    }
    switch errno {
    case EINVAL, ENOENT, ENOTDIR, EACCES, ENAMETOOLONG: return nil
    default:
      let words = MachineFault.words(for: errno)
      throw LinkEscape(link: path, reason: "cannot be examined (\(words))")
    }
  }
}
