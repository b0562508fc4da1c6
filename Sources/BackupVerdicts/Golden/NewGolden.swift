import BackupContainer
package import BackupDiagnostics
import BackupScenarios
import Foundation

/// A golden text that waits for a review, with facts for the review that only the run knows.
package struct NewGolden: Hashable, Sendable {
  package let id: String
  /// The number of the golden files' format.
  package let format: Int
  /// The digests of the golden file and of this text; nil if they are not known.
  package let digests: Digests?
  package let scenario: String
  /// The reasons why items are in backups or not, in a sentence each.
  package let reasons: [String]
  package let text: String

  /// The start of the file, before the number of the golden files' format.
  private static let keyword = "# new golden "
  private static let replacesKey = "# replaces "
  private static let scenarioKey = "# scenario "
  private static let reasonKey = "# why: "

  init(_ text: String, of result: ScenarioResult) {
    id = result.scenario.id
    format = GoldenDocument.format
    digests = Digests(result.expectedGolden ?? "", text)
    scenario = result.scenario.file
    reasons = result.problems.flatMap(\.reasons)
    self.text = text
  }

  /// Reads the file of a text that waits for a review; nil if the kit did not write it.
  package init?(parsing file: String) {
    // Every line before the golden text begins with another keyword.
    guard let end = file.firstRange(of: "\n\(GoldenDocument.keyword)")?.lowerBound,
      case let head = file[..<end].split(separator: "\n").map(String.init), let first = head.first,
      let format = GoldenDocument.formatNumber(in: first, after: Self.keyword)
    else { return nil }
    func values(_ key: String) -> [String] {
      head.filter { $0.hasPrefix(key) }.map { String($0.dropFirst(key.count)) }
    }
    let digests = values(Self.replacesKey)
    self.id = String(first.drop { $0 != ":" }.dropFirst(2))
    self.format = format
    self.digests = digests.count == 1 ? Digests(digests[0]) : nil
    self.scenario = values(Self.scenarioKey).first ?? ""
    self.reasons = values(Self.reasonKey)
    self.text = String(file[file.index(after: end)...])
  }

  var file: String {
    let head =
      ["\(Self.keyword)\(format): \(id)"]
      + [digests.map { "\(Self.replacesKey)\($0)" }, Self.scenarioKey + scenario]
      .compactMap(\.self) + reasons.map { Self.reasonKey + $0 }
    return head.map { "\($0.onOneLine)\n" }.joined() + text
  }

  /// The digests of the golden file and the new text, which show if one of them has changed since the run.
  package struct Digests: Hashable, Sendable, CustomStringConvertible {
    let golden: String
    package let new: String

    private static let separator = " by "

    package init(_ golden: String, _ new: String) {
      (self.golden, self.new) = (Self.digest(golden), Self.digest(new))
    }

    fileprivate init?(_ words: String) {
      let parts = words.split(separator: Self.separator, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      (golden, new) = (String(parts[0]), String(parts[1]))
    }

    private static func digest(_ text: String) -> String { String(text.stableHash, radix: 16) }

    package var description: String { "\(golden)\(Self.separator)\(new)" }
  }
}

extension GoldenStore {
  /// The end of the name of a file that waits for a review.
  package static let newSuffix = "\(suffix).new"

  package func newPath(of id: String) -> String { "\(newFolder)/\(id)\(Self.newSuffix)" }

  /// The folder of the new texts.
  package var newFolder: String { newTexts.map { "\($0.folder)/\($0.subfolder)" } ?? folder }

  /// Leaves a new golden text for the review.
  func leave(_ new: NewGolden, for id: String) throws(RunError) {
    let file = TextFile(path: newPath(of: id), at: try newPlace(of: id, or: .unwritable))
    if newTexts != nil { try file.makeFolder() }
    try file.write(new.file)
  }

  /// Removes the new text that an earlier run has left for the review, if it is a file.
  package func removeNew(of id: String) throws(RunError) {
    let path = newPath(of: id)
    guard FileKind(at: path, followingLinks: false) == .file else { return }
    let place = try newPlace(of: id, or: .unwritable)
    guard unlink(place) != 0, errno != ENOENT else { return }
    throw RunError(.unwritable, "\(path): cannot be removed: \(POSIXError.last.reason)")
  }

  /// Returns a command of the tool for this folder, to be run in the working directory.
  package func command(_ words: String...) -> String {
    let place = folder.standardizedPath.inWorkingDirectory
    var options = place == Self.usualName ? [] : ["--golden", place]
    if let newTexts {
      options += ["--pending", newTexts.folder.standardizedPath.inWorkingDirectory]
    }
    return "swift run backup-testing "
      + (words + options).map(\.quotedForShell).joined(separator: " ")
  }

  /// Returns the place of a text that waits for a review, whether or not it exists.
  ///
  /// A link is refused, because it may lead to a golden file.
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
}

/// A folder outside the checkout in which new golden texts wait.
///
/// Tests use it if they cannot write beside their golden files, as in Bazel's sandboxes.
struct NewTexts: Hashable, Sendable {
  let folder: String
  /// The subfolder for one folder of golden files.
  ///
  /// It is that folder's path from the working directory, which is the same in a sandbox and in the
  /// checkout. A golden folder elsewhere has its absolute path, below ``absoluteName``.
  let subfolder: String

  private static let absoluteName = "_root"

  fileprivate init(in folder: String, for goldens: String) {
    self.folder = folder.withoutEndingSlash
    let path = goldens.standardizedPath
    let (relative, absolute) = (path.inWorkingDirectory, Self.absoluteName + path)
    // Tests in Xcode run in another directory than the tool.
    func exists(_ name: String) -> Bool {
      FileKind(at: "\(folder)/\(name)", followingLinks: false) != nil
    }
    self.subfolder = relative == path || !exists(relative) && exists(absolute) ? absolute : relative
  }
}

extension GoldenStore {
  /// The environment variable that names a folder for new texts.
  package static let pendingVariable = "BACKUP_TESTING_PENDING"

  /// Returns a store whose new texts wait for a review in a folder, or beside the golden files if it is nil.
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
