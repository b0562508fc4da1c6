import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
import BackupScenarios

/// A difference from a golden file, with the step that it comes from and the reasons for each item.
package struct ExplainedDifference {
  private let difference: LineDifference
  /// The runs that differ from the golden file.
  private let result: ScenarioResult
  /// The first step whose outcome differs; nil if no run has it any more.
  let firstStep: Scenario.StepReference?
  /// The reasons, in a sentence each, why items of differing lines are in a backup or not, or have their sizes.
  let reasons: [String]

  init(_ difference: LineDifference, in result: ScenarioResult) {
    self.difference = difference
    self.result = result
    var explanations = DifferenceReasons(result)
    self.firstStep = difference.changedLines.lazy.compactMap { explanations.step(of: $0) }.first
    let lines = difference.changedLines(inFirst: Self.mostLines)
    let goldenPlaces = Set(lines.filter { $0.actualNumber == nil }.compactMap(\.place))
    let resized = goldenPlaces.intersection(
      lines.filter { $0.goldenNumber == nil }.compactMap(\.place))
    var seen: Set<String> = []
    self.reasons = lines.compactMap { line in
      guard let step = explanations.step(of: line) else { return nil }
      let isResized = line.place.map(resized.contains) ?? false
      let reason = explanations.sentence(on: line, at: step, isResized: isResized)
      guard let sentence = reason.map({ "\(step): \($0)" }) else { return nil }
      return seen.insert(sentence).inserted ? sentence : nil
    }
  }

  /// The most lines of a difference that the tool shows.
  package static let mostLines = 1000
  /// The most lines in an issue of a test, which has both texts as attachments.
  private static let mostLinesOfIssue = 40

  /// The titles of the lines' columns.
  package static let title = "golden    now     - only in the golden file, + only in this run"

  private var mostShown: Int {
    result.caller == .tool ? Self.mostLines : Self.mostLinesOfIssue
  }

  /// Returns the lines that differ. If not all are shown, `whole` says where the others are.
  func lines(whole: String) -> [String] {
    let shown = difference.shownLines(atMost: mostShown)
    let rest = max(0, difference.lineCount - mostShown)
    return shown + (rest == 0 ? [] : ["… and \(rest.counted("more line")); \(whole)"])
  }

  /// The reasons in the form of reports, at most as many as lines.
  var reasonLines: [String] {
    let rest = max(0, reasons.count - mostShown)
    return reasons.prefix(mostShown).map(Self.line)
      + (rest == 0 ? [] : [Self.line(for: "… and \(rest.counted("more reason"))")])
  }

  /// The position in the scenario file of the first step whose outcome differs.
  var position: SourcePosition {
    (firstStep ?? result.scenario.steps.first?.reference)?.position ?? .start
  }

  /// Returns a reason in the form of reports.
  package static func line(for reason: String) -> String { "why: \(reason)" }
}

extension LineDifference.Line {
  /// The event and the item of the line; nil if the line does not say that an item is there.
  fileprivate var place: [String]? {
    guard let event, let item = content.item else { return nil }
    return switch item.presence {
    case .included, .there: [event.description, item.name]
    case .leftOut, .gone, .purged: nil
    }
  }
}

/// The reasons for the items of differing lines, for which each run is read only once.
struct DifferenceReasons {
  private let result: ScenarioResult
  /// The runs that have been read, by index.
  private var runs: [Int: ExplainedRun] = [:]
  /// The indices of each section's runs, by the lines that name them.
  private var runsOfSections: [[String]: [Int]] = [:]

  init(_ result: ScenarioResult) {
    self.result = result
  }

  /// Returns the step whose outcome a line shows, in the first run of its section that has it.
  mutating func step(of line: LineDifference.Line) -> Scenario.StepReference? {
    guard let event = line.event else { return nil }
    for index in runs(of: line.section) {
      if let step = run(index)?.steps[event] { return step }
    }
    return nil
  }

  /// Returns the reason why the item of a line is in a step's backup or not, in the section's first run.
  ///
  /// If only the item's size differs, returns since when it has this size.
  mutating func sentence(
    on line: LineDifference.Line, at step: Scenario.StepReference, isResized: Bool
  ) -> String? {
    let names = line.content.item?.possibleNames ?? []
    var isMissing = false
    for index in runs(of: line.section) {
      guard let backup = backup(step.number, inRun: index) else { continue }
      isMissing = true
      for name in names {
        guard let decision = backup.decisions[name] else { continue }
        return isResized
          ? runs[index]?.size(of: decision.path, before: step)
          : "\(name) is \(backup.explanation.reason(decision))"
            + (runs[index]?.code(of: decision, at: step) ?? "")
      }
    }
    return isMissing ? names.last.map { "\($0) was missing when this backup was taken" } : nil
  }

  /// Returns the indices of a section's runs; those of all runs if its lines name none.
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

/// A run with indices of the facts that explain differing lines.
struct ExplainedRun {
  /// The decisions of a backup, by the items' names in golden files, with their explanation.
  struct Backup {
    let decisions: [String: BackupSet.Decision]
    let explanation: ItemExplanation
  }

  private let transcript: Transcript
  /// The steps in which iOS acts, by their events in golden files.
  let steps: [GoldenDocument.Event: Scenario.StepReference]
  /// The index of each step's first entry.
  private let firstEntries: [Scenario.StepReference: Int]
  /// The indices of the entries in which the app wrote or placed an item, in their order.
  private let writes: [ContainerPath: [Int]]
  /// The explanations of each step's backup.
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

  /// Returns the app's code that explains the decision, for the end of a sentence; nil if the kit saw none.
  func code(of decision: BackupSet.Decision, at step: Scenario.StepReference) -> String? {
    CodeAccount(of: decision, at: step, among: transcript.calls).map { "; \($0.sentence)" }
  }

  /// Returns a sentence on the step that gave an item its size in a backup; nil if the app did not write it.
  func size(of path: ContainerPath, before step: Scenario.StepReference) -> String? {
    guard let indices = writes[path] else { return nil }
    let end = firstEntries[step] ?? transcript.entries.count
    let earlier = indices[..<indices.partitioningIndex { $0 >= end }]
    let lastWrite = earlier.last.map { transcript.entries[$0].step }
    return lastWrite.map { "\(path) has had this size since \($0.withLineNumber), \($0.summary)" }
  }
}
