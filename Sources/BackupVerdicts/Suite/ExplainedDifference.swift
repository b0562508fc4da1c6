import BackupDiagnostics
import BackupScenarios

/// A difference from a golden file with what a reader needs to judge it: where in the scenario it
/// comes from, and why each item is where it is now.
struct ExplainedDifference {
  /// The lines that differ.
  private let difference: LineDifference
  /// The runs that differ from the golden file.
  private let result: ScenarioResult

  /// A difference of these runs.
  init(_ difference: LineDifference, in result: ScenarioResult) {
    self.difference = difference
    self.result = result
  }

  /// The lines that differ, and a sentence for each item in them.
  var details: [String] {
    let legend = "golden    now     - in the golden file only, + in what came only"
    return [legend] + difference.description.split(separator: "\n").map(String.init) + reasons
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
      .lazy.compactMap { step(heading: $0.heading) }.first
  }

  /// The step whose section a heading begins: `step 4 backup …`.
  private func step(heading: String?) -> Scenario.Step? {
    let words = heading?.split(separator: " ") ?? []
    guard words.count > 1, let number = Int(words[1]) else { return nil }
    return result.scenario.steps.first { $0.reference.number == .step(number) }
  }

  /// A sentence for each item whose lines differ: why it is in a backup or not, or has its size.
  private var reasons: [String] {
    var reasons = DifferenceReasons(result)
    let lines = difference.changedLines
    let resized = Set(lines.compactMap(\.formerPlace)).intersection(lines.compactMap(\.place))
    var seen: Set<String> = []
    return lines.compactMap { line in
      guard let step = step(heading: line.heading) else { return nil }
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

  /// The step's number and the item that a line of what came says is there; nil for any other.
  fileprivate var place: String? { goldenNumber == nil ? presentItem : nil }

  /// The same for a line of the golden file.
  fileprivate var formerPlace: String? { actualNumber == nil ? presentItem : nil }

  /// The step's number and the item of a `+` line, without its size.
  private var presentItem: String? {
    guard text.hasPrefix("+ "), let heading else { return nil }
    let step = heading.split(separator: " ").prefix(2).joined(separator: " ")
    let parts = text.split(separator: "  ", omittingEmptySubsequences: false)
    return "\(step) \(parts.dropLast().joined(separator: "  "))"
  }
}
