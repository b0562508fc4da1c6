import BackupContainer
import BackupDiagnostics
import BackupExploration
import BackupExplorationReports
public import BackupScenarios
public import BackupTesting
public import BackupVerdicts
import Testing

extension Scenario {
  /// Runs this scenario, and then repeats it with system events injected at every point.
  ///
  /// The system kills the app amid its saves, ends it, updates it, purges its files and moves it to
  /// a new device.
  ///
  /// ```swift
  /// @Test(arguments: try Scenario.all())
  /// func `the app survives at every moment`(_ scenario: Scenario) async {
  ///   await scenario.explore(CinemaApp.self)
  /// }
  /// ```
  ///
  /// A problem becomes an issue at the step at which the system acts. Attached is the smallest
  /// trace that shows the problem, as a scenario file to commit. Findings that the scenario expects
  /// with `expect` are not reported.
  ///
  /// On Linux, the app is killed within its own code if the test target depends on the product
  /// `FileSystemTap`. Elsewhere it is killed only between its steps, and a warning says so.
  ///
  /// The environment variable `BACKUP_TESTING_EXPLORE` replaces the `depth` of the bounds. With
  /// `off`, scenarios are run and not explored. With the token of an issue in
  /// `BACKUP_TESTING_REPLAY`, only the trace of that issue is run.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - bounds: The bounds of the exploration.
  ///   - options: The permissions and limits of the run and the exploration, and the golden file.
  /// - Returns: The result of the run, for further expectations; nil if the scenario could not be
  ///   run, which is an issue too.
  @discardableResult
  public func explore(
    _ app: (some AppUnderTest).Type, bounds: ExplorationBounds = ExplorationBounds(),
    options: RunOptions = RunOptions()
  ) async -> ScenarioResult? {
    let reported = await runReported(app, options: options)
    guard let reported, mayExplore(app, after: reported.result) else {
      return reported?.result
    }
    do throws(RunError) {
      // The longest explorations go first, so that the last to end are short. A run without
      // exploration waits for none of them.
      let host = try await host(
        for: app, timeLimit: options.timeLimit, urgency: stepsOfCode.count)
      try await explore(app, by: options.runner(host: host), within: bounds, after: reported)
    } catch {
      TestIssue.record("\(error)", at: sourceLocation(.start))
    }
    return reported.result
  }

  /// Returns true if the result of a run allows exploration; otherwise reports why not.
  func mayExplore(_ app: any AppUnderTest.Type, after result: ScenarioResult) -> Bool {
    if result.verdict == .passed || result.verdict == .recorded { return true }
    guard result.verdict != .skipped else {
      noteNotExplored("its run was skipped", of: app)
      return false
    }
    noteNotExplored(
      "its run did not pass", of: app, advice: "fix what the run reports, and test again")
    return false
  }

  /// Warns that nothing is explored, and why: a test that passes although it explored nothing would
  /// be the worst result.
  private func noteNotExplored(
    _ reason: String, of app: (any AppUnderTest.Type)?, advice: String? = nil
  ) {
    guard TestProcess.current.environment[depthVariable] != "off" else { return }
    TestIssue.record(
      "\(id): not explored, because \(reason)\(advice.map { "; \($0)" } ?? "")", isFailure: false,
      at: sourceLocation(.start))
    if let app { ExplorationSummary.current.note(notExplored: self, of: app) }
  }

  /// Lets the system act at every point of this scenario, records the problems, and adds them to
  /// the scenario's report.
  func explore(
    _ app: any AppUnderTest.Type, by runner: ScenarioRunner, within bounds: ExplorationBounds,
    after reported: ReportedResult
  ) async throws(RunError) {
    let environment = TestProcess.current.environment
    guard let depth = try explorationDepth(bounds.depth, in: environment) else { return }
    var settings = bounds
    settings.depth = depth
    settings.replayed = try replayedToken(in: environment)
    if let token = settings.replayed, token.scenario != id {
      try requireScenario(of: token)
      return noteNotExplored(
        "\(replayVariable) replays a trace of '\(token.scenario)'", of: nil)
    }
    var stage = ExplorationStage(runner)
    stage.hasPassed = true
    var explored = await ExploredScenario.onTerminal(self, settings, on: stage)
    let summary = ExplorationSummary.current
    let found = await UpdateDependence.all(
      in: &explored, settings, on: stage, without: summary.updateDependences)
    if explored.isExplored, settings.replayed == nil {
      // This is the only place where a test that passes says how much was tried.
      print(explored.line, terminator: "")
    }
    if settings.replayed == nil { summary.note(explored, of: app) }
    let problems = explored.recordIssues(
      adviceOnUnseenChanges(inProcess: runner.runsAppInProcess))
    await TestProcess.current.add(explored.record(for: .test), problems, to: reported)
    for dependence in summary.note(found) { print(dependence.text, terminator: "") }
  }
}

/// The variable for the number of times that the system acts, or for no exploration.
private let depthVariable = "BACKUP_TESTING_EXPLORE"
/// The variable for the only trace to run, with the token from an issue.
private let replayVariable = "BACKUP_TESTING_REPLAY"

/// Returns the largest number of times that the system acts, from the environment or else from the
/// test; nil if nothing is explored.
private func explorationDepth(
  _ depth: Int, in environment: [String: String]
) throws(RunError) -> Int? {
  guard let word = environment[depthVariable], !word.isEmpty else {
    return min(max(1, depth), Scenario.ExplorationBounds.mostEvents)
  }
  if word == "off" { return nil }
  guard let number = Int(word), (1...Scenario.ExplorationBounds.mostEvents).contains(number) else {
    throw RunError(
      .unknownExploration,
      "\(depthVariable) is '\(word)'; expected off, or a number from 1 to "
        + "\(Scenario.ExplorationBounds.mostEvents)")
  }
  return number
}

/// Throws an error if no test can have the scenario of a token. Otherwise nothing would be
/// explored, and all tests would pass.
private func requireScenario(of token: ReplayToken) throws(RunError) {
  let known = TestProcess.current.usage.scenarioIDs
  guard !known.isEmpty, !known.union(StandardSuite.ids).contains(token.scenario) else {
    return
  }
  throw RunError(
    .unknownExploration,
    "\(replayVariable): unknown scenario '\(token.scenario)'; "
      + NearestWord.advice(for: token.scenario, in: known.sorted()))
}

private func replayedToken(in environment: [String: String]) throws(RunError) -> ReplayToken? {
  guard let text = environment[replayVariable], !text.isEmpty else { return nil }
  return try RunError.naming("\(replayVariable):") { () throws(RunError) in try ReplayToken(text) }
}

/// Returns advice for changes of the app that were not recorded, so that the app was not killed at
/// them.
func adviceOnUnseenChanges(
  inProcess: Bool, library: TapLibrary? = .find(), isSupported: Bool = TapLibrary.isSupported
) -> String {
  if inProcess {
    return
      "explore on Linux with the app in its own process: the kit does not record the changes of "
      + "the test's process"
  }
  if library != nil {
    return
      "make the action change its files in the same way each time, with calls that the kit sees "
      + "(“seen” and “not seen” in the article Exploring); all other steps were explored"
  }
  return isSupported
    ? "add the library that records changes to the test target's dependencies: "
      + #".product(name: "FileSystemTap", package: "swift-backup-testing")"#
    : "also explore on Linux, where FileSystemTap records changes"
}

extension ExploredScenario {
  /// Returns the problems, with advice if the exploration is incomplete.
  private func problems(advice onUnseen: String) -> [Scenario.Problem] {
    var problems = problems(for: .test)
    let advice =
      if !counts.unseenSteps.isEmpty {
        onUnseen
      } else if !counts.unlikeSteps.isEmpty {
        "make the action change its files in the same order each time, for example sorted by name"
      } else {
        ""
      }
    if complaint != nil, !advice.isEmpty {
      problems[problems.count - 1].details.append("do: \(advice)")
    }
    return problems
  }

  /// Records an issue for each problem, and attaches the traces.
  ///
  /// - Returns: The problems. A problem that Swift Testing takes for a known issue does not fail
  ///   the test, and is returned as known.
  fileprivate func recordIssues(_ adviceOnUnseen: String) -> [Scenario.Problem] {
    problems(advice: adviceOnUnseen).enumerated().map { index, problem in
      let isExample = counterexamples.indices.contains(index)
      let text =
        isExample
        ? [problem.message] + problem.details.map { "  \($0)" }
        : ["\(scenario.id): \(problem.message)"] + problem.details
      let fails = TestIssue.show(
        text.joined(separator: "\n"), isFailure: problem.isFailure,
        at: scenario.sourceLocation(problem.position))
      if isExample {
        let example = counterexamples[index]
        let name = String(example.token.map { $0.isLetter || $0.isNumber ? $0 : "-" })
        Attachment.record(example.text, named: "\(name).json5")
      }
      return problem.isFailure && !fails ? problem.known : problem
    }
  }
}
