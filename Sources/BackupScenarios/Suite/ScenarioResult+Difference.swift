import AppContainer
import DeviceSimulation

extension ScenarioResult {
  /// The lines that differ, and why each item is where it is now.
  func explained(_ difference: LineDifference) -> [String] {
    let legend = "golden   now    (- in the golden file, + what came)"
    return [legend] + difference.description.split(separator: "\n").map(String.init)
      + reasons(for: difference)
  }

  /// Where the first step stands whose outcome differs.
  ///
  /// A heading that only the golden file has may name any step, so it counts last.
  func position(of difference: LineDifference) -> SourcePosition {
    let lines = difference.changedLines
    let steps = (lines.filter { !$0.isFormerHeading } + lines.filter(\.isFormerHeading))
      .lazy.compactMap { step(heading: $0.heading) }
    return (steps.first ?? scenario.steps.first)?.reference.position
      ?? SourcePosition(line: 1, column: 1)
  }

  /// The step whose section a heading begins: `step 4 backup …`.
  private func step(heading: String?) -> Step? {
    let words = heading?.split(separator: " ") ?? []
    guard words.count > 1, let number = Int(words[1]) else { return nil }
    return scenario.steps.first { $0.reference.number == .step(number) }
  }

  /// A sentence for each item whose line differs: why it is in a backup or not.
  private func reasons(for difference: LineDifference) -> [String] {
    var explanations = DifferenceExplanations(self)
    var seen: Set<String> = []
    return difference.changedLines.compactMap { line in
      guard let step = step(heading: line.heading),
        let reason = explanations.sentence(on: line, at: step.reference)
      else { return nil }
      let sentence = "why: \(step.reference): \(reason)"
      return seen.insert(sentence).inserted ? sentence : nil
    }
  }
}

extension LineDifference {
  /// The lines that only one of the texts has.
  fileprivate var changedLines: [Line] { hunks.joined().filter { !$0.isCommon } }
}

extension LineDifference.Line {
  /// Whether it is a section's first line, and just the golden file has it.
  fileprivate var isFormerHeading: Bool { actualNumber == nil && text == heading }
}
