import BackupDevice
import BackupFileTree
import BackupScenarios

/// More on the device than the scenario's `storage` allows.
///
/// What an app marks costs no backup, but it fills the device. Only the app deletes a movie that
/// was watched, or the tiles of a map that is out of date: a purge may never come, and takes
/// nothing outside of Caches and tmp. Whatever the app keeps counts, marked or not, but not its
/// bundle.
struct StorageBudgetRule: Rule {
  let name = "storage-budget"
  let basis = RuleBasis.storage
  let sources: [SystemProfile.Source] = [.appleGuidelines2011, .appleOptimizing]

  /// What the app keeps, and what was said of it.
  struct Memory: Hashable {
    fileprivate var sums: [FileSum]
    /// The step since which each limit is exceeded.
    fileprivate var steps: [Int: Scenario.StepReference] = [:]
    fileprivate var reported: Set<Int> = []
  }

  package func memory(at start: RunStart) -> Memory {
    guard let budget = start.scenario.storage else { return Memory(sums: []) }
    var memory = Memory(sums: BudgetTally(budget).sums)
    memory.count(
      from: FileTree(), to: start.tree, in: nil, budget, on: start.profile, without: [])
    return memory
  }

  func observe(_ event: ObservedEvent, _ memory: inout Memory, _ report: inout RuleReport) {
    guard let budget = event.scenario.storage else { return }
    if event.checkpoint != nil { self.report(budget, &memory, event, &report) }
    guard !event.isEnd else { return }
    let remnants = event.facts.remnants
    let profile = event.systemAfter
    let isKill = if case .killed = event.event { true } else { false }
    if isKill || event.profile.bundleIsInContainer.value != profile.bundleIsInContainer.value {
      // What counts is another matter now: the remnants of a kill do not.
      memory.sums = BudgetTally(budget).sums
      memory.count(
        from: FileTree(), to: event.tree, in: nil, budget, on: profile, without: remnants)
    } else {
      let places: [ContainerPath]? =
        if case .changes(let changes) = event.event {
          changes.flatMap(\.touchedPaths)
        } else {
          nil
        }
      memory.count(
        from: event.before, to: event.tree, in: places, budget, on: profile, without: remnants)
    }
    let exceeded = Set(BudgetTally(budget, memory.sums).exceededIndices)
    memory.steps = memory.steps.filter { exceeded.contains($0.key) }
    for index in exceeded where memory.steps[index] == nil { memory.steps[index] = event.step }
  }

  private func report(
    _ budget: Scenario.Budget, _ memory: inout Memory, _ event: ObservedEvent,
    _ report: inout RuleReport
  ) {
    let new = Set(memory.steps.keys).subtracting(memory.reported)
    guard !new.isEmpty else { return }
    memory.reported.formUnion(new)
    let excesses = BudgetTally(budget, memory.sums).excesses(at: new.sorted(), naming: 3) { visit in
      event.before.forEachItem { path, item in
        if let size = item.size, path.isApps(on: event.profile),
          !event.facts.remnants.contains(path)
        {
          visit(path, size)
        }
      }
    }
    for excess in excesses {
      report.add(
        self, at: memory.steps[excess.index] ?? event.step, on: excess.path, by: excess.index,
        identity: .item,
        "\(excess.scope)the app keeps \(excess.held) on the device, more than the "
          + "\(excess.allowed) of 'storage'\(excess.largest)",
        advice: "delete files that are no longer needed, or raise 'storage'")
    }
  }
}

extension StorageBudgetRule.Memory {
  fileprivate mutating func count(
    from before: FileTree, to now: FileTree, in places: [ContainerPath]?,
    _ budget: Scenario.Budget, on profile: SystemProfile, without remnants: Set<ContainerPath>
  ) {
    var tally = BudgetTally(budget, sums)
    now.forEachFile(changedSince: before, in: places) { path, size, isNow in
      guard path.isApps(on: profile), !remnants.contains(path) else { return }
      tally.count(path, size, isThere: isNow)
    }
    sums = tally.sums
  }
}

extension ContainerPath {
  /// Whether a file is the app's own, and not a part of its bundle.
  fileprivate func isApps(on profile: SystemProfile) -> Bool {
    !(profile.bundleIsInContainer.value && components.first?.hasSuffix(".app") == true)
  }
}
