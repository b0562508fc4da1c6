package import BackupCollections
import BackupDevice
package import BackupFileTree
package import BackupScenarios

/// The state of the rules in a run. Two runs are judged alike from a point on if they have equal rule
/// states and equal states of the device there.
package struct RuleState: Hashable, Sendable {
  package fileprivate(set) var facts: RunFacts
  fileprivate var memories: [AnyRuleMemory]
}

/// A monitor that passes the events of a run to the rules, one at a time.
///
/// It is a value: if exploration copies a run, each copy has a monitor of its own.
package struct RunMonitor: Sendable {
  package let start: RunStart
  private let rules: [any Rule]
  @Boxed package var state: RuleState
  package private(set) var report = RuleReport()
  /// The classes of the files so far. They depend only on the files' paths, so they are not a part of the state.
  private(set) var classes: PromisedClasses
  private(set) var tree: FileTree
  private(set) var profile: SystemProfile
  private var lastStep: Scenario.StepReference?

  /// Creates a monitor at the start of a run, before the run's first entry. A rule comes before those whose
  /// violations it explains.
  package init(_ transcript: Transcript, by rules: [any Rule] = RuleList.all) {
    let start = RunStart(transcript)
    self.start = start
    self.rules = rules
    self.state = RuleState(
      facts: RunFacts(start), memories: rules.map { AnyRuleMemory(value: $0.memory(at: start)) })
    self.classes = PromisedClasses(start.scenario.files)
    self.tree = start.tree
    self.profile = start.profile
  }

  package mutating func observe(_ entry: Transcript.Entry) {
    let before = tree
    state.facts.begin(entry, before: before)
    let system = entry.profile.version == profile.version ? entry.profile : profile
    judge(entry, at: entry.step, before: before, on: system)
    state.facts.end(entry, before: before, profile: system, report, classes)
    tree = entry.tree
    profile = entry.profile
    lastStep = entry.step
  }

  /// Judges the end of the run, after its last step or after a step that failed.
  package mutating func end(afterFailure isAfterFailure: Bool = false) {
    guard let lastStep else { return }
    judge(nil, at: lastStep, before: tree, on: profile, afterFailure: isAfterFailure)
  }

  /// Returns the state without facts on which no later judgment depends.
  package func reducedState(
    restoring labels: Set<String>, without remnants: Set<ContainerPath> = []
  ) -> RuleState {
    var reduced = state
    reduced.facts.reduce(start, restoring: labels, without: remnants, in: tree, on: profile)
    return reduced
  }

  package mutating func takeViolations() -> [Violation] {
    defer { report.violations = [] }
    return report.violations
  }

  package func findings(of violations: [Violation]) -> [Scenario.Finding] {
    violations.findings(by: rules, classes, in: start.scenario)
  }

  private mutating func judge(
    _ entry: Transcript.Entry?, at step: Scenario.StepReference, before: FileTree,
    on profile: SystemProfile, afterFailure isAfterFailure: Bool = false
  ) {
    report.beginEvent()
    let event = entry?.event
    let checkpoint: Checkpoint? =
      event?.isBySystem ?? true ? checkpoint(event, before, profile) : nil
    let observed = ObservedEvent(
      entry: entry, step: step, before: before, profile: profile, start: start,
      facts: state.facts, classes: classes, checkpoint: checkpoint,
      isAfterFailure: isAfterFailure)
    // One call cannot change both `state` and `report`.
    var memories: [AnyRuleMemory] = []
    swap(&memories, &state.memories)
    for index in rules.indices {
      rules[index].observe(observed, any: &memories[index], &report)
    }
    swap(&memories, &state.memories)
  }

  private mutating func checkpoint(
    _ event: Transcript.Event?, _ tree: FileTree, _ profile: SystemProfile
  ) -> Checkpoint {
    let facts = state.facts
    let files = classes.files(in: tree)
    let judgesAll = facts.placedFiles.isEmpty && facts.remnants.isEmpty
    return Checkpoint(
      Checkpoint.View(tree: tree, profile: profile, backup: event?.backup?.contents),
      label: event?.backup?.label, facts.control,
      files: judgesAll
        ? files
        : files.filter {
          !facts.placedFiles.contains($0.path) && !facts.remnants.contains($0.path)
        },
      start.backupKind)
  }
}
