import BackupDevice
import BackupFileTree
import BackupScenarios

/// Reports an app whose files on the device exceed the scenario's `storage`.
///
/// A marked file is in no backup, but it fills the device. Only the app can delete a movie that the
/// user has watched, or the tiles of an outdated map. A purge may never come, and takes only items
/// in Library/Caches and tmp. All files of the app count, marked or not, except its bundle.
struct StorageBudgetRule: Rule {
  let name = "storage-budget"
  let basis = RuleBasis.storage
  let sources: [SystemProfile.Source] = [.appleGuidelines2011, .appleOptimizing]

  struct Memory: Hashable {
    /// The total of the app's files for each limit.
    fileprivate var sums: [FileTotal]
    /// For each limit that is exceeded, the step that exceeded it.
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
    let profile = event.profileAfter
    let isKill = if case .killed = event.event { true } else { false }
    if isKill || event.profile.bundleIsInContainer.value != profile.bundleIsInContainer.value {
      // Counts all files again. A kill leaves remnants, and an update of iOS may move the bundle.
      memory.sums = BudgetTally(budget).sums
      memory.count(
        from: FileTree(), to: event.tree, in: nil, budget, on: profile, without: remnants)
    } else {
      let changedPaths: [ContainerPath]? =
        if case .changes(let changes) = event.event {
          changes.flatMap(\.touchedPaths)
        } else {
          nil
        }
      memory.count(
        from: event.treeBefore, to: event.tree, in: changedPaths, budget, on: profile,
        without: remnants)
    }
    let exceeded = Set(BudgetTally(budget, memory.sums).exceededIndices)
    memory.steps = memory.steps.filter { exceeded.contains($0.key) }
    for index in exceeded where memory.steps[index] == nil { memory.steps[index] = event.step }
  }

  private func report(
    _ budget: Scenario.Budget, _ memory: inout Memory, _ event: ObservedEvent,
    _ report: inout RuleReport
  ) {
    let unreported = Set(memory.steps.keys).subtracting(memory.reported)
    guard !unreported.isEmpty else { return }
    memory.reported.formUnion(unreported)
    let tally = BudgetTally(budget, memory.sums)
    let excesses = tally.excesses(at: unreported.sorted(), naming: 3) { visit in
      event.treeBefore.forEachItem { path, item in
        if let size = item.size, path.isOutsideBundle(on: event.profile),
          !event.facts.remnants.contains(path)
        {
          visit(path, size)
        }
      }
    }
    for excess in excesses {
      report.add(
        self, at: memory.steps[excess.index] ?? event.step, on: excess.path, detail: excess.index,
        identity: .item,
        "\(excess.scope)the app keeps \(excess.held) on the device, more than the "
          + "\(excess.allowed) of 'storage'\(excess.largest)",
        advice: "delete files that are no longer needed, or raise 'storage'")
    }
  }
}

extension StorageBudgetRule.Memory {
  /// Updates the sums for the changes between two containers. `changedPaths` limits the comparison
  /// to these items; nil compares all items.
  fileprivate mutating func count(
    from former: FileTree, to current: FileTree, in changedPaths: [ContainerPath]?,
    _ budget: Scenario.Budget, on profile: SystemProfile, without remnants: Set<ContainerPath>
  ) {
    var tally = BudgetTally(budget, sums)
    current.forEachFile(changedSince: former, in: changedPaths) { path, size, isThere in
      guard path.isOutsideBundle(on: profile), !remnants.contains(path) else { return }
      tally.count(path, size, isThere: isThere)
    }
    sums = tally.sums
  }
}

extension ContainerPath {
  /// Returns true if a file is not a part of the app's bundle.
  fileprivate func isOutsideBundle(on profile: SystemProfile) -> Bool {
    !(profile.bundleIsInContainer.value && components.first?.hasSuffix(".app") == true)
  }
}
