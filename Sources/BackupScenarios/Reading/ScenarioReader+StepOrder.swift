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
    if !systems.isEmpty, !areAlike { refuseSystemsNeverThere(read, launch, systems, runs) }
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
  private func advice(on label: String, _ candidates: Set<String>, in run: PlannedRun) -> String {
    let isPassedOver = run.turns.contains { !$0.isDone && $0.step.action.backupLabel == label }
    if isPassedOver {
      return "the step that takes it is skipped on that version because of its 'on'"
    }
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
          words(for: run, among: runs) + StepKind.notLater(than: current),
          at: turn.step.reference.position)
      }
    }
  }

  /// Notes each assertion on a backup that stands before the first backup, or in `launch` where the
  /// app starts before it.
  private func refuseAssertionsBeforeBackups(in runs: [PlannedRun], launch: [Scenario.Step]) {
    var refused: Set<Scenario.StepReference.Number> = []
    let assertions = launch.filter { $0.action.traits.contains(.needsBackup) }
    for run in runs {
      let early = run.done.prefix { $0.step.action.backupLabel == nil }
      // An update of the system ends the app, so a step starts it under the system that it has.
      let starts = early.filter { $0.step.action.traits.contains(.startsApp) }.map(\.system)
      let atStart = assertions.filter { assertion in
        starts.contains { $0.map(assertion.isDone) ?? true }
      }
      for step in atStart + early.map(\.step) where step.action.traits.contains(.needsBackup) {
        guard refused.insert(step.reference.number).inserted else { continue }
        collector.note(
          words(for: run, among: runs) + StepKind.missingBackup,
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

/// What a scenario's file alone says of one of its runs: which steps are done, under which system.
struct PlannedRun {
  struct Turn {
    let step: Scenario.Step
    /// The system that the device has when the step's turn comes; nil where the file does not say it
    /// rightly.
    let system: SystemVersion?

    /// Whether the step is done; where nothing is known of the system it is.
    var isDone: Bool { system.map(step.isDone) ?? true }
  }

  /// The system that the device has at first; nil where the file does not say it rightly.
  let system: SystemVersion?
  /// The steps, in order, those that are passed over too.
  let turns: [Turn]

  var done: [Turn] { turns.filter(\.isDone) }

  init(of steps: [Scenario.Step], under system: SystemVersion?) {
    var current = system
    self.system = system
    self.turns = steps.map { step in
      let turn = Turn(step: step, system: current)
      if turn.isDone, let later = step.action.laterSystem?.version {
        current = current.map { max($0, later) }
      }
      return turn
    }
  }

  /// The runs of some steps under each of the systems, each once; without systems, one run under a
  /// system that is not known.
  static func all(of steps: [Scenario.Step], under systems: [SystemVersion]) -> [PlannedRun] {
    guard !systems.isEmpty else { return [PlannedRun(of: steps, under: nil)] }
    var known: Set<SystemVersion> = []
    return systems.filter { known.insert($0).inserted }.map { PlannedRun(of: steps, under: $0) }
  }
}

extension ScenarioReader {
  /// Notes each step that needs the app where that is offloaded, in one of the runs.
  func refuseStepsWithoutApp(in runs: [PlannedRun]) {
    var refused: Set<Scenario.StepReference.Number> = []
    for run in runs {
      var isOffloaded = false
      for step in run.done.map(\.step) {
        let traits = step.action.traits
        if isOffloaded, traits.contains(.needsApp), refused.insert(step.reference.number).inserted {
          collector.note(
            words(for: run, among: runs) + StepKind.missingApp, at: step.reference.position)
        }
        if traits.contains(.removesApp) { isOffloaded = true }
        if traits.contains(.installsApp) { isOffloaded = false }
      }
    }
  }

  /// Notes each system in an `on` that the device never has when the step's turn comes: it would
  /// be passed over without a word.
  private func refuseSystemsNeverThere(
    _ steps: [Scenario.Step], _ launch: [Scenario.Step], _ systems: [NamedSystem],
    _ runs: [PlannedRun]
  ) {
    for (index, step) in steps.enumerated() where step.systems != nil {
      refuse(step, whereDeviceHas: Set(runs.compactMap { $0.turns[index].system }))
    }
    let first = Set(systems.map(\.version))
    let all = first.union(runs.flatMap { $0.turns.compactMap(\.system) })
    for step in launch { refuse(step, whereDeviceHas: all) }
  }

  private func refuse(_ step: Scenario.Step, whereDeviceHas known: Set<SystemVersion>) {
    guard let systems = step.systems else { return }
    let all = known.sorted().map { "iOS \($0)" }.joined(separator: ", ")
    for system in systems.value.subtracting(known).sorted() {
      collector.note(
        "the device never has iOS \(system) at this step, only \(all)", at: systems.position)
    }
  }
}
