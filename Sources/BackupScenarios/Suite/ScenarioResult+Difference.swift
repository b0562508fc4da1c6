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
  func position(of difference: LineDifference) -> SourcePosition {
    let steps = difference.changedLines.compactMap { step(heading: $0.heading) }
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
    var reasons: [String] = []
    for line in difference.changedLines {
      guard let step = step(heading: line.heading), let name = line.itemName,
        let reason = reason(for: name, at: step.reference)
      else { continue }
      let sentence = "why: \(step.reference): \(name) is \(reason)"
      if !reasons.contains(sentence) { reasons.append(sentence) }
    }
    return reasons
  }

  /// Why the item of a name is in a step's backup or not, by the first run that has it.
  private func reason(for name: String, at step: StepReference) -> String? {
    for transcript in runs.compactMap(\.transcript) {
      let backup = transcript.records.first { $0.step == step }?.event.backup
      guard let decision = backup?.set.decisions.first(where: { $0.path.description == name }),
        let explanation = ItemExplanation(step.number, in: RunHistory(transcript))
      else { continue }
      return explanation.reason(decision)
    }
    return nil
  }
}

extension LineDifference {
  /// The lines that only one of the texts has.
  fileprivate var changedLines: [Line] { hunks.joined().filter { !$0.isCommon } }
}

extension LineDifference.Line {
  /// The item that a line is about, as the line writes it; nil for a heading.
  fileprivate var itemName: String? {
    guard text.hasPrefix("+ ") || text.hasPrefix("- ") else { return nil }
    let name = text.dropFirst(2).split(separator: "  ").first ?? ""
    return String(name.last == "/" ? name.dropLast() : name)
  }
}
