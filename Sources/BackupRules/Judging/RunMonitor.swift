package import BackupCollections
import BackupDevice
package import BackupFileTree
package import BackupScenarios

/// The state of the rules in a run. If two runs have equal rule states and equal devices, the rules
/// judge their later events alike.
package struct RuleState: Hashable, Sendable {
  package fileprivate(set) var facts: RunFacts
  fileprivate var memories: [AnyRuleMemory]
}

/// Passes the events of a run to the rules, one at a time.
///
/// A monitor is a value. If exploration copies a run, each copy has its own monitor.
package struct RunMonitor: Sendable {
  package let runStart: RunStart
  private let rules: [any Rule]
  @Boxed package var state: RuleState
  package private(set) var report = RuleReport()
  /// The classes of the files that the run has had. They are not part of `state`, because a class
  /// depends only on the path.
  private(set) var classes: DeclaredClasses
  private(set) var tree: FileTree
  private(set) var profile: SystemProfile
  private var lastStep: Scenario.StepReference?

  /// Creates a monitor for the start of a run. In `rules`, a rule must come before the rules whose
  /// violations it explains.
  package init(_ transcript: Transcript, by rules: [any Rule] = RuleList.all) {
    let start = RunStart(transcript)
    self.runStart = start
    self.rules = rules
    self.state = RuleState(
      facts: RunFacts(start), memories: rules.map { AnyRuleMemory(value: $0.memory(at: start)) })
    self.classes = DeclaredClasses(start.scenario.files)
    self.tree = start.tree
    self.profile = start.profile
  }

  package mutating func observe(_ entry: Transcript.Entry) {
    let treeBefore = tree
    state.facts.recordBeforeRules(entry, before: treeBefore)
    let profileBeforeUpdate = entry.profile.version == profile.version ? entry.profile : profile
    judge(entry, at: entry.step, before: treeBefore, on: profileBeforeUpdate)
    state.facts.recordAfterRules(
      entry, before: treeBefore, profile: profileBeforeUpdate, report, classes)
    tree = entry.tree
    profile = entry.profile
    lastStep = entry.step
  }

  /// Judges the end of the run, after its last step or after a step that failed.
  package mutating func end(afterFailure isAfterFailure: Bool = false) {
    guard let lastStep else { return }
    judge(nil, at: lastStep, before: tree, on: profile, afterFailure: isAfterFailure)
  }

  /// Returns the state without the facts that no later judgment needs. Later steps restore only the
  /// backups with these labels, and do not need `remnants`.
  package func reducedState(
    restoring labels: Set<String>, without remnants: Set<ContainerPath> = []
  ) -> RuleState {
    var reduced = state
    reduced.facts.reduce(runStart, restoring: labels, without: remnants, in: tree, on: profile)
    return reduced
  }

  package mutating func removeAllViolations() -> [Violation] {
    defer { report.violations = [] }
    return report.violations
  }

  package func findings(of violations: [Violation]) -> [Scenario.Finding] {
    violations.findings(by: rules, classes, in: runStart.scenario)
  }

  private mutating func judge(
    _ entry: Transcript.Entry?, at step: Scenario.StepReference, before treeBefore: FileTree,
    on profile: SystemProfile, afterFailure isAfterFailure: Bool = false
  ) {
    report.beginEvent()
    let event = entry?.event
    let checkpoint: Checkpoint? =
      event?.isBySystem ?? true ? makeCheckpoint(event, treeBefore, profile) : nil
    let observedEvent = ObservedEvent(
      entry: entry, step: step, treeBefore: treeBefore, profile: profile, runStart: runStart,
      facts: state.facts, classes: classes, checkpoint: checkpoint,
      isAfterFailure: isAfterFailure)
    // Moves the memories out of `state`, because one call cannot change both `state` and `report`.
    var memories: [AnyRuleMemory] = []
    swap(&memories, &state.memories)
    for index in rules.indices {
      rules[index].observe(observedEvent, anyMemory: &memories[index], &report)
    }
    swap(&memories, &state.memories)
  }

  private mutating func makeCheckpoint(
    _ event: Transcript.Event?, _ tree: FileTree, _ profile: SystemProfile
  ) -> Checkpoint {
    let facts = state.facts
    let files = classes.files(in: tree)
    let judgesAllFiles = facts.placedFiles.isEmpty && facts.remnants.isEmpty
    return Checkpoint(
      Checkpoint.View(tree: tree, profile: profile, backup: event?.backup?.contents),
      backupLabel: event?.backup?.label, facts.control,
      filesToJudge: judgesAllFiles
        ? files
        : files.filter {
          !facts.placedFiles.contains($0.path) && !facts.remnants.contains($0.path)
        },
      runStart.backupKind)
  }
}
