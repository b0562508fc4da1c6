import BackupFileTree
import BackupRules
import BackupScenarios

/// Makes the story of a mistake as small as it gets.
///
/// What is shown of a mistake is a scenario file; so each smaller one is read and run as such a file.
/// It is taken where the mistake is still found, and not where the system's acts are left out: else
/// it would be another one.
struct Shrinker: Sendable {
  /// Tells the story.
  let teller: StoryTeller
  /// The system and the backup kind that it is told under.
  let variant: Scenario.Variant
  /// The mistake.
  let key: Discovery.Key
  /// The lines without which it would be another: a mistake that lasts is there when the activity was
  /// done again.
  let needed: Set<StoryText.Line>

  /// The smallest story that shows the mistake.
  ///
  /// - Parameter text: One that tells all of it.
  /// - Returns: The story with its finding; nil where that one does not show it either.
  func smallest(of text: StoryText) async -> (text: StoryText, finding: Scenario.Finding)? {
    guard var found = await finding(in: text) else { return nil }
    var smallest = text
    var size = max(1, text.lines.count / 2)
    while true {
      var isSmaller = false
      var end = smallest.lines.count
      while end > 0 {
        let range = max(0, end - size)..<end
        var trial = smallest
        trial.lines = smallest.lines.enumerated().compactMap { index, line in
          range.contains(index) && !needed.contains(line) ? nil : line
        }
        if trial != smallest, let finding = await finding(in: trial) {
          (smallest, found, isSmaller) = (trial, finding, true)
        }
        end = range.lowerBound
      }
      guard isSmaller || size > 1 else { return (smallest, found) }
      if !isSmaller { size /= 2 }
    }
  }

  /// What a story shows of the mistake, and does not show without the system's acts.
  private func finding(in text: StoryText) async -> Scenario.Finding? {
    let finding = await findings(in: text)?.first { Discovery.Key($0) == key }
    let ordinary = withoutActs(text)
    guard let finding, ordinary != text, let others = await findings(in: ordinary),
      !others.contains(where: { Discovery.Key($0) == key })
    else { return nil }
    return finding
  }

  /// What is found in a story; nil where it cannot be told to its end.
  private func findings(in text: StoryText) async -> [Scenario.Finding]? {
    let scenario = try? Scenario(
      text: text.text(teller, variant), id: teller.story.scenario.id,
      file: teller.story.scenario.file)
    guard let scenario else { return nil }
    return await teller.stage.findings(in: scenario, variant)
  }

  /// The story without what the system does beside it: of an activity that it interrupts, all is done.
  private func withoutActs(_ text: StoryText) -> StoryText {
    var ordinary = text
    ordinary.lines = []
    for line in text.lines {
      switch line {
      case .element(_, .act): break
      case .element(let place, .killed(let index, _)):
        // One that has to fail changes nothing; whether it does depends on the acts before.
        let step = teller.story.steps[index]
        if step.runsCode || !step.mustFail { ordinary.lines.append(.element(place, .step(index))) }
        let rest = teller.story.parts.first { $0.steps.contains(index) }?.steps ?? index..<index
        let kept = Set(
          text.lines.compactMap { line in
            if case .element(_, .step(let other)) = line, other > index { other } else { nil }
          })
        ordinary.lines += rest.filter(kept.contains).map { .element(place, .step($0)) }
      default: ordinary.lines.append(line)
      }
    }
    return ordinary
  }
}
