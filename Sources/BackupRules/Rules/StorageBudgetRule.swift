import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// More on the device than the scenario's `storage` allows.
///
/// What an app marks costs no backup, but it fills the device. Nobody deletes a movie that was
/// watched, or the tiles of a map that is out of date, but the app: a purge may never come, and takes
/// nothing outside of Caches and tmp. Whatever the app keeps counts, marked or not, but not its
/// bundle.
struct StorageBudgetRule: Rule {
  let name = "storage-budget"
  let severity = Scenario.Severity.error
  let summary = "more on the device than 'storage' allows"
  let basis = RuleBasis.storage
  let subjects: [SystemProfile.Subject] = [.deletion]
  let sources: [SystemProfile.Source] = [.appleGuidelines2011, .appleOptimizing]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    guard let budget = history.scenario.storage else { return }
    var ledger = StorageLedger(budget, of: history)
    for entry in history.transcript.entries {
      if entry.event.isBySystem { report(&ledger, &findings) }
      ledger.follow(entry)
    }
    if history.isAtEnd { report(&ledger, &findings) }
  }

  /// Reports the limits that are exceeded now and were not reported before.
  private func report(_ ledger: inout StorageLedger, _ findings: inout FindingList) {
    for (excess, step) in ledger.takeExceeded() {
      findings.add(
        self, at: step, on: excess.path, by: excess.index,
        "\(excess.scope)the app keeps \(excess.held) on the device, more than the "
          + "\(excess.allowed) of 'storage'\(excess.largest)",
        advice: "delete what has served, or raise 'storage'")
    }
  }
}

/// What an app keeps on the device through a run.
private struct StorageLedger {
  /// The sums now.
  private var tally: BudgetTally
  /// The container now.
  private var tree = FileTree()
  /// The steps by which limits were last exceeded, by their index, while they are.
  private var steps: [Int: Scenario.StepReference] = [:]
  /// The limits that were reported.
  private var reported: Set<Int> = []
  /// What is left of saves amid which the app was killed, which is nobody's.
  private let remnants: Set<ContainerPath>
  /// Whether an item at the top that is named like a bundle is the app's.
  private var bundleIsInContainer: Bool

  /// What the app keeps before its first step.
  init(_ budget: Scenario.Budget, of history: RunHistory) {
    let transcript = history.transcript
    let profile = SystemProfile.all.first { $0.version == transcript.variant.system }
    self.tally = BudgetTally(budget)
    self.remnants = history.remnants
    self.bundleIsInContainer = profile?.bundleIsInContainer.value == true
    change(to: transcript.firstTree, in: nil)
  }

  /// Follows what happened.
  mutating func follow(_ entry: Transcript.Entry) {
    if bundleIsInContainer != entry.profile.bundleIsInContainer.value {
      change(to: FileTree(), in: nil)
      bundleIsInContainer = entry.profile.bundleIsInContainer.value
    }
    if case .changes(let changes) = entry.event {
      change(to: entry.tree, in: changes.flatMap(\.touchedPaths).topmost)
    } else {
      change(to: entry.tree, in: nil)
    }
    let exceeded = Set(tally.exceededIndices)
    steps = steps.filter { exceeded.contains($0.key) }
    for index in exceeded where steps[index] == nil { steps[index] = entry.step }
  }

  /// Goes on with a container that differs in some places, or in any for nil.
  private mutating func change(to now: FileTree, in places: [ContainerPath]?) {
    now.forEachFile(changedSince: tree, in: places) { path, size, isNow in
      if isApps(path) { tally.count(path, size, isThere: isNow) }
    }
    tree = now
  }

  /// Whether a file is the app's, and neither its bundle's nor left of an unfinished save.
  private func isApps(_ path: ContainerPath) -> Bool {
    !remnants.contains(path)
      && !(bundleIsInContainer && path.components.first?.hasSuffix(".app") == true)
  }

  /// The limits that are exceeded and were not reported yet, each with the step that did it.
  mutating func takeExceeded() -> [(BudgetExcess, Scenario.StepReference)] {
    let new = tally.exceededIndices.filter { steps[$0] != nil && !reported.contains($0) }
    guard !new.isEmpty else { return [] }
    reported.formUnion(new)
    let excesses = tally.excesses(at: new, naming: 3) { visit in
      tree.walk { path, item in
        if let size = item.size, isApps(path) { visit(path, size) }
        return true
      }
    }
    return excesses.compactMap { excess in steps[excess.index].map { (excess, $0) } }
  }
}
