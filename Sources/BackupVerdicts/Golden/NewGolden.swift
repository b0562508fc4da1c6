import BackupContainer
package import BackupDiagnostics
import BackupScenarios
import Foundation

/// A golden text that waits for a review, with facts about its run that the review needs.
///
/// Its file has the lines `# new golden 2: id`, `# replaces DIGEST by DIGEST`, `# scenario FILE`
/// and `# why: REASON` before the golden text.
package struct NewGolden: Hashable, Sendable {
  package let id: String
  /// The number of the golden files' format.
  package let format: Int
  /// The digests of the golden file and of this text; nil if they are not known.
  package let digests: Digests?
  /// The path of the scenario file.
  package let scenarioFile: String
  /// A sentence for each reason why an item is in a backup or not.
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
    scenarioFile = result.scenario.file
    reasons = result.problems.flatMap(\.reasons)
    self.text = text
  }

  /// Reads the file of a text that waits for a review; nil if the kit did not write it.
  package init?(parsing contents: String) {
    // No line before the golden text begins with the keyword of a golden text.
    guard let headEnd = contents.firstRange(of: "\n\(GoldenDocument.keyword)")?.lowerBound,
      case let headLines = contents[..<headEnd].split(separator: "\n").map(String.init),
      let firstLine = headLines.first,
      let format = GoldenDocument.formatNumber(in: firstLine, after: Self.keyword)
    else { return nil }
    func values(_ key: String) -> [String] {
      headLines.filter { $0.hasPrefix(key) }.map { String($0.dropFirst(key.count)) }
    }
    let digestTexts = values(Self.replacesKey)
    self.id = String(firstLine.drop { $0 != ":" }.dropFirst(2))
    self.format = format
    self.digests = digestTexts.count == 1 ? Digests(digestTexts[0]) : nil
    self.scenarioFile = values(Self.scenarioKey).first ?? ""
    self.reasons = values(Self.reasonKey)
    self.text = String(contents[contents.index(after: headEnd)...])
  }

  /// The contents of the file.
  var fileContents: String {
    let headLines =
      ["\(Self.keyword)\(format): \(id)"]
      + [digests.map { "\(Self.replacesKey)\($0)" }, Self.scenarioKey + scenarioFile]
      .compactMap(\.self) + reasons.map { Self.reasonKey + $0 }
    return headLines.map { "\($0.onOneLine)\n" }.joined() + text
  }

  /// The digests of the golden file and the new text. These digests show whether the file or the
  /// text has changed since the run.
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

  package func newTextPath(of id: String) -> String {
    "\(newTextFolderPath)/\(id)\(Self.newSuffix)"
  }

  /// The folder in which new texts wait for a review.
  package var newTextFolderPath: String {
    separateNewTextFolder.map { "\($0.folder)/\($0.subfolder)" } ?? folder
  }

  /// Writes the file of a new golden text for a review.
  func leaveForReview(_ new: NewGolden, for id: String) throws(RunError) {
    let file = TextFile(
      path: newTextPath(of: id), at: try resolvedNewTextPath(of: id, orThrow: .unwritable))
    if separateNewTextFolder != nil { try file.makeFolder() }
    try file.write(new.fileContents)
  }

  /// Removes the file of the new text that an earlier run left for a review, if it exists.
  package func removeNewText(of id: String) throws(RunError) {
    let path = newTextPath(of: id)
    guard FileKind(at: path, followingLinks: false) == .file else { return }
    let resolvedPath = try resolvedNewTextPath(of: id, orThrow: .unwritable)
    guard unlink(resolvedPath) != 0, errno != ENOENT else { return }
    throw RunError(.unwritable, "\(path): cannot be removed: \(POSIXError.last.reason)")
  }

  /// Returns a command line that runs the tool for this folder from the working directory.
  package func command(_ words: String...) -> String {
    let goldenFolder = folder.standardizedPath.relativeToWorkingDirectory
    var options = goldenFolder == Self.usualName ? [] : ["--golden", goldenFolder]
    if let separateNewTextFolder {
      options += [
        "--pending", separateNewTextFolder.folder.standardizedPath.relativeToWorkingDirectory,
      ]
    }
    return "swift run backup-testing "
      + (words + options).map(\.quotedForShell).joined(separator: " ")
  }

  /// Returns the path of a new text's file, with all links resolved. The file need not exist.
  ///
  /// Throws an error if the file is a link, because the link may lead to a golden file.
  package func resolvedNewTextPath(of id: String, orThrow code: RunError.Code) throws(RunError)
    -> String
  {
    let path = newTextPath(of: id)
    if let kind = FileKind(at: path, followingLinks: false), kind != .file {
      throw RunError(code, "\(path): this is \(kind.inWords), not a file; remove it")
    }
    guard let separateNewTextFolder else {
      return try resolvedPath(of: "\(id)\(Self.newSuffix)", orThrow: code)
    }
    do throws(LinkError) {
      return try TextFile.resolvedPath(
        of: "\(separateNewTextFolder.subfolder)/\(id)\(Self.newSuffix)",
        in: separateNewTextFolder.folder)
    } catch {
      throw RunError(
        code,
        "\(error.link): this link \(error.reason), but new golden texts must be in their folder; "
          + "replace the link by the file or folder itself, or name another folder")
    }
  }
}

/// A folder outside of the checkout in which new golden texts wait for a review.
///
/// Tests use such a folder if they cannot write beside their golden files, for example in a sandbox
/// of Bazel.
struct NewTextFolder: Hashable, Sendable {
  let folder: String
  /// The subfolder for the new texts of one golden folder.
  ///
  /// The subfolder is the path of the golden folder relative to the working directory. This path is
  /// the same in a sandbox and in the checkout. For a golden folder outside of the working
  /// directory, the subfolder is the absolute path below ``absolutePrefix``.
  let subfolder: String

  private static let absolutePrefix = "_root"

  fileprivate init(in folder: String, for goldenFolder: String) {
    self.folder = folder.withoutEndingSlash
    let path = goldenFolder.standardizedPath
    let (relativeSubfolder, absoluteSubfolder) = (
      path.relativeToWorkingDirectory, Self.absolutePrefix + path
    )
    // Tests in Xcode run in another working directory than the tool, so they leave their texts in
    // the absolute subfolder. The tool reads them there if the relative subfolder does not exist.
    func exists(_ subfolder: String) -> Bool {
      FileKind(at: "\(folder)/\(subfolder)", followingLinks: false) != nil
    }
    self.subfolder =
      relativeSubfolder == path || !exists(relativeSubfolder) && exists(absoluteSubfolder)
      ? absoluteSubfolder : relativeSubfolder
  }
}

extension GoldenStore {
  /// The environment variable that names a folder for new texts.
  package static let pendingVariable = "BACKUP_TESTING_PENDING"

  /// Returns a store whose new texts wait for a review in `folder`. If `folder` is nil or empty,
  /// the new texts wait beside the golden files.
  ///
  /// Several folders of golden files may share one folder of new texts.
  package func leavingNewTexts(in folder: String?) -> GoldenStore {
    var store = self
    store.separateNewTextFolder = folder.flatMap {
      $0.isEmpty ? nil : NewTextFolder(in: $0, for: self.folder)
    }
    return store
  }

  /// The folder that the user chose for new texts; nil if they wait beside the golden files.
  package var chosenNewTextFolder: String? { separateNewTextFolder?.folder }
}

extension String {
  /// The absolute path without `.` and `..`; links stay.
  fileprivate var standardizedPath: String {
    URL(fileURLWithPath: self).standardizedFileURL.path
  }
}
