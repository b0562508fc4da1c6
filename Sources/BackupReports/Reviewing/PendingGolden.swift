import BackupCollections
import BackupContainer
package import BackupDiagnostics
import BackupScenarios
package import BackupVerdicts
import Foundation

/// A change of a golden file that waits for a review. A run left the new text in the file
/// `x.golden.new`.
package struct PendingGolden: Hashable, Sendable {
  package let id: String
  package let goldenPath: String
  package let newPath: String
  package let newGolden: NewGolden
  /// The difference of the two texts. Nil if the texts are equal, because an `accept` was killed
  /// after it had written the golden file.
  let difference: LineDifference?

  /// A summary of the change of the golden file, on one line.
  package var summary: String {
    guard let difference else { return "the golden file has this text already" }
    let count = difference.changedLines.count
    let lines = "\(count.counted("line")) \(count.wordForm("differs", plural: "differ"))"
    return (RenamedItems(in: difference).lines + [lines]).joined(separator: "; ").asMessage
  }

  package var title: String { "\(id): \(goldenPath): \(summary)".onOneLine }

  /// Returns the difference and its reasons, as the tool's `run` shows them.
  package func details(isColored: Bool) -> [String] {
    guard let difference else { return [] }
    let omittedCount = difference.lineCount - ExplainedDifference.maximumLineCount
    let omissionLines =
      omittedCount > 0
      ? ["… and \(omittedCount.counted("more line")); compare \(goldenPath) with \(newPath)"] : []
    return [ExplainedDifference.columnTitles]
      + difference.shownLines(atMost: ExplainedDifference.maximumLineCount, isColored: isColored)
      + (omissionLines + newGolden.reasons.map(ExplainedDifference.line)).map(\.asMessage.onOneLine)
  }

  /// Returns the pending changes in groups. The changes of a group are equal.
  package static func groups(of pending: [PendingGolden]) -> [[PendingGolden]] {
    pending.grouped { $0.difference?.change }
  }
}

extension GoldenStore {
  /// Returns the ids of all scenarios that have a `.golden.new` file, even if the file is
  /// unreadable.
  package func pendingIDs() throws(RunError) -> [String] {
    try requireEnclosed(folder, orThrow: .unreadable)
    return try relativePaths(in: newTextFolderPath).filter { $0.hasSuffix(Self.newSuffix) }.map {
      String($0.dropLast(Self.newSuffix.count))
    }.sorted()
  }

  package func readPending(_ id: String) throws(RunError) -> PendingGolden {
    let (goldenPath, newPath) = (path(of: id), newTextPath(of: id))
    let advice = "run the scenario again, or reject '\(id)'"
    let foreignFileError = RunError(
      .notGolden, "\(newPath): the kit did not write this file; \(advice)")
    let contents: String?
    do throws(RunError) {
      contents = try text(
        at: newPath, resolvedPath: resolvedNewTextPath(of: id, orThrow: .unreadable))
    } catch {
      throw error.code == .notGolden ? foreignFileError : error
    }
    guard let contents else { throw nothingPendingError(id) }
    guard let newGolden = NewGolden(parsing: contents) else { throw foreignFileError }
    guard newGolden.format <= GoldenDocument.format else {
      throw RunError(
        .laterFormat,
        "\(newPath): this has format \(newGolden.format), which a later version of the kit wrote; use the later "
          + "version, or \(advice)")
    }
    let goldenText = try self.text(of: id)
    let newText = try GoldenDocument.checked(newGolden.text, of: id, at: newPath)
    let difference = try goldenText.flatMap { goldenText throws(RunError) in
      LineDifference(
        golden: try GoldenDocument.checked(goldenText, of: id, at: goldenPath), actual: newText)
    }
    let isAlreadyAccepted = goldenText.map { $0.utf8.elementsEqual(newGolden.text.utf8) } ?? false
    let digests = NewGolden.Digests(goldenText ?? "", newGolden.text)
    let digestsMatch =
      isAlreadyAccepted
      ? newGolden.digests?.new == digests.new : difference != nil && newGolden.digests == digests
    guard digestsMatch else {
      throw RunError(
        .notGolden, "\(newPath): this file or \(goldenPath) has changed since the run; \(advice)")
    }
    return PendingGolden(
      id: id, goldenPath: goldenPath, newPath: newPath, newGolden: newGolden, difference: difference
    )
  }

  /// Writes the new text to the golden file. Throws an error if one of the two files has changed
  /// since the review.
  package func accept(_ reviewed: PendingGolden) throws(RunError) {
    guard try readPending(reviewed.id) == reviewed else {
      throw RunError(
        .unreadable, "\(reviewed.newPath): this has changed during the review; review it again")
    }
    if reviewed.difference != nil { try write(reviewed.newGolden.text, for: reviewed.id) }
    try removeNewText(of: reviewed.id)
  }

  /// Removes the new text. The golden file stays as it is.
  package func reject(_ id: String) throws(RunError) {
    let resolvedPath = try resolvedNewTextPath(of: id, orThrow: .unwritable)
    guard unlink(resolvedPath) != 0 else { return }
    guard errno != ENOENT else { throw nothingPendingError(id) }
    throw RunError(
      .unwritable, "\(newTextPath(of: id)): cannot be removed: \(POSIXError.last.reason)")
  }

  package func nothingPendingError(_ id: String) -> RunError {
    RunError(
      .noScenario,
      "'\(id)' has no change to review in \(folder); 'backup-testing pending' lists the changes")
  }
}
