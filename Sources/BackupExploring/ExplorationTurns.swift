import BackupScenarios
import BackupTesting
import BackupVerdicts

/// The order of the explorations in a test process.
///
/// Some scenarios have not changed since an exploration that found no problem. Such a scenario
/// waits until all changed scenarios that have begun are explored. No scenario is left out.
///
/// The aim is to report problems of changed scenarios early. Explorations that run at the same time
/// share the processors, and end at nearly the same time. Measured with nine scenarios of the
/// sample app on two cores: without an order, the longest exploration ended last, after 60 s. If
/// this exploration goes first, it ends after 40 s, and the others end after 78 s, because one
/// exploration alone does not use all processors.
actor ExplorationTurns {
  static let shared = ExplorationTurns()

  /// The number of scenarios for which unchanged scenarios wait: changed scenarios, and those whose
  /// runs have not ended yet.
  private var awaitedCount = 0
  private var continuations: [CheckedContinuation<Void, Never>] = []

  /// Records that the run of a scenario begins. Runs do not wait for explorations.
  func begin() { awaitedCount += 1 }

  /// Records that a changed scenario has been explored, or that a scenario will not be explored.
  func end() {
    awaitedCount -= 1
    guard awaitedCount == 0 else { return }
    for continuation in continuations { continuation.resume() }
    continuations = []
  }

  /// Records that the run of an unchanged scenario has ended, and waits for the changed scenarios.
  func letOthersGoFirst() async {
    end()
    guard awaitedCount > 0 else { return }
    await withCheckedContinuation { continuations.append($0) }
  }
}

extension Scenario {
  /// Runs this scenario with `run`. If the scenario passes, waits for its turn and explores it with
  /// `explore`. An error becomes an issue.
  func explore(
    _ app: any AppUnderTest.Type, afterRun run: () async -> ReportedResult?,
    _ explore: (ReportedResult) async throws(RunError) -> Void
  ) async -> ScenarioResult? {
    let turns = ExplorationTurns.shared
    await turns.begin()
    let reportedResult = await run()
    guard let reportedResult, mayExplore(app, after: reportedResult.result) else {
      await turns.end()
      return reportedResult?.result
    }
    let goesFirst = reportedResult.result.hasChangedSinceExploration
    if !goesFirst { await turns.letOthersGoFirst() }
    do throws(RunError) {
      try await explore(reportedResult)
    } catch {
      TestIssue.record("\(error)", at: sourceLocation(.start))
    }
    if goesFirst { await turns.end() }
    return reportedResult.result
  }
}

extension ScenarioResult {
  /// True unless the last exploration of the scenario found no problem, and neither the scenario
  /// nor the outcome of its run has changed since then.
  var hasChangedSinceExploration: Bool {
    !TestProcess.current.explorationMemory.isUnchanged(scenario, outcome: explorationOutcome)
  }
}
