import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
import BackupScenarios

/// A difference from a golden file with what a reader needs to judge it: where in the scenario it
/// comes from, and why each item is where it is now.
package struct ExplainedDifference {
  private let difference: LineDifference
  /// The runs that differ from the golden file.
  private let result: ScenarioResult
  /// The first step whose outcome differs; nil if no run has it any more.
  let firstStep: Scenario.StepReference?
  /// A sentence for each item whose lines differ: why it is in a backup or not, or has its size.
  let reasons: [String]

  init(_ difference: LineDifference, in result: ScenarioResult) {
    self.difference = difference
    self.result = result
    var explanations = DifferenceReasons(result)
    self.firstStep = difference.changedLines.lazy.compactMap { explanations.step(of: $0) }.first
    let lines = difference.changedLines(inFirst: Self.mostLines)
    let former = Set(lines.filter { $0.actualNumber == nil }.compactMap(\.place))
    let resized = former.intersection(
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

  /// How many lines of a difference the tool shows; a file may have any number.
  package static let mostLines = 1000
  /// How many an issue of a test has, to which both texts are attached.
  private static let mostLinesOfIssue = 40

  /// What the columns of the lines are.
  package static let title = "golden    now     - only in the golden file, + only in this run"

  private var mostShown: Int {
    result.caller == .tool ? Self.mostLines : Self.mostLinesOfIssue
  }

  /// The lines that differ; `whole` says where all can be had if too many differ.
  func lines(whole: String) -> [String] {
    let shown = difference.shownLines(atMost: mostShown)
    let rest = max(0, difference.lineCount - mostShown)
    return shown + (rest == 0 ? [] : ["… and \(rest.counted("more line")); \(whole)"])
  }

  /// The reasons as reports have them, as many as lines at most.
  var reasonLines: [String] {
    let rest = max(0, reasons.count - mostShown)
    return reasons.prefix(mostShown).map(Self.line)
      + (rest == 0 ? [] : [Self.line(for: "… and \(rest.counted("more reason"))")])
  }

  /// Where in the scenario file the first step stands whose outcome differs.
  var position: SourcePosition {
    (firstStep ?? result.scenario.steps.first?.reference)?.position ?? .start
  }

  /// A reason as reports have it.
  package static func line(for reason: String) -> String { "why: \(reason)" }
}

extension LineDifference.Line {
  /// The event and the item that the line says is there; nil for any other.
  fileprivate var place: [String]? {
    guard let event, let item = content.item else { return nil }
    return switch item.presence {
    case .included, .there: [event.description, item.name]
    case .leftOut, .gone, .purged: nil
    }
  }
}

/// Says why the items of differing lines are where they are now; looks each run up once.
struct DifferenceReasons {
  private let result: ScenarioResult
  /// The runs that were looked up, by index.
  private var runs: [Int: ExplainedRun] = [:]
  /// The indices of the runs that sections are of, by the lines that name them.
  private var runsOfSections: [[String]: [Int]] = [:]

  init(_ result: ScenarioResult) {
    self.result = result
  }

  /// The step whose outcome a line shows, in the first run of its section that has it.
  mutating func step(of line: LineDifference.Line) -> Scenario.StepReference? {
    guard let event = line.event else { return nil }
    for index in runs(of: line.section) {
      if let step = run(index)?.steps[event] { return step }
    }
    return nil
  }

  /// Why the item of a line is in a step's backup or not, or, where it was and is in it, since when
  /// it has its size; by the first run of the line's section.
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

  /// The indices of the runs that a section is of; without lines that name any those of all.
  private mutating func runs(of section: [String]) -> [Int] {
    if let known = runsOfSections[section] { return known }
    let group = VariantGroup(namedBy: section, of: result.scenario)
    let runs = result.runs.indices.filter { index in
      section.isEmpty || group.contains(result.runs[index].variant)
    }
    runsOfSections[section] = runs
    return runs
  }

  /// The backup that a step took in a run; nil where it took none.
  private mutating func backup(
    _ step: Scenario.StepReference.Number, inRun index: Int
  ) -> ExplainedRun.Backup? {
    run(index) == nil ? nil : runs[index]?.backup(step)
  }

  private mutating func run(_ index: Int) -> ExplainedRun? {
    if let known = runs[index] { return known }
    guard let transcript = result.runs[index].transcript else { return nil }
    runs[index] = ExplainedRun(transcript)
    return runs[index]
  }
}

/// A run in which the reasons for differing lines are looked up.
struct ExplainedRun {
  /// What a backup did with each item, by the name golden files have for it, and what says why.
  struct Backup {
    let decisions: [String: BackupSet.Decision]
    let explanation: ItemExplanation
  }

  private let transcript: Transcript
  /// The steps in which iOS acts, by the names that golden files have for them.
  let steps: [GoldenDocument.Event: Scenario.StepReference]
  /// The index of each step's first entry.
  private let starts: [Scenario.StepReference: Int]
  /// The indices of the entries in which the app wrote an item or put it there, in their order.
  private let writings: [ContainerPath: [Int]]
  /// Says why the items of each step's backup are in it or not.
  private let explanations: [Scenario.StepReference.Number: ItemExplanation]
  private var backups: [Scenario.StepReference.Number: Backup] = [:]

  init(_ transcript: Transcript) {
    let entries = transcript.entries
    self.transcript = transcript
    self.steps = transcript.goldenEvents
    self.starts = Dictionary(zip(entries.map(\.step), entries.indices)) { first, _ in first }
    self.writings = Dictionary(
      grouping: entries.indices.flatMap { index -> [(path: ContainerPath, index: Int)] in
        guard case .changes(let changes) = entries[index].event else { return [] }
        return changes.filter(\.places).map { ($0.path, index) }
      }, by: \.path
    ).mapValues { $0.map(\.index) }
    self.explanations = ItemExplanation.byStep(in: transcript)
  }

  /// The backup that a step took; nil where it took none.
  mutating func backup(_ step: Scenario.StepReference.Number) -> Backup? {
    if let known = backups[step] { return known }
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

  /// The app's code that explains the decision, to follow a sentence; nil if the kit saw none.
  func code(of decision: BackupSet.Decision, at step: Scenario.StepReference) -> String? {
    CodeAccount(of: decision, at: step, among: transcript.calls).map { "; \($0.sentence)" }
  }

  /// Since which step an item has the size that a backup finds.
  func size(of path: ContainerPath, before step: Scenario.StepReference) -> String? {
    guard let indices = writings[path] else { return nil }
    let end = starts[step] ?? transcript.entries.count
    let earlier = indices[..<indices.partitioningIndex { $0 >= end }]
    let writing = earlier.last.map { transcript.entries[$0].step }
    return writing.map { "\(path) has had this size since \($0.withLine), \($0.summary)" }
  }
}
