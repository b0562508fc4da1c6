import BackupDevice
import BackupDiagnostics

extension ScenarioReader {
  /// The most comparisons of two labels. In a large file, more would take long.
  private static let mostComparisons = 2000
  /// The longest label that is compared, in bytes.
  private static let longestCompared = 200

  /// Reports each step that is impossible at its place in one of the runs.
  ///
  /// If a step could not be read, reports nothing, because its effect on later steps is unknown.
  func refuseStepsOutOfOrder(
    _ steps: [Scenario.Step?], launch: [Scenario.Step?], systems: [NamedSystem],
    _ appVersion: String
  ) {
    let readSteps = steps.compactMap(\.self)
    guard readSteps.count == steps.count else { return }
    let launch = launch.compactMap(\.self)
    let runs = PlannedRun.all(of: readSteps, under: systems.map(\.version), appVersion)
    let namesSystems = (readSteps + launch).contains { $0.systems != nil }
    let differentRuns = namesSystems ? runs : Array(runs.prefix(1))
    refuseUnknownLabels(in: differentRuns)
    refuseEarlierSystems(in: runs)
    refuseUnlocks(in: differentRuns)
    refuseStepsWithoutApp(in: differentRuns)
    refuseAssertionsBeforeBackups(in: differentRuns, launch: launch)
    if !systems.isEmpty, namesSystems { refuseImpossibleSystems(readSteps, launch, systems, runs) }
    refuseImpossibleAppVersions(readSteps, launch, runs)
  }

  /// Reports each step that restores a backup that no earlier step takes.
  private func refuseUnknownLabels(in runs: [PlannedRun]) {
    var refused: Set<Scenario.StepReference.Number> = []
    var comparisons = Self.mostComparisons
    for run in runs {
      var labels: Set<String> = []
      for turn in run.performed {
        let step = turn.step
        if let taken = turn.takenLabel { labels.insert(taken) }
        guard let label = step.action.neededLabel, !labels.contains(label),
          refused.insert(step.reference.number).inserted
        else { continue }
        let isCompared = labels.count <= comparisons
        if isCompared { comparisons -= labels.count }
        let candidates = labels.filter { isCompared && $0.utf8.count <= Self.longestCompared }
        collector.report(
          "\(words(for: run, among: runs))no backup \"\(label.shown)\" is taken before this step; "
            + advice(on: label, candidates, in: run),
          at: step.reference.position)
      }
    }
  }

  /// Returns advice on a label that no backup has yet.
  private func advice(on label: String, _ candidates: Set<String>, in run: PlannedRun) -> String {
    let isSkipped = run.turns.contains { !$0.isPerformed && $0.takenLabel == label }
    if isSkipped {
      return "the step that takes it is skipped because of its 'on' or 'app'"
    }
    return NearestWord.to(label, in: candidates).map { "did you mean \"\($0.shown)\"?" }
      ?? "put a 'backup' step of this label before it"
  }

  /// Reports each step that updates the device to a system that is not later than its current one,
  /// in one of the runs.
  private func refuseEarlierSystems(in runs: [PlannedRun]) {
    var refused: Set<Scenario.StepReference.Number> = []
    for run in runs {
      for turn in run.performed {
        guard let later = turn.step.action.laterSystem?.version, let current = turn.system,
          current >= later, refused.insert(turn.step.reference.number).inserted
        else { continue }
        collector.report(
          words(for: run, among: runs) + StepKind.notLater(than: current),
          at: turn.step.reference.position)
      }
    }
  }

  /// Reports each assertion on a backup before the first backup. One in `launch` is too early if the
  /// app starts before the first backup.
  private func refuseAssertionsBeforeBackups(in runs: [PlannedRun], launch: [Scenario.Step]) {
    var refused: Set<Scenario.StepReference.Number> = []
    let assertions = launch.filter { $0.action.traits.contains(.needsBackup) }
    for run in runs {
      let early = run.performed.prefix { $0.takenLabel == nil }
      // A system update ends the app, so a launch has the system of the step that starts the app.
      let starts = early.filter { $0.step.startsApp }.map(\.system)
      let atStart = assertions.filter { assertion in
        starts.contains { $0.map(assertion.applies(on:)) ?? true }
      }
      for step in atStart + early.map(\.step) where step.action.traits.contains(.needsBackup) {
        guard refused.insert(step.reference.number).inserted else { continue }
        collector.report(
          words(for: run, among: runs) + StepKind.missingBackup,
          at: step.reference.position)
      }
    }
  }

  /// Returns the beginning of a message on one of several runs; empty if there is only one.
  func words(for run: PlannedRun, among runs: [PlannedRun]) -> String {
    guard runs.count > 1, let system = run.system else { return "" }
    return "in the run under iOS \(system) "
  }
}

/// A run as the scenario's file describes it: the performed steps with their systems.
struct PlannedRun {
  struct Turn {
    let step: Scenario.Step
    /// The device's system before the step; nil if the file does not give it correctly.
    let system: SystemVersion?

    /// The app's version before the step.
    let appVersion: String

    /// The label of the backup that iOS takes.
    var takenLabel: String? { step.action.backupLabel }

    /// True if the step is performed on the system, or the system is unknown.
    var isPerformed: Bool {
      system.map(step.applies(on:)) != false && step.applies(with: appVersion)
    }
  }

  /// The device's first system; nil if the file does not give it correctly.
  let system: SystemVersion?
  /// The steps in order, including those that are skipped.
  let turns: [Turn]

  var performed: [Turn] { turns.filter(\.isPerformed) }

  init(of steps: [Scenario.Step], under system: SystemVersion?, _ firstVersion: String) {
    var (current, appVersion) = (system, firstVersion)
    self.system = system
    self.turns = steps.map { step in
      let turn = Turn(step: step, system: current, appVersion: appVersion)
      if turn.isPerformed,
        case .system(.updateApp(to: let version, keeping: _, losing: _)) = step.action
      {
        appVersion = version
      }
      if turn.isPerformed, let later = step.action.laterSystem?.version {
        current = current.map { max($0, later) }
      }
      return turn
    }
  }

  /// Returns one run of the steps under each different system; without systems, one run under an
  /// unknown system.
  static func all(
    of steps: [Scenario.Step], under systems: [SystemVersion], _ appVersion: String
  ) -> [PlannedRun] {
    guard !systems.isEmpty else { return [PlannedRun(of: steps, under: nil, appVersion)] }
    var distinct: Set<SystemVersion> = []
    return systems.filter { distinct.insert($0).inserted }.map {
      PlannedRun(of: steps, under: $0, appVersion)
    }
  }
}

extension ScenarioReader {
  /// Reports each step that needs the app while it is offloaded, in one of the runs.
  func refuseStepsWithoutApp(in runs: [PlannedRun]) {
    var refused: Set<Scenario.StepReference.Number> = []
    for run in runs {
      var isOffloaded = false
      for step in run.performed.map(\.step) {
        let traits = step.action.traits
        if isOffloaded, traits.contains(.needsApp), refused.insert(step.reference.number).inserted {
          collector.report(
            words(for: run, among: runs) + StepKind.missingApp, at: step.reference.position)
        }
        if traits.contains(.removesApp) { isOffloaded = true }
        if traits.contains(.installsApp) { isOffloaded = false }
      }
    }
  }

  /// Reports each step that unlocks a device that is not locked, in one of the runs.
  private func refuseUnlocks(in runs: [PlannedRun]) {
    var refused: Set<Scenario.StepReference.Number> = []
    for run in runs {
      var lock = DeviceLock.unlocked
      for step in run.performed.map(\.step) {
        if step.keyword == .unlock, lock == .unlocked,
          refused.insert(step.reference.number).inserted
        {
          collector.report(
            words(for: run, among: runs)
              + "the device is not locked at this step; put { lock: {} } or "
              + "{ restart: { locked: true } } before it", at: step.reference.position)
        }
        lock = step.action.lockAfter ?? lock
      }
    }
  }

  /// Reports each system in an `on` that the device never has before the step. On this system, the
  /// step would silently be skipped.
  private func refuseImpossibleSystems(
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

  /// Reports each `app` whose versions the app never has before the step.
  private func refuseImpossibleAppVersions(
    _ steps: [Scenario.Step], _ launch: [Scenario.Step], _ runs: [PlannedRun]
  ) {
    guard (steps + launch).contains(where: { $0.appVersions != nil }) else { return }
    for (index, step) in steps.enumerated() where step.appVersions != nil {
      refuse(step, whereAppHas: Set(runs.map { $0.turns[index].appVersion }))
    }
    let starts = runs.flatMap(\.performed).filter { $0.step.startsApp }
    guard !starts.isEmpty else { return }
    let startedVersions = Set(starts.map(\.appVersion))
    for step in launch { refuse(step, whereAppHas: startedVersions) }
  }

  private func refuse(_ step: Scenario.Step, whereAppHas versions: Set<String>) {
    guard let wanted = step.appVersions, !versions.contains(where: wanted.value.contains) else {
      return
    }
    collector.report(
      "the app never has such a version at this step, only "
        + versions.sorted().joinedInWords
        + "; update it before by 'updateApp', or set the first "
        + "version with app: { version: … }", at: wanted.position)
  }

  private func refuse(_ step: Scenario.Step, whereDeviceHas possible: Set<SystemVersion>) {
    guard let systems = step.systems else { return }
    let all = possible.sorted().map { "iOS \($0)" }.joined(separator: ", ")
    for system in systems.value.subtracting(possible).sorted() {
      collector.report(
        "the device never has iOS \(system) at this step, only \(all)", at: systems.position)
    }
  }
}
