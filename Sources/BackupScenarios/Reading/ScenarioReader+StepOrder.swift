import BackupDevice
import BackupDiagnostics

extension ScenarioReader {
  /// How often two labels are compared at most; in a large file it would take long.
  private static let mostComparisons = 2000
  /// The longest label that is compared, in bytes.
  private static let longestCompared = 200

  /// Notes each step that can never be done where it stands, in one of the runs.
  ///
  /// Where a step could not be read, nothing is known of what it does to those behind it.
  func refuseStepsOutOfOrder(
    _ steps: [Scenario.Step?], launch: [Scenario.Step?], systems: [NamedSystem]
  ) {
    let read = steps.compactMap(\.self)
    guard read.count == steps.count else { return }
    let launch = launch.compactMap(\.self)
    let runs = PlannedRun.all(of: read, under: systems.map(\.version))
    let areAlike = !(read + launch).contains { $0.systems != nil }
    refuseUnknownLabels(in: areAlike ? Array(runs.prefix(1)) : runs)
    refuseEarlierSystems(in: runs)
    refuseStepsWithoutApp(in: areAlike ? Array(runs.prefix(1)) : runs)
    refuseAssertionsBeforeBackups(in: areAlike ? Array(runs.prefix(1)) : runs, launch: launch)
  }

  /// Notes each step that restores a backup which no step before it takes.
  private func refuseUnknownLabels(in runs: [PlannedRun]) {
    var refused: Set<Scenario.StepReference.Number> = []
    var comparisons = Self.mostComparisons
    for run in runs {
      var labels: Set<String> = []
      for step in run.done.map(\.step) {
        if let taken = step.action.backupLabel { labels.insert(taken) }
        guard let label = step.action.neededLabel, !labels.contains(label),
          refused.insert(step.reference.number).inserted
        else { continue }
        let isCompared = labels.count <= comparisons
        if isCompared { comparisons -= labels.count }
        let candidates = labels.filter { isCompared && $0.utf8.count <= Self.longestCompared }
        collector.note(
          "\(words(for: run, among: runs))no backup \"\(label.shown)\" is taken before this step; "
            + advice(on: label, candidates, in: run),
          at: step.reference.position)
      }
    }
  }

  /// What to do about a label that no backup has yet.
  private func advice(
    on label: String, _ candidates: Set<String>, in run: PlannedRun
  ) -> String {
    let isPassedOver = run.turns.contains { !$0.isDone && $0.step.action.backupLabel == label }
    if isPassedOver { return "by its 'on' the step that takes it is passed over there" }
    return NearestWord.to(label, in: candidates).map { "did you mean \"\($0.shown)\"?" }
      ?? "put a 'backup' step of this label before it"
  }

  /// Notes each step that brings the device to a system which is not later than the one it has then,
  /// in one of the scenario's runs.
  private func refuseEarlierSystems(in runs: [PlannedRun]) {
    var refused: Set<Scenario.StepReference.Number> = []
    for run in runs {
      for turn in run.done {
        guard let later = turn.step.action.laterSystem?.version, let current = turn.system,
          current >= later, refused.insert(turn.step.reference.number).inserted
        else { continue }
        collector.note(
          words(for: run, among: runs) + UpdateSystemStep.notLater(than: current),
          at: turn.step.reference.position)
      }
    }
  }

  /// Notes each assertion on a backup that stands before the first backup, or in `launch` where the
  /// app starts before it.
  private func refuseAssertionsBeforeBackups(in runs: [PlannedRun], launch: [Scenario.Step]) {
    var refused: Set<Scenario.StepReference.Number> = []
    let assertions = launch.filter(\.action.needsBackup)
    for run in runs {
      let early = run.done.prefix { $0.step.action.backupLabel == nil }
      // An update of the system ends the app, so a step starts it under the system that it has.
      let starts = early.filter { $0.step.action.startsApp }.map(\.system)
      let atStart = assertions.filter { assertion in
        starts.contains { $0.map(assertion.isDone) ?? true }
      }
      for step in atStart + early.map(\.step) where step.action.needsBackup {
        guard refused.insert(step.reference.number).inserted else { continue }
        collector.note(
          words(for: run, among: runs) + ExpectBackupStep.missingBackup,
          at: step.reference.position)
      }
    }
  }

  /// The begin of a message on one of several runs; empty where there is one.
  func words(for run: PlannedRun, among runs: [PlannedRun]) -> String {
    guard runs.count > 1, let system = run.system else { return "" }
    return "in the run under iOS \(system) "
  }
}
