import BackupDiagnostics
package import BackupScenarios
import Foundation

/// The folder of golden files.
package struct GoldenStore: Sendable {
  /// The folder's path, as it was named.
  package let folder: String

  /// The extension of golden files.
  static let suffix = ".golden"

  /// The golden files in a folder, which need not be there yet.
  ///
  /// - Parameter folder: A path on disk, absolute or relative to the working directory.
  package init(folder: String) {
    self.folder = folder.withoutEndingSlash
  }

  /// The golden folder beside a scenario folder.
  ///
  /// - Parameter folder: The scenario folder's path on disk; `Tests/Scenarios` has `Tests/Golden`.
  package init(besideScenarios folder: String) {
    let parts = folder.withoutEndingSlash.split(separator: "/", omittingEmptySubsequences: false)
    let isUnnamed = ["", ".", ".."].contains(parts.last)
    let above = isUnnamed ? parts + [".."] : parts.dropLast()
    self.init(folder: (above + ["Golden"]).joined(separator: "/"))
  }

  /// The path of a scenario's golden file.
  ///
  /// - Parameter id: The scenario's id, such as `marks/movie-saved-twice`.
  /// - Returns: A path on disk below ``folder``, whether or not there is a file.
  package func path(of id: String) -> String { "\(folder)/\(id)\(Self.suffix)" }

  /// The text of a scenario's golden file, nil where there is none.
  ///
  /// - Throws: ``RunError`` where it cannot be read, or is not UTF-8 with LF.
  func text(of id: String) throws(RunError) -> String? {
    let path = path(of: id)
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch CocoaError.fileReadNoSuchFile {
      return nil
    } catch {
      throw RunError(
        .unreadable, "\(path): the golden file cannot be read: \(error.reason)", from: error)
    }
    guard let text = String(validUTF8: Array(data)) else {
      throw RunError(
        .unreadable,
        "\(path): the golden file is not UTF-8; record it anew with --record failed")
    }
    guard !text.utf8.contains(UInt8(ascii: "\r")) else {
      throw RunError(
        .unreadable,
        "\(path): the golden file has line ends with CR; keep them as LF, with '*.golden -text' in "
          + ".gitattributes, or record it anew with --record failed")
    }
    return text
  }

  /// Writes a scenario's golden file, whole or not at all.
  ///
  /// - Throws: ``RunError`` where it cannot be written.
  func write(_ text: String, for id: String) throws(RunError) {
    let url = URL(fileURLWithPath: path(of: id))
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url, options: .atomic)
    } catch {
      throw RunError(
        .unwritable, "\(path(of: id)): the golden file cannot be written: \(error.reason)",
        from: error)
    }
  }

  /// The golden files that no scenario names.
  ///
  /// A name that differs by case from one that is missing counts as that one: on a file system that
  /// ignores case it is the scenario's own file.
  ///
  /// - Parameter ids: The ids of all scenarios.
  /// - Returns: Their paths, sorted; none where the folder is not there.
  /// - Throws: ``RunError`` where a folder cannot be read, since nothing is known of what is in it.
  package func orphans(besides ids: some Sequence<String>) throws(RunError) -> [String] {
    let known = Set(ids.map { "\($0)\(Self.suffix)" })
    let found = try names()
    let missing = Set(known.subtracting(found).map { $0.lowercased() })
    return found.filter { name in
      name.hasSuffix(Self.suffix) && !known.contains(name) && !missing.contains(name.lowercased())
    }.sorted().map { "\(folder)/\($0)" }.filter { path in
      // A folder or a link is nothing the kit wrote.
      FileManager.default.typeOfItem(atPath: path) == .typeRegular
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
        FileManager.default.typeOfItem(atPath: "\(folder)/\(name)") == .typeDirectory
      }.map { "\($0)/" }
    }
    return names
  }

  /// The names in a folder; none where it is not there.
  private static func names(in folder: String) throws(RunError) -> [String] {
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
