import BackupFileTree
import BackupRules
import BackupScenarios

/// A mistake that a story shows only where the system acts beside what the scenario says.
struct Discovery: Sendable {
  /// What tells a mistake from others.
  struct Key: Hashable, Sendable {
    /// The name of the broken rule.
    let rule: String
    /// The item, without what is random in its name; for what is about none, what its step does.
    let subject: String

    /// What a finding is about.
    init(_ finding: Scenario.Finding) {
      self.rule = finding.rule
      self.subject =
        finding.path.map { NameForm.withoutRandomParts("\($0)") } ?? finding.step.summary
    }
  }

  /// What brings a mistake about.
  struct Cause: Hashable {
    /// The name of the broken rule.
    let rule: String
    /// What the system did.
    let acts: [PlacedAct]
  }

  /// What brings it about.
  var cause: Cause { Cause(rule: key.rule, acts: acts) }

  /// What it is.
  let key: Key
  /// The finding in the first history that showed it.
  let finding: Scenario.Finding
  /// How long it lasts.
  let tier: ExplorationSettings.Tier
  /// What the system did.
  let acts: [PlacedAct]
  /// What happened, in order.
  let elements: [StoryElement]
  /// What the app's own code changes in the activity in which it is killed; none for simulated steps.
  let changes: [Scenario.KillPoint]
}
