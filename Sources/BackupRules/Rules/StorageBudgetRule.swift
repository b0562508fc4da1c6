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
    /// For the index of each limit that is exceeded, the step that exceeded the limit.
    fileprivate var stepsByLimit: [Int: Scenario.StepReference] = [:]
    /// The indices of the limits that the rule has reported.
    fileprivate var reportedLimits: Set<Int> = []
  }

  package func memory(at start: RunStart) -> Memory {
    guard let budget = start.scenario.storage else { return Memory(sums: []) }
    var memory = Memory(sums: BudgetTally(budget).sums)
    memory.updateSums(
      from: FileTree(), to: start.tree, in: nil, budget, on: start.profile, ignoring: [])
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
      memory.updateSums(
        from: FileTree(), to: event.tree, in: nil, budget, on: profile, ignoring: remnants)
    } else {
      let changedPaths: [ContainerPath]? =
        if case .changes(let changes) = event.event {
          changes.flatMap(\.touchedPaths)
        } else {
          nil
        }
      memory.updateSums(
        from: event.treeBefore, to: event.tree, in: changedPaths, budget, on: profile,
        ignoring: remnants)
    }
    let exceededLimits = Set(BudgetTally(budget, memory.sums).indicesOfExceededLimits)
    memory.stepsByLimit = memory.stepsByLimit.filter { exceededLimits.contains($0.key) }
    for index in exceededLimits where memory.stepsByLimit[index] == nil {
      memory.stepsByLimit[index] = event.step
    }
  }

  private func report(
    _ budget: Scenario.Budget, _ memory: inout Memory, _ event: ObservedEvent,
    _ report: inout RuleReport
  ) {
    let unreportedLimits = Set(memory.stepsByLimit.keys).subtracting(memory.reportedLimits)
    guard !unreportedLimits.isEmpty else { return }
    memory.reportedLimits.formUnion(unreportedLimits)
    let tally = BudgetTally(budget, memory.sums)
    let excesses = tally.excesses(at: unreportedLimits.sorted(), naming: 3) { visit in
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
        self, at: memory.stepsByLimit[excess.index] ?? event.step, on: excess.path,
        distinguishedBy: excess.index,
        groupedBy: .item,
        "\(excess.scopePhrase)the app keeps \(excess.actualAmount) on the device, more than the "
          + "\(excess.allowedAmount) of 'storage'\(excess.largestFilesPhrase)",
        advice: "delete files that are no longer needed, or raise 'storage'")
    }
  }
}

extension StorageBudgetRule.Memory {
  /// Updates the sums for the changes between two containers. `changedPaths` limits the comparison
  /// to these items; nil compares all items.
  fileprivate mutating func updateSums(
    from formerTree: FileTree, to currentTree: FileTree, in changedPaths: [ContainerPath]?,
    _ budget: Scenario.Budget, on profile: SystemProfile, ignoring remnants: Set<ContainerPath>
  ) {
    var tally = BudgetTally(budget, sums)
    currentTree.forEachFile(changedSince: formerTree, in: changedPaths) { path, size, exists in
      guard path.isOutsideBundle(on: profile), !remnants.contains(path) else { return }
      tally.count(path, size, adding: exists)
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
