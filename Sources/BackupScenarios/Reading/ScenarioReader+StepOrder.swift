import BackupDevice
import BackupDiagnostics

extension ScenarioReader {
  /// How often two labels are compared at most; in a large file it would take long.
  private static let mostComparisons = 2000
  /// The longest label that is compared, in bytes.
  private static let longestCompared = 200

  /// Notes each step that can never be done where it stands, in whatever run.
  ///
  /// Where a step could not be read, nothing is known of what it does to those behind it.
  func refuseStepsOutOfOrder(
    _ steps: [Scenario.Step?], launch: [Scenario.Step?], systems: [NamedSystem]
  ) {
    let read = steps.compactMap(\.self)
    guard read.count == steps.count else { return }
    refuseUnknownLabels(in: read)
    refuseEarlierSystems(in: read, after: systems)
    refuseAssertionsBeforeBackups(in: read, launch: launch.compactMap(\.self))
  }

  /// Notes each step that restores a backup which no step before it takes.
  private func refuseUnknownLabels(in steps: [Scenario.Step]) {
    var labels: Set<String> = []
    var comparisons = Self.mostComparisons
    for step in steps {
      if let taken = step.action.backupLabel { labels.insert(taken) }
      guard let label = step.action.restoredLabel, !labels.contains(label) else { continue }
      let isCompared = labels.count <= comparisons
      if isCompared { comparisons -= labels.count }
      let candidates =
        isCompared ? labels.filter { $0.utf8.count <= Self.longestCompared } : []
      let advice = NearestWord.to(label, in: candidates).map { "did you mean \"\($0.shown)\"?" }
      collector.note(
        "no backup \"\(label.shown)\" is taken before this step; "
          + (advice ?? "put a 'backup' step of this label before it"),
        at: step.reference.position)
    }
  }

  /// Notes each step that brings the device to a system which is not later than the one it has then,
  /// in one of the scenario's runs.
  private func refuseEarlierSystems(in steps: [Scenario.Step], after systems: [NamedSystem]) {
    var current = systems.map(\.version)
    for step in steps {
      guard let later = step.action.laterSystem?.version else { continue }
      if let index = current.firstIndex(where: { $0 >= later }) {
        let run = systems.count > 1 ? "in the run under iOS \(systems[index].version) " : ""
        collector.note(
          run + UpdateSystemStep.notLater(than: current[index]), at: step.reference.position)
      }
      current = current.map { max($0, later) }
    }
  }

  /// Notes each assertion on a backup that stands before the first backup, or in `launch` where the
  /// app starts before it.
  private func refuseAssertionsBeforeBackups(
    in steps: [Scenario.Step], launch: [Scenario.Step]
  ) {
    let early = steps.prefix { $0.action.backupLabel == nil }
    let atStart = early.contains { $0.action.startsApp } ? launch : []
    for step in atStart + early where step.action.needsBackup {
      collector.note(ExpectBackupStep.missingBackup, at: step.reference.position)
    }
  }
}
