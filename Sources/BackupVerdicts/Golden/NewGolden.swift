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

  package func newPath(of id: String) -> String { "\(newFolder)/\(id)\(Self.newSuffix)" }

  /// The folder of the new texts.
  package var newFolder: String { newTexts.map { "\($0.folder)/\($0.subfolder)" } ?? folder }

  /// Leaves a new golden text for the review.
  func leave(_ text: String, of result: ScenarioResult, reasons: [String]) throws(RunError) {
    let id = result.scenario.id
    let head =
      [
        "\(Self.newKeyword)\(Scenario.goldenFormat): \(id)",
        Self.replacesKey + Self.hashes(of: result.expectedGolden ?? "", text),
        Self.scenarioKey + result.scenario.file,
      ] + reasons.map { "# \($0)" }
    let file = TextFile(path: newPath(of: id), at: try newPlace(of: id, or: .unwritable))
    if newTexts != nil { try file.makeFolder() }
    try file.write(head.map { "\($0.onOneLine)\n" }.joined() + text)
  }

  /// Removes what an earlier run has left for the review, if it is a file.
  package func removeNew(of id: String) throws(RunError) {
    let path = newPath(of: id)
    guard FileKind(at: path, followingLinks: false) == .file else { return }
    let place = try newPlace(of: id, or: .unwritable)
    guard unlink(place) != 0, errno != ENOENT else { return }
    throw RunError(.unwritable, "\(path): cannot be removed: \(POSIXError.last.reason)")
  }

  /// A command of the tool for this folder, for the shell's working directory.
  package func command(_ words: String...) -> String {
    let place = folder.standardizedPath.inWorkingDirectory
    var options = place == Self.usualName ? [] : ["--golden", place]
    if let newTexts {
      options += ["--pending", newTexts.folder.standardizedPath.inWorkingDirectory]
    }
    return "swift run backup-testing "
      + (words + options).map(\.quotedForShell).joined(separator: " ")
  }

  /// Where what waits for a review is, or would be written. A link is refused, since it may lead to
  /// a golden file.
  package func newPlace(of id: String, or code: RunError.Code) throws(RunError) -> String {
    let path = newPath(of: id)
    if let kind = FileKind(at: path, followingLinks: false), kind != .file {
      throw RunError(code, "\(path): this is \(kind.inWords), not a file; remove it")
    }
    guard let newTexts else { return try place(of: "\(id)\(Self.newSuffix)", or: code) }
    do throws(LinkEscape) {
      return try TextFile.place(
        of: "\(newTexts.subfolder)/\(id)\(Self.newSuffix)", in: newTexts.folder)
    } catch {
      throw RunError(
        code,
        "\(error.link): this link \(error.reason), but new golden texts must be in their folder; "
          + "replace the link by the file or folder itself, or name another folder")
    }
  }

  package static func hashes(of former: String, _ new: String) -> String {
    "\(String(former.stableHash, radix: 16))\(hash(of: new))"
  }

  /// The end of these hashes, which is that of the new text.
  package static func hash(of new: String) -> String { " by \(String(new.stableHash, radix: 16))" }
}

/// A folder outside the checkout in which new golden texts wait, for tests that cannot write beside
/// their golden files, as in Bazel's sandboxes.
struct NewTexts: Hashable, Sendable {
  let folder: String
  /// The part of the folder for one folder of golden files.
  ///
  /// It is that folder's path from the working directory, which is the same in a sandbox and in the
  /// checkout. A golden folder elsewhere has its absolute path, below a name of its own.
  let subfolder: String

  private static let absoluteName = "_root"

  fileprivate init(in folder: String, for goldens: String) {
    self.folder = folder.withoutEndingSlash
    let path = goldens.standardizedPath
    let (near, far) = (path.inWorkingDirectory, Self.absoluteName + path)
    // Tests in Xcode run in another directory than the tool.
    func isThere(_ name: String) -> Bool {
      FileKind(at: "\(folder)/\(name)", followingLinks: false) != nil
    }
    self.subfolder = near == path || !isThere(near) && isThere(far) ? far : near
  }
}

extension GoldenStore {
  /// The environment variable that names a folder for new texts.
  package static let pendingVariable = "BACKUP_TESTING_PENDING"

  /// The same golden files, whose new texts wait for a review in a folder, or beside them if none is
  /// named.
  ///
  /// Several folders of golden files may share one folder of new texts.
  package func leavingNewTexts(in folder: String?) -> GoldenStore {
    var store = self
    store.newTexts = folder.flatMap { $0.isEmpty ? nil : NewTexts(in: $0, for: self.folder) }
    return store
  }

  /// The folder that was named for new texts; nil if they wait beside the golden files.
  package var namedNewFolder: String? { newTexts?.folder }
}

extension String {
  /// The absolute path without `.` and `..`; links stay.
  fileprivate var standardizedPath: String {
    URL(fileURLWithPath: self).standardizedFileURL.path
  }
}
