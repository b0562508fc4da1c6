import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
import BackupScenarios

/// A difference from a golden file, with the first step whose outcome differs and the reasons for
/// items.
package struct ExplainedDifference {
  private let difference: LineDifference
  /// The result with the runs that differ from the golden file.
  private let result: ScenarioResult
  /// The first step whose outcome differs; nil if the runs no longer have this step.
  let firstStep: Scenario.StepReference?
  /// Sentences about the items in differing lines. Each sentence says why an item is in a backup or
  /// not, or which step gave the item its size.
  let reasons: [String]

  init(_ difference: LineDifference, in result: ScenarioResult) {
    self.difference = difference
    self.result = result
    var finder = ReasonFinder(result)
    self.firstStep = difference.changedLines.lazy.compactMap { finder.step(of: $0) }.first
    let lines = difference.changedLines(inFirst: Self.maximumLineCount)
    let goldenItemKeys = Set(lines.filter { $0.actualLineNumber == nil }.compactMap(\.eventAndItem))
    let resizedItemKeys = goldenItemKeys.intersection(
      lines.filter { $0.goldenLineNumber == nil }.compactMap(\.eventAndItem))
    var seenSentences: Set<String> = []
    self.reasons = lines.compactMap { line in
      guard let step = finder.step(of: line) else { return nil }
      let isResized = line.eventAndItem.map(resizedItemKeys.contains) ?? false
      let reason = finder.sentence(on: line, at: step, isResized: isResized)
      guard let sentence = reason.map({ "\(step): \($0)" }) else { return nil }
      return seenSentences.insert(sentence).inserted ? sentence : nil
    }
  }

  /// The most lines of a difference that the tool shows.
  package static let maximumLineCount = 1000
  /// The most lines in an issue of a test. Such an issue has both texts as attachments.
  private static let maximumIssueLineCount = 40

  /// The titles of the columns above the lines.
  package static let columnTitles =
    "golden    now     - only in the golden file, + only in this run"

  private var maximumShownCount: Int {
    result.caller == .tool ? Self.maximumLineCount : Self.maximumIssueLineCount
  }

  /// Returns the lines that differ. If there are too many, the last line ends with advice on where
  /// to see all lines.
  func lines(adviceIfCut: String) -> [String] {
    let shownLines = difference.shownLines(atMost: maximumShownCount)
    let otherCount = max(0, difference.lineCount - maximumShownCount)
    return shownLines
      + (otherCount == 0 ? [] : ["… and \(otherCount.counted("more line")); \(adviceIfCut)"])
  }

  /// The reasons as lines of a report. If there are too many, the last line has the number of other
  /// reasons.
  var reasonLines: [String] {
    let otherCount = max(0, reasons.count - maximumShownCount)
    return reasons.prefix(maximumShownCount).map(Self.line)
      + (otherCount == 0 ? [] : [Self.line(for: "… and \(otherCount.counted("more reason"))")])
  }

  /// The position in the scenario file of the first step whose outcome differs.
  var position: SourcePosition {
    (firstStep ?? result.scenario.steps.first?.reference)?.position ?? .start
  }

  /// Returns a reason as a line of a report.
  package static func line(for reason: String) -> String { "why: \(reason)" }
}

extension LineDifference.Line {
  /// The event and the item of the line; nil if the line does not say that the item exists.
  fileprivate var eventAndItem: [String]? {
    guard let event, let item = content.item else { return nil }
    return switch item.presence {
    case .included, .there: [event.description, item.name]
    case .leftOut, .gone, .purged: nil
    }
  }
}

/// Finds the reasons for the items in differing lines. Reads each run only once.
struct ReasonFinder {
  private let result: ScenarioResult
  /// The runs that have been read, by index.
  private var explainedRuns: [Int: ExplainedRun] = [:]
  /// The indices of the runs of each section, by the lines that name these runs.
  private var runIndicesByHeadings: [[String]: [Int]] = [:]

  init(_ result: ScenarioResult) {
    self.result = result
  }

  /// Returns the step whose outcome a line shows, from the first run of its section that has the
  /// step.
  mutating func step(of line: LineDifference.Line) -> Scenario.StepReference? {
    guard let event = line.event else { return nil }
    for index in runIndices(of: line.headings) {
      if let step = explainedRun(index)?.stepsByEvent[event] { return step }
    }
    return nil
  }

  /// Returns the reason why a line's item is in the backup of a step or not. The reason is from the
  /// first run of the line's section whose backup decided on the item.
  ///
  /// If only the item's size differs, returns a sentence on the step that gave the item this size.
  /// If no backup of the step has the item, says that the item was missing.
  mutating func sentence(
    on line: LineDifference.Line, at step: Scenario.StepReference, isResized: Bool
  ) -> String? {
    let possibleNames = line.content.item?.possibleNames ?? []
    var hasBackup = false
    for index in runIndices(of: line.headings) {
      guard let backup = backup(step.number, inRun: index) else { continue }
      hasBackup = true
      for name in possibleNames {
        guard let decision = backup.decisions[name] else { continue }
        return isResized
          ? explainedRuns[index]?.sentenceOnSize(of: decision.path, before: step)
          : "\(name) is \(backup.explanation.reason(decision))"
            + (explainedRuns[index]?.codeClause(of: decision, at: step) ?? "")
      }
    }
    return hasBackup
      ? possibleNames.last.map { "\($0) was missing when this backup was taken" } : nil
  }

  /// Returns the indices of the runs that a section's headings name. Without headings, returns the
  /// indices of all runs.
  private mutating func runIndices(of headings: [String]) -> [Int] {
    if let cached = runIndicesByHeadings[headings] { return cached }
    let group = VariantGroup(namedBy: headings, of: result.scenario)
    let runIndices = result.runs.indices.filter { index in
      headings.isEmpty || group.contains(result.runs[index].variant)
    }
    runIndicesByHeadings[headings] = runIndices
    return runIndices
  }

  /// Returns the backup that a step took in a run; nil if it took none.
  private mutating func backup(
    _ stepNumber: Scenario.StepReference.Number, inRun index: Int
  ) -> ExplainedRun.Backup? {
    explainedRun(index) == nil ? nil : explainedRuns[index]?.backup(stepNumber)
  }

  private mutating func explainedRun(_ index: Int) -> ExplainedRun? {
    if let cached = explainedRuns[index] { return cached }
    guard let transcript = result.runs[index].transcript else { return nil }
    explainedRuns[index] = ExplainedRun(transcript)
    return explainedRuns[index]
  }
}

/// A run with tables of the facts that explain differing lines.
struct ExplainedRun {
  /// A backup's decisions by the names of the items in golden files, and their explanation.
  struct Backup {
    let decisions: [String: BackupSet.Decision]
    let explanation: ItemExplanation
  }

  private let transcript: Transcript
  /// The steps in which iOS acts, by the event of their section in golden files.
  let stepsByEvent: [GoldenDocument.Event: Scenario.StepReference]
  /// The index of each step's first entry.
  private let firstEntryIndices: [Scenario.StepReference: Int]
  /// For each item, the indices of the entries in which the app created or saved it, in order.
  private let writeIndices: [ContainerPath: [Int]]
  /// The explanation of each step's backup.
  private let explanations: [Scenario.StepReference.Number: ItemExplanation]
  private var backups: [Scenario.StepReference.Number: Backup] = [:]

  init(_ transcript: Transcript) {
    let entries = transcript.entries
    self.transcript = transcript
    self.stepsByEvent = transcript.stepsByGoldenEvent
    self.firstEntryIndices = Dictionary(zip(entries.map(\.step), entries.indices)) { first, _ in
      first
    }
    self.writeIndices = Dictionary(
      grouping: entries.indices.flatMap { index -> [(path: ContainerPath, index: Int)] in
        guard case .changes(let changes) = entries[index].event else { return [] }
        return changes.filter(\.createsOrSavesItem).map { ($0.path, index) }
      }, by: \.path
    ).mapValues { $0.map(\.index) }
    self.explanations = ItemExplanation.byStep(in: transcript)
  }

  /// Returns the backup that a step took; nil if it took none.
  mutating func backup(_ stepNumber: Scenario.StepReference.Number) -> Backup? {
    if let cached = backups[stepNumber] { return cached }
    guard let explanation = explanations[stepNumber] else { return nil }
    let goldenOptions = transcript.scenario.goldenOptions
    let decisions = explanation.backup.contents.decisions.map {
      (goldenOptions.escapedPath(of: $0.path, isDirectory: $0.isDirectory), $0)
    }
    let backup = Backup(
      decisions: Dictionary(decisions) { first, _ in first }, explanation: explanation)
    backups[stepNumber] = backup
    return backup
  }

  /// Returns the app's code that explains a decision, for the end of a sentence; nil if the kit saw
  /// no such code.
  func codeClause(of decision: BackupSet.Decision, at step: Scenario.StepReference) -> String? {
    CodeAccount(of: decision, at: step, among: transcript.changeCalls).map { "; \($0.sentence)" }
  }

  /// Returns a sentence on the step that gave an item its size in a step's backup; nil if the app
  /// did not write the item before the step.
  func sentenceOnSize(of path: ContainerPath, before step: Scenario.StepReference) -> String? {
    guard let indices = writeIndices[path] else { return nil }
    let end = firstEntryIndices[step] ?? transcript.entries.count
    let earlierIndices = indices[..<indices.partitioningIndex { $0 >= end }]
    let lastWrite = earlierIndices.last.map { transcript.entries[$0].step }
    return lastWrite.map { "\(path) has had this size since \($0.withLineNumber), \($0.summary)" }
  }
}
