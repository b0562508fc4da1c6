import BackupDevice
import BackupDiagnostics

extension ScenarioReader {
  /// The maximum number of comparisons between unknown labels and the labels of backups, for all
  /// steps of the file together. In a large file, more would take too long.
  private static let maximumComparisonCount = 2000
  /// The maximum length of a label that is compared, in bytes.
  private static let maximumComparedLabelSize = 200

  /// Reports each step that a run cannot perform after the steps before it.
  ///
  /// Reports nothing if a step could not be read, because its effect on later steps is unknown.
  func refuseStepsOutOfOrder(
    _ steps: [Scenario.Step?], launch: [Scenario.Step?], systems: [NamedSystem],
    _ appVersion: String
  ) {
    let validSteps = steps.compactMap(\.self)
    guard validSteps.count == steps.count else { return }
    let launch = launch.compactMap(\.self)
    let runs = PlannedRun.all(of: validSteps, under: systems.map(\.version), appVersion)
    let anyStepNamesSystems = (validSteps + launch).contains { $0.systems != nil }
    // If no step has 'on', all runs perform the same steps, so the first run is enough.
    let differentRuns = anyStepNamesSystems ? runs : Array(runs.prefix(1))
    refuseUnknownLabels(in: differentRuns)
    refuseUpdatesToEarlierSystems(in: runs)
    refuseUnlocks(in: differentRuns)
    refuseStepsWithoutApp(in: differentRuns)
    refuseAssertionsBeforeBackups(in: differentRuns, launch: launch)
    if !systems.isEmpty, anyStepNamesSystems {
      refuseImpossibleSystems(validSteps, launch, systems, runs)
    }
    refuseImpossibleAppVersions(validSteps, launch, runs)
  }

  /// Reports each step that needs a backup which no earlier step takes.
  private func refuseUnknownLabels(in runs: [PlannedRun]) {
    var refusedSteps: Set<Scenario.StepReference.Number> = []
    var remainingComparisonCount = Self.maximumComparisonCount
    for run in runs {
      var labels: Set<String> = []
      for plannedStep in run.performedSteps {
        let step = plannedStep.step
        if let newLabel = plannedStep.backupLabel { labels.insert(newLabel) }
        guard let label = step.action.neededBackupLabel, !labels.contains(label),
          refusedSteps.insert(step.reference.number).inserted
        else { continue }
        let isCompared = labels.count <= remainingComparisonCount
        if isCompared { remainingComparisonCount -= labels.count }
        let candidates = labels.filter {
          isCompared && $0.utf8.count <= Self.maximumComparedLabelSize
        }
        collector.report(
          "\(messagePrefix(for: run, among: runs))no backup \"\(label.escapedExcerpt)\" is taken before this step; "
            + advice(on: label, candidates, in: run),
          at: step.reference.position)
      }
    }
  }

  /// Returns advice on a label that no earlier backup has.
  private func advice(on label: String, _ candidates: Set<String>, in run: PlannedRun) -> String {
    let isSkipped = run.plannedSteps.contains { !$0.isPerformed && $0.backupLabel == label }
    if isSkipped {
      return "the step that takes it is skipped because of its 'on' or 'app'"
    }
    return NearestWord.to(label, in: candidates).map { "did you mean \"\($0.escapedExcerpt)\"?" }
      ?? "put a 'backup' step of this label before it"
  }

  /// Reports each step that updates the device to a version of iOS which is not later than the
  /// current version.
  private func refuseUpdatesToEarlierSystems(in runs: [PlannedRun]) {
    var refusedSteps: Set<Scenario.StepReference.Number> = []
    for run in runs {
      for plannedStep in run.performedSteps {
        guard let laterSystem = plannedStep.step.action.newSystem?.version,
          let currentSystem = plannedStep.system,
          currentSystem >= laterSystem,
          refusedSteps.insert(plannedStep.step.reference.number).inserted
        else { continue }
        collector.report(
          messagePrefix(for: run, among: runs) + StepKind.notLaterMessage(than: currentSystem),
          at: plannedStep.step.reference.position)
      }
    }
  }

  /// Reports each assertion on a backup that comes before the first backup. An assertion in
  /// `launch` comes too early if the app starts before the first backup.
  private func refuseAssertionsBeforeBackups(in runs: [PlannedRun], launch: [Scenario.Step]) {
    var refusedSteps: Set<Scenario.StepReference.Number> = []
    let assertions = launch.filter { $0.action.traits.contains(.needsBackup) }
    for run in runs {
      let stepsBeforeBackup = run.performedSteps.prefix { $0.backupLabel == nil }
      // A system update ends the app. So the steps of a launch run under the version that the
      // device has at the step that starts the app.
      let startSystems = stepsBeforeBackup.filter { $0.step.launchesApp }.map(\.system)
      let launchAssertions = assertions.filter { assertion in
        startSystems.contains { $0.map(assertion.applies(on:)) ?? true }
      }
      for step in launchAssertions + stepsBeforeBackup.map(\.step)
      where step.action.traits.contains(.needsBackup) {
        guard refusedSteps.insert(step.reference.number).inserted else { continue }
        collector.report(
          messagePrefix(for: run, among: runs) + StepKind.missingBackupMessage,
          at: step.reference.position)
      }
    }
  }

  /// Returns the beginning of a message about one of several runs. Returns an empty string if the
  /// scenario has one run.
  func messagePrefix(for run: PlannedRun, among runs: [PlannedRun]) -> String {
    guard runs.count > 1, let system = run.system else { return "" }
    return "in the run under iOS \(system) "
  }
}

/// A run as the scenario file plans it: each step with the versions of iOS and of the app before
/// it.
struct PlannedRun {
  /// A step of the run, performed or skipped.
  struct PlannedStep {
    let step: Scenario.Step
    /// The device's version of iOS before the step; nil if the file's `system` has a mistake.
    let system: SystemVersion?

    /// The app's version before the step.
    let appVersion: String

    /// The label of the backup that iOS takes in the step; nil for any other step.
    var backupLabel: String? { step.action.backupLabel }

    /// True unless the step's `on` or `app` skips the step. An unknown version of iOS skips no
    /// step.
    var isPerformed: Bool {
      system.map(step.applies(on:)) != false && step.applies(with: appVersion)
    }
  }

  /// The device's first version of iOS; nil if the file's `system` has a mistake.
  let system: SystemVersion?
  /// The steps in order, including those that are skipped.
  let plannedSteps: [PlannedStep]

  var performedSteps: [PlannedStep] { plannedSteps.filter(\.isPerformed) }

  init(of steps: [Scenario.Step], under system: SystemVersion?, _ firstVersion: String) {
    var (currentSystem, appVersion) = (system, firstVersion)
    self.system = system
    self.plannedSteps = steps.map { step in
      let plannedStep = PlannedStep(step: step, system: currentSystem, appVersion: appVersion)
      if plannedStep.isPerformed,
        case .system(.updateApp(to: let version, keeping: _, losing: _)) = step.action
      {
        appVersion = version
      }
      if plannedStep.isPerformed, let newSystem = step.action.newSystem?.version {
        currentSystem = currentSystem.map { max($0, newSystem) }
      }
      return plannedStep
    }
  }

  /// Returns a run of the steps for each different version of iOS. If `systems` is empty, returns
  /// one run with an unknown version.
  static func all(
    of steps: [Scenario.Step], under systems: [SystemVersion], _ appVersion: String
  ) -> [PlannedRun] {
    guard !systems.isEmpty else { return [PlannedRun(of: steps, under: nil, appVersion)] }
    var distinctSystems: Set<SystemVersion> = []
    return systems.filter { distinctSystems.insert($0).inserted }.map {
      PlannedRun(of: steps, under: $0, appVersion)
    }
  }
}

extension ScenarioReader {
  /// Reports each step that needs the app while the app is offloaded.
  func refuseStepsWithoutApp(in runs: [PlannedRun]) {
    var refusedSteps: Set<Scenario.StepReference.Number> = []
    for run in runs {
      var isOffloaded = false
      for step in run.performedSteps.map(\.step) {
        let traits = step.action.traits
        if isOffloaded, traits.contains(.needsApp),
          refusedSteps.insert(step.reference.number).inserted
        {
          collector.report(
            messagePrefix(for: run, among: runs) + StepKind.missingAppMessage,
            at: step.reference.position)
        }
        if traits.contains(.removesApp) { isOffloaded = true }
        if traits.contains(.installsApp) { isOffloaded = false }
      }
    }
  }

  /// Reports each step that unlocks a device which is not locked.
  private func refuseUnlocks(in runs: [PlannedRun]) {
    var refusedSteps: Set<Scenario.StepReference.Number> = []
    for run in runs {
      var lock = DeviceLock.unlocked
      for step in run.performedSteps.map(\.step) {
        if step.keyword == .unlock, lock == .unlocked,
          refusedSteps.insert(step.reference.number).inserted
        {
          collector.report(
            messagePrefix(for: run, among: runs)
              + "the device is not locked at this step; put { lock: {} } or "
              + "{ restart: { locked: true } } before it", at: step.reference.position)
        }
        lock = step.action.resultingLock ?? lock
      }
    }
  }

  /// Reports each version in a step's `on` that the device never has at this step. Without a
  /// report, nobody would notice that the step is never performed under this version.
  private func refuseImpossibleSystems(
    _ steps: [Scenario.Step], _ launch: [Scenario.Step], _ systems: [NamedSystem],
    _ runs: [PlannedRun]
  ) {
    for (index, step) in steps.enumerated() where step.systems != nil {
      checkSystems(of: step, against: Set(runs.compactMap { $0.plannedSteps[index].system }))
    }
    let firstSystems = Set(systems.map(\.version))
    let allSystems = firstSystems.union(runs.flatMap { $0.plannedSteps.compactMap(\.system) })
    for step in launch { checkSystems(of: step, against: allSystems) }
  }

  /// Reports a step's key `app` if it names no version that the app can have at this step.
  private func refuseImpossibleAppVersions(
    _ steps: [Scenario.Step], _ launch: [Scenario.Step], _ runs: [PlannedRun]
  ) {
    guard (steps + launch).contains(where: { $0.appVersions != nil }) else { return }
    for (index, step) in steps.enumerated() where step.appVersions != nil {
      checkAppVersions(of: step, against: Set(runs.map { $0.plannedSteps[index].appVersion }))
    }
    let appStarts = runs.flatMap(\.performedSteps).filter { $0.step.launchesApp }
    guard !appStarts.isEmpty else { return }
    let startedVersions = Set(appStarts.map(\.appVersion))
    for step in launch { checkAppVersions(of: step, against: startedVersions) }
  }

  private func checkAppVersions(of step: Scenario.Step, against possibleVersions: Set<String>) {
    guard let wantedVersions = step.appVersions,
      !possibleVersions.contains(where: wantedVersions.value.contains)
    else {
      return
    }
    collector.report(
      "the app never has such a version at this step, only "
        + possibleVersions.sorted().joinedInWords
        + "; update it before by 'updateApp', or set the first "
        + "version with app: { version: … }", at: wantedVersions.position)
  }

  private func checkSystems(of step: Scenario.Step, against possibleSystems: Set<SystemVersion>) {
    guard let systems = step.systems else { return }
    let systemNames = possibleSystems.sorted().map { "iOS \($0)" }.joined(separator: ", ")
    for system in systems.value.subtracting(possibleSystems).sorted() {
      collector.report(
        "the device never has iOS \(system) at this step, only \(systemNames)", at: systems.position
      )
    }
  }
}
