import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
import BackupScenarios

/// A difference from a golden file, with the first step that differs and the reasons for each item.
package struct ExplainedDifference {
  private let difference: LineDifference
  /// The result with the runs that differ from the golden file.
  private let result: ScenarioResult
  /// The first step whose outcome differs; nil if the runs no longer have this step.
  let firstStep: Scenario.StepReference?
  /// Sentences about the items in differing lines. Each says why an item is in a backup or not, or
  /// which step gave it its size.
  let reasons: [String]

  init(_ difference: LineDifference, in result: ScenarioResult) {
    self.difference = difference
    self.result = result
    var finder = DifferenceReasons(result)
    self.firstStep = difference.changedLines.lazy.compactMap { finder.step(of: $0) }.first
    let lines = difference.changedLines(inFirst: Self.maximumLineCount)
    let goldenItems = Set(lines.filter { $0.actualNumber == nil }.compactMap(\.eventAndItem))
    let resizedItems = goldenItems.intersection(
      lines.filter { $0.goldenNumber == nil }.compactMap(\.eventAndItem))
    var seen: Set<String> = []
    self.reasons = lines.compactMap { line in
      guard let step = finder.step(of: line) else { return nil }
      let isResized = line.eventAndItem.map(resizedItems.contains) ?? false
      let reason = finder.sentence(on: line, at: step, isResized: isResized)
      guard let sentence = reason.map({ "\(step): \($0)" }) else { return nil }
      return seen.insert(sentence).inserted ? sentence : nil
    }
  }

  /// The most lines of a difference that the tool shows.
  package static let maximumLineCount = 1000
  /// The most lines in an issue of a test. Such an issue has both texts as attachments.
  private static let maximumIssueLineCount = 40

  /// The titles of the columns above the lines.
  package static let title = "golden    now     - only in the golden file, + only in this run"

  private var maximumShownCount: Int {
    result.caller == .tool ? Self.maximumLineCount : Self.maximumIssueLineCount
  }

  /// Returns the lines that differ. If there are too many, the last line ends with `whole`, which
  /// says where to see all lines.
  func lines(whole: String) -> [String] {
    let shownLines = difference.shownLines(atMost: maximumShownCount)
    let otherCount = max(0, difference.lineCount - maximumShownCount)
    return shownLines
      + (otherCount == 0 ? [] : ["… and \(otherCount.counted("more line")); \(whole)"])
  }

  /// The reasons as lines of a report, at most as many as ``lines(whole:)`` returns.
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
struct DifferenceReasons {
  private let result: ScenarioResult
  /// The runs that have been read, by index.
  private var runs: [Int: ExplainedRun] = [:]
  /// The indices of the runs of each section, by the lines that name these runs.
  private var runsOfSections: [[String]: [Int]] = [:]

  init(_ result: ScenarioResult) {
    self.result = result
  }

  /// Returns the step whose outcome a line shows, from the first run of its section that has the
  /// step.
  mutating func step(of line: LineDifference.Line) -> Scenario.StepReference? {
    guard let event = line.event else { return nil }
    for index in runs(of: line.section) {
      if let step = run(index)?.steps[event] { return step }
    }
    return nil
  }

  /// Returns the reason why a line's item is in the backup of a step or not. The reason is from the
  /// first run of the line's section whose backup decided on the item.
  ///
  /// If only the item's size differs, returns a sentence on the step that gave it this size.
  mutating func sentence(
    on line: LineDifference.Line, at step: Scenario.StepReference, isResized: Bool
  ) -> String? {
    let names = line.content.item?.possibleNames ?? []
    var hasBackup = false
    for index in runs(of: line.section) {
      guard let backup = backup(step.number, inRun: index) else { continue }
      hasBackup = true
      for name in names {
        guard let decision = backup.decisions[name] else { continue }
        return isResized
          ? runs[index]?.sentenceOnSize(of: decision.path, before: step)
          : "\(name) is \(backup.explanation.reason(decision))"
            + (runs[index]?.code(of: decision, at: step) ?? "")
      }
    }
    return hasBackup ? names.last.map { "\($0) was missing when this backup was taken" } : nil
  }

  /// Returns the indices of a section's runs. If its lines name no runs, returns the indices of
  /// all.
  private mutating func runs(of section: [String]) -> [Int] {
    if let cached = runsOfSections[section] { return cached }
    let group = VariantGroup(namedBy: section, of: result.scenario)
    let runs = result.runs.indices.filter { index in
      section.isEmpty || group.contains(result.runs[index].variant)
    }
    runsOfSections[section] = runs
    return runs
  }

  /// Returns the backup that a step took in a run; nil if it took none.
  private mutating func backup(
    _ step: Scenario.StepReference.Number, inRun index: Int
  ) -> ExplainedRun.Backup? {
    run(index) == nil ? nil : runs[index]?.backup(step)
  }

  private mutating func run(_ index: Int) -> ExplainedRun? {
    if let cached = runs[index] { return cached }
    guard let transcript = result.runs[index].transcript else { return nil }
    runs[index] = ExplainedRun(transcript)
    return runs[index]
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
  let steps: [GoldenDocument.Event: Scenario.StepReference]
  /// The index of each step's first entry.
  private let firstEntries: [Scenario.StepReference: Int]
  /// For each item, the indices of the entries in which the app created or saved it, in order.
  private let writes: [ContainerPath: [Int]]
  /// The explanation of each step's backup.
  private let explanations: [Scenario.StepReference.Number: ItemExplanation]
  private var backups: [Scenario.StepReference.Number: Backup] = [:]

  init(_ transcript: Transcript) {
    let entries = transcript.entries
    self.transcript = transcript
    self.steps = transcript.goldenEvents
    self.firstEntries = Dictionary(zip(entries.map(\.step), entries.indices)) { first, _ in first }
    self.writes = Dictionary(
      grouping: entries.indices.flatMap { index -> [(path: ContainerPath, index: Int)] in
        guard case .changes(let changes) = entries[index].event else { return [] }
        return changes.filter(\.createsOrSavesItem).map { ($0.path, index) }
      }, by: \.path
    ).mapValues { $0.map(\.index) }
    self.explanations = ItemExplanation.byStep(in: transcript)
  }

  /// Returns the backup that a step took; nil if it took none.
  mutating func backup(_ step: Scenario.StepReference.Number) -> Backup? {
    if let cached = backups[step] { return cached }
    guard let explanation = explanations[step] else { return nil }
    let golden = transcript.scenario.golden
    let decisions = explanation.backup.contents.decisions.map {
      (golden.name(of: $0.path, isDirectory: $0.isDirectory), $0)
    }
    let backup = Backup(
      decisions: Dictionary(decisions) { first, _ in first }, explanation: explanation)
    backups[step] = backup
    return backup
  }

  /// Returns the app's code that explains a decision, for the end of a sentence; nil if the kit saw
  /// no such code.
  func code(of decision: BackupSet.Decision, at step: Scenario.StepReference) -> String? {
    CodeAccount(of: decision, at: step, among: transcript.calls).map { "; \($0.sentence)" }
  }

  /// Returns a sentence on the step that gave an item its size in a step's backup; nil if the app
  /// did not write the item.
  func sentenceOnSize(of path: ContainerPath, before step: Scenario.StepReference) -> String? {
    guard let indices = writes[path] else { return nil }
    let end = firstEntries[step] ?? transcript.entries.count
    let earlier = indices[..<indices.partitioningIndex { $0 >= end }]
    let lastWrite = earlier.last.map { transcript.entries[$0].step }
    return lastWrite.map { "\(path) has had this size since \($0.withLineNumber), \($0.summary)" }
  }
}
