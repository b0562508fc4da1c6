import BackupDiagnostics
import BackupScenarios
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
    guard let text = String(validUTF8: data) else {
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
  /// - Returns: Their paths, sorted.
  package func orphans(besides ids: some Sequence<String>) -> [String] {
    let known = Set(ids.map { "\($0)\(Self.suffix)" })
    let found = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    let missing = Set(known.subtracting(found).map { $0.lowercased() })
    return found.filter { name in
      name.hasSuffix(Self.suffix) && !known.contains(name) && !missing.contains(name.lowercased())
    }.sorted().map { "\(folder)/\($0)" }.filter(Self.isFile)
  }

  /// Whether a path is a regular file: a folder or a link is nothing the kit wrote.
  private static func isFile(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.type] as? FileAttributeType == .typeRegular
  }
}

extension String {
  /// A folder's path without the slashes that a shell's completion leaves at its end.
  var withoutEndingSlash: String {
    var path = self[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    return String(path)
  }
}
