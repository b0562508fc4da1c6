import BackupDiagnostics
import BackupScenarios

/// A difference from a golden file with what a reader needs to judge it: where in the scenario it
/// comes from, and why each item is where it is now.
struct ExplainedDifference {
  private let difference: LineDifference
  /// The runs that differ from the golden file.
  private let result: ScenarioResult
  private let steps: [Int: Scenario.Step]

  init(_ difference: LineDifference, in result: ScenarioResult) {
    self.difference = difference
    self.result = result
    let numbered = result.scenario.steps.compactMap { step in
      if case .step(let number) = step.reference.number { (number, step) } else { nil }
    }
    self.steps = Dictionary(numbered) { first, _ in first }
  }

  /// How many lines of a difference are shown; a file may have any number.
  static let mostLines = 1000

  /// The lines that differ, and a sentence for each item in them; `whole` says where all lines can
  /// be had if too many differ.
  func details(whole: String) -> [String] {
    ["golden    now     - only in the golden file, + only in this run"] + lines(whole: whole)
      + reasons
  }

  func lines(whole: String) -> [String] {
    let shown = difference.shownLines(atMost: Self.mostLines)
    let rest = max(0, difference.lineCount - Self.mostLines)
    return shown + (rest == 0 ? [] : ["… and \(rest.counted("more line")); \(whole)"])
  }

  /// What to write, after "write", into the scenario file for names and sizes that are others in
  /// every run; nil if nothing looks as if it varied.
  func varyingEntry(isSameCode: Bool = false) -> String? {
    let options = result.scenario.golden
    let entry = difference.varyingEntry(
      extending: options, withSizes: result.runsCode, isSameCode: isSameCode)
    let isFirst = options.names.isEmpty && options.patternsWithoutSizes.isEmpty
    return entry.map { "into the scenario\(isFirst ? "" : ", in place of 'golden'"): \($0)" }
  }

  /// Where in the scenario file the first step stands whose outcome differs.
  var position: SourcePosition {
    (firstStep ?? result.scenario.steps.first)?.reference.position
      ?? SourcePosition(line: 1, column: 1)
  }

  /// The first step whose outcome differs.
  ///
  /// A heading that only the golden file has may name any step, so it counts last.
  var firstStep: Scenario.Step? {
    let lines = difference.changedLines
    return (lines.filter { !$0.isFormerHeading } + lines.filter(\.isFormerHeading))
      .lazy.compactMap(step).first
  }

  /// The step whose section a line is in.
  private func step(of line: LineDifference.Line) -> Scenario.Step? {
    guard let words = line.step?.split(separator: " "), words.count > 1 else { return nil }
    return Int(words[1]).flatMap { steps[$0] }
  }

  /// A sentence for each item whose lines differ: why it is in a backup or not, or has its size.
  private var reasons: [String] {
    var reasons = DifferenceReasons(result)
    let lines = difference.changedLines(inFirst: Self.mostLines)
    let resized = Set(lines.compactMap(\.formerPlace)).intersection(lines.compactMap(\.place))
    var seen: Set<String> = []
    return lines.compactMap { line in
      guard let step = step(of: line) else { return nil }
      let isResized = (line.place ?? line.formerPlace).map(resized.contains) ?? false
      let reason = reasons.sentence(on: line, at: step.reference, isResized: isResized)
      guard let sentence = reason.map({ "why: \(step.reference): \($0)" }) else { return nil }
      return seen.insert(sentence).inserted ? sentence : nil
    }
  }
}

extension LineDifference.Line {
  /// Whether it is a section's first line, and just the golden file has it.
  fileprivate var isFormerHeading: Bool { actualNumber == nil && text == heading }

  /// The step and the item that a line of what came says is there; nil for any other.
  fileprivate var place: String? { goldenNumber == nil ? presentItem : nil }

  /// The same for a line of the golden file.
  fileprivate var formerPlace: String? { actualNumber == nil ? presentItem : nil }

  /// The step and the item of a `+` line, without its size.
  private var presentItem: String? {
    guard text.hasPrefix("+ "), let step else { return nil }
    let parts = text.split(separator: "  ", omittingEmptySubsequences: false)
    return "\(step)  \(parts.dropLast().joined(separator: "  "))"
  }
}
