import BackupContainer
import BackupDiagnostics
package import BackupScenarios
import Foundation

extension GoldenStore {
  /// The paths of the golden files that no scenario names, sorted. A name that differs by case from
  /// one that is missing counts as that one: on a file system that ignores case it is the
  /// scenario's own file.
  package func orphans(besides ids: some Sequence<String>) throws(RunError) -> [String] {
    try requireEnclosed(folder, or: .unreadable)
    let known = Set(ids.map { "\($0)\(Self.suffix)" })
    let found = try names()
    let missing = Set(known.subtracting(found).map { $0.lowercased() })
    return found.filter { name in
      name.hasSuffix(Self.suffix) && !known.contains(name) && !missing.contains(name.lowercased())
    }.sorted().map { "\(folder)/\($0)" }.filter { path in
      // A folder or a link is nothing the kit wrote.
      FileKind(at: path, followingLinks: false) == .file
    }
  }

  /// The paths, below the folder, of all that is in it; links are not followed.
  private func names() throws(RunError) -> [String] {
    var names: [String] = []
    var prefixes = [""]
    while let prefix = prefixes.popLast() {
      let found = try Self.names(in: "\(folder)/\(prefix)".withoutEndingSlash).map { prefix + $0 }
      names += found
      prefixes += found.filter { name in
        FileKind(at: "\(folder)/\(name)", followingLinks: false) == .folder
      }.map { "\($0)/" }
    }
    return names
  }

  /// The names in a folder; none where it is not there.
  private static func names(in folder: String) throws(RunError) -> [String] {
    try requireFolder(folder)
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch CocoaError.fileReadNoSuchFile {
      return []
    } catch {
      throw RunError(
        .unreadable, "\(folder): the folder of golden files cannot be read: \(error.reason)",
        from: error)
    }
  }
}
