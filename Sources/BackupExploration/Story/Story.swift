import BackupScenarios

/// A scenario as exploration reads it: what the app does at a time, and what the system does between.
struct Story: Sendable {
  /// Steps between which the system does not act by itself.
  struct Part: Sendable {
    /// The indices of the steps.
    let steps: Range<Int>
    /// Whether the app does them.
    let isActivity: Bool
  }

  /// The scenario.
  let scenario: Scenario
  /// Its steps without the assertions, which are about the story as it is written.
  let steps: [Scenario.Step]
  /// The parts, in order.
  let parts: [Part]
  /// The first part before which the system may act.
  let firstPart: Int

  /// A scenario's story.
  ///
  /// A step of the app's own code is an activity of its own; simulated steps are one up to the next
  /// step of the system's.
  init(_ scenario: Scenario) {
    let steps = scenario.steps.filter { !$0.isAssertion }
    var parts: [Part] = []
    for (index, step) in steps.enumerated() {
      let isJoined =
        step.isOfApp && !step.runsCode
        && parts.last.map { $0.isActivity && !steps[$0.steps.lowerBound].runsCode } == true
      if isJoined, let last = parts.popLast() {
        parts.append(Part(steps: last.steps.lowerBound..<index + 1, isActivity: true))
      } else {
        parts.append(Part(steps: index..<index + 1, isActivity: step.isOfApp))
      }
    }
    let first =
      if let number = scenario.exploration.firstStep {
        steps.firstIndex { $0.reference.number >= number } ?? steps.count
      } else {
        steps.lastIndex(where: \.updatesApp).map { $0 + 1 } ?? 0
      }
    self.scenario = scenario
    self.steps = steps
    self.parts = parts
    self.firstPart = parts.firstIndex { $0.steps.lowerBound >= first } ?? parts.count
  }

  /// Whether a part is code of the app's own.
  func runsCode(in part: Int) -> Bool { steps[parts[part].steps.lowerBound].runsCode }

  /// The step that begins a part; the last one for the end of the story.
  func reference(at part: Int) -> Scenario.StepReference? {
    part < parts.count ? steps[parts[part].steps.lowerBound].reference : steps.last?.reference
  }
}

extension Scenario.StepReference.Number {
  /// Whether a step stands at a place of a scenario's list, or behind it.
  fileprivate static func >= (number: Self, place: Int) -> Bool {
    if case .step(let found) = number { found >= place } else { false }
  }
}
