import BackupFileTree
import BackupRules
package import BackupScenarios

/// A mistake that a story shows only where the system acts beside what the scenario says.
struct Discovery: Sendable {
  /// What tells a mistake from others.
  struct Key: Hashable, Sendable {
    /// The name of the broken rule.
    let rule: String
    /// The item; nil where it is about the whole.
    let path: ContainerPath?

    /// What a finding is about.
    init(_ finding: Scenario.Finding) {
      self.rule = finding.rule
      self.path = finding.path
    }
  }

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
}
