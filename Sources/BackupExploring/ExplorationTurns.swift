import BackupScenarios
import BackupTesting
import BackupVerdicts

/// The order of the explorations in a test process. A scenario that is unchanged since an exploration without a problem
/// waits until all other scenarios that have begun are explored. None is left out.
///
/// Explorations at the same time share the processors, and end at nearly the same time. Measured with nine
/// scenarios of the sample app on two cores, the longest one ended last, after 60 s. Going first, it ends after
/// 40 s and the others after 78 s, because one exploration alone does not fill the processors.
actor ExplorationTurns {
  static let shared = ExplorationTurns()

  /// The number of scenarios that go first, or whose runs have not ended yet.
  private var countAhead = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Begins the run of a scenario, which no exploration delays.
  func begin() { countAhead += 1 }

  /// Ends a scenario that went first, or is not explored.
  func end() {
    countAhead -= 1
    guard countAhead == 0 else { return }
    for continuation in waiting { continuation.resume() }
    waiting = []
  }

  /// Ends a scenario's run, and waits until none goes first.
  func letOthersGoFirst() async {
    end()
    guard countAhead > 0 else { return }
    await withCheckedContinuation { waiting.append($0) }
  }
}

extension Scenario {
  /// Runs this scenario and, if the result allows it, explores it in its turn. An error becomes an
  /// issue.
  func explore(
    _ app: any AppUnderTest.Type, afterRun run: () async -> ReportedResult?,
    _ explore: (ReportedResult) async throws(RunError) -> Void
  ) async -> ScenarioResult? {
    let turns = ExplorationTurns.shared
    await turns.begin()
    let reported = await run()
    guard let reported, mayExplore(app, after: reported.result) else {
      await turns.end()
      return reported?.result
    }
    let goesFirst = reported.result.hasChangedSinceExploration
    if !goesFirst { await turns.letOthersGoFirst() }
    do throws(RunError) {
      try await explore(reported)
    } catch {
      TestIssue.record("\(error)", at: sourceLocation(.start))
    }
    if goesFirst { await turns.end() }
    return reported.result
  }
}

extension ScenarioResult {
  /// True if the scenario or the outcome of its run has changed since an exploration without a problem.
  var hasChangedSinceExploration: Bool {
    !TestProcess.current.explored.isUnchanged(scenario, outcome: explorationOutcome)
  }
}
