import AppContainer
import DeviceSimulation

extension ScenarioResult {
  /// The lines that differ, and why each item is where it is now.
  func explained(_ difference: LineDifference) -> [String] {
    let legend = "golden    now     - in the golden file only, + in what came only"
    return [legend] + difference.description.split(separator: "\n").map(String.init)
      + reasons(for: difference)
  }

  /// Where the first step stands whose outcome differs.
  func position(of difference: LineDifference) -> SourcePosition {
    (firstStep(of: difference) ?? scenario.steps.first)?.reference.position
      ?? SourcePosition(line: 1, column: 1)
  }

  /// The first step whose outcome differs.
  func firstStep(of difference: LineDifference) -> Step? {
    difference.changedLines.lazy.compactMap { step(heading: $0.heading) }.first
  }

  /// The step whose section a heading begins: `step 4 backup …`.
  private func step(heading: String?) -> Step? {
    let words = heading?.split(separator: " ") ?? []
    guard words.count > 1, let number = Int(words[1]) else { return nil }
    return scenario.steps.first { $0.reference.number == .step(number) }
  }

  /// A sentence for each item whose lines differ: why it is in a backup or not, or has its size.
  private func reasons(for difference: LineDifference) -> [String] {
    var reasons: [String] = []
    for line in difference.changedLines {
      guard let step = step(heading: line.heading), let name = line.itemName else { continue }
      let lines = difference.changedLines.filter {
        $0.itemName == name && self.step(heading: $0.heading)?.reference == step.reference
      }
      let isOnlyResized = lines.count > 1 && lines.allSatisfy { $0.text.hasPrefix("+") }
      let reason =
        isOnlyResized ? size(of: name, at: step.reference) : reason(for: name, at: step.reference)
      let sentence = reason.map { "why: \(step.reference): \(name) \($0)" }
      if let sentence, !reasons.contains(sentence) { reasons.append(sentence) }
    }
    return reasons
  }

  /// Why the item of a name is in a step's backup or not, by the first run that has it.
  private func reason(for name: String, at step: StepReference) -> String? {
    var wasBackedUp = false
    for transcript in runs.compactMap(\.transcript) {
      let backup = transcript.records.first { $0.step == step }?.event.backup
      wasBackedUp = wasBackedUp || backup != nil
      guard let decision = backup?.set.decisions.first(where: { $0.path.description == name }),
        let explanation = ItemExplanation(step.number, in: RunHistory(transcript))
      else { continue }
      return "is \(explanation.reason(decision))"
    }
    return wasBackedUp ? "was not there when this backup was taken" : nil
  }

  /// Since which step the item of a name has the size that a backup finds.
  private func size(of name: String, at step: StepReference) -> String? {
    for transcript in runs.compactMap(\.transcript) {
      let records = transcript.records.prefix { $0.step != step }
      let writing = records.last { $0.event.writes(name) }?.step
      if let writing { return "has its size since \(writing.withLine), \(writing.summary)" }
    }
    return nil
  }
}

extension Event {
  /// Whether the app wrote the item of a name, or put it there.
  fileprivate func writes(_ name: String) -> Bool {
    guard case .changes(let changes) = self else { return false }
    return changes.contains { change in
      switch change {
      case .created, .savedInPlace, .replaced, .moved, .copied: change.path.description == name
      case .removed, .marked, .cleared: false
      }
    }
  }
}

extension LineDifference.Line {
  /// The item that a line is about, as the line writes it; nil for a heading.
  fileprivate var itemName: String? {
    guard text.hasPrefix("+ ") || text.hasPrefix("- ") else { return nil }
    let name = text.dropFirst(2).split(separator: "  ").first ?? ""
    return String(name.last == "/" ? name.dropLast() : name)
  }
}
