import BackupContainer
package import BackupDiagnostics
import BackupScenarios
import Foundation

extension GoldenStore {
  /// What the name of a file ends in that waits for a review.
  package static let newSuffix = "\(suffix).new"
  /// What such a file begins with, before the number of the golden files' format.
  package static let newKeyword = "# new golden "

  package static let replacesKey = "# replaces "
  package static let scenarioKey = "# scenario "

  package func newPath(of id: String) -> String { "\(folder)/\(id)\(Self.newSuffix)" }

  /// Leaves a new golden text for the review; whether it could be written.
  func leave(_ text: String, of result: ScenarioResult, reasons: [String]) -> Bool {
    let id = result.scenario.id
    let head =
      [
        "\(Self.newKeyword)\(Scenario.goldenFormat): \(id)",
        Self.replacesKey + Self.hashes(of: result.expectedGolden ?? "", text),
        Self.scenarioKey + result.scenario.file,
      ] + reasons.map { "# \($0)" }
    do throws(RunError) {
      let file = TextFile(path: newPath(of: id), at: try newPlace(of: id, or: .unwritable))
      try file.write(head.map { "\($0.onOneLine)\n" }.joined() + text)
      return true
    } catch {
      return false
    }
  }

  /// Removes what an earlier run has left for the review.
  package func removeNew(of id: String) {
    let isThere = FileKind(at: newPath(of: id), followingLinks: false) == .file
    if isThere, let place = try? newPlace(of: id, or: .unwritable) { unlink(place) }
  }

  /// A command of the tool for this folder, for the shell's working directory.
  package func command(_ words: String...) -> String {
    let here = FileManager.default.currentDirectoryPath + "/"
    let path = URL(fileURLWithPath: folder).standardizedFileURL.path
    let place = path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
    let option = place == Self.usualName ? [] : ["--golden", place]
    return "swift run backup-testing "
      + (words + option).map(\.quotedForShell).joined(separator: " ")
  }

  /// Where what waits for a review is, or would be written. A link is refused, since it may lead to
  /// a golden file.
  package func newPlace(of id: String, or code: RunError.Code) throws(RunError) -> String {
    let path = newPath(of: id)
    if let kind = FileKind(at: path, followingLinks: false), kind != .file {
      throw RunError(code, "\(path): this is \(kind.inWords), not a file; remove it")
    }
    return try place(of: "\(id)\(Self.newSuffix)", or: code)
  }

  package static func hashes(of former: String, _ new: String) -> String {
    "\(String(former.stableHash, radix: 16)) by \(String(new.stableHash, radix: 16))"
  }
}
