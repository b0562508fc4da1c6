import BackupContainer
import BackupDiagnostics
import BackupExploration
import BackupExplorationReports
public import BackupScenarios
public import BackupTesting
public import BackupVerdicts
import Testing

extension Scenario {
  /// Runs this scenario, and then repeats it many times. Each repetition injects a system event at
  /// another point.
  ///
  /// For example, iOS kills the app before a change of a file, launches it again, updates it,
  /// purges files, or restores a backup on a new device.
  ///
  /// ```swift
  /// @Test(arguments: try Scenario.all())
  /// func `the app survives at every moment`(_ scenario: Scenario) async {
  ///   await scenario.explore(CinemaApp.self)
  /// }
  /// ```
  ///
  /// Each problem becomes an issue at the step with the injected event. The kit attaches a scenario
  /// file with the fewest steps that show the problem, so that you can commit it. Exploration does
  /// not report findings that the scenario expects with `expect`.
  ///
  /// Exploration begins with scenarios that are new, that have changed, or that had a problem the
  /// last time.
  ///
  /// On Linux, if the test target depends on the product `FileSystemTap`, exploration kills the app
  /// while its own code runs. Otherwise, exploration kills the app only between steps, and the kit
  /// warns of that.
  ///
  /// Two environment variables change the exploration:
  ///
  /// * `BACKUP_TESTING_EXPLORE` replaces the `depth` of the bounds. With the value `off`, this
  ///   method runs the scenario, but does not explore it.
  /// * `BACKUP_TESTING_REPLAY` contains the token from an issue. This method then repeats only the
  ///   trace that caused the issue.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - bounds: The bounds of the exploration.
  ///   - options: The permissions and limits of the run and the exploration, and the golden file.
  /// - Returns: The result of the first run, for further expectations; nil if the scenario could
  ///   not be run. In that case, the kit has recorded an issue.
  @discardableResult
  public func explore(
    _ app: (some AppUnderTest).Type, bounds: ExplorationBounds = ExplorationBounds(),
    options: RunOptions = RunOptions()
  ) async -> ScenarioResult? {
    guard TestProcess.current.environment[depthVariable] != "off" else {
      return await runReported(app, options: options, by: .test)?.result
    }
    return await explore(app) {
      await runReported(app, options: options, by: .exploringTest)
    } _: { reportedResult throws(RunError) in
      // Scenarios with the most steps of code take longest, so their hosts are the most urgent. A
      // host for a run without exploration has the urgency `.max`, and goes before all of them.
      let host = try await host(
        for: app, timeLimit: options.timeLimit, urgency: stepsRunningCode.count)
      try await reportedResult.result.scenario.explore(
        app, by: options.runner(host: host), within: bounds, after: reportedResult)
      attachCrash(of: host)
    }
  }

  /// Returns true if the scenario may be explored after a run with this result. Otherwise, warns
  /// why it is not explored.
  func mayExplore(_ app: any AppUnderTest.Type, after result: ScenarioResult) -> Bool {
    if result.verdict == .passed || result.verdict == .recorded { return true }
    guard result.verdict != .skipped else {
      warnNotExplored("its run was skipped", of: app)
      return false
    }
    warnNotExplored(
      "its run did not pass", of: app, advice: "fix what the run reports, and test again")
    return false
  }

  /// Warns that the scenario is not explored. Without the warning, the test would pass although it
  /// explored nothing.
  private func warnNotExplored(
    _ reason: String, of app: (any AppUnderTest.Type)?, advice: String? = nil
  ) {
    guard TestProcess.current.environment[depthVariable] != "off" else { return }
    TestIssue.record(
      "\(id): not explored, because \(reason)\(advice.map { "; \($0)" } ?? "")", isFailure: false,
      at: sourceLocation(.start))
    if let app { ExplorationSummary.current.add(unexplored: self, of: app) }
  }

  /// The dependencies that are no problem, because `updatesKeep` in a loaded scenario of this app
  /// says that updates keep the items.
  private var harmlessDependencies: [UpdateLossProblem.Key] {
    let app = self.app.bundleIdentifier
    return TestProcess.current.actionUsage.updatesKeep(of: app)
      .map { UpdateLossProblem.Key(bundleIdentifier: app, loss: $0) }
  }

  /// Explores this scenario, records an issue for each problem, and adds the problems to the
  /// scenario's entry in the report of the tests.
  func explore(
    _ app: any AppUnderTest.Type, by runner: ScenarioRunner, within bounds: ExplorationBounds,
    after reportedResult: ReportedResult
  ) async throws(RunError) {
    let environment = TestProcess.current.environment
    guard let effectiveBounds = try bounds.overridden(by: environment) else { return }
    if let token = effectiveBounds.replayToken, token.scenarioID != id {
      try requireScenario(of: token)
      return warnNotExplored(
        "\(replayVariable) replays a trace of '\(token.scenarioID)'", of: nil)
    }
    var stage = ExplorationStage(runner)
    stage.hasPassedWithoutEvents = true
    var exploration = await ExploredScenario.exploreOnTerminal(self, effectiveBounds, on: stage)
    let summary = ExplorationSummary.current
    let updateDependencies = await UpdateLossProblem.all(
      in: &exploration, effectiveBounds, on: stage,
      skipping: summary.updateDependencyKeys.union(harmlessDependencies))
    if exploration.isExplored, effectiveBounds.replayToken == nil {
      // If the test passes, only this line shows how much was explored.
      print(exploration.summaryLine, terminator: "")
    }
    if effectiveBounds.replayToken == nil {
      summary.add(exploration, of: app, hasCheck: runner.mayHaveCheck)
    }
    let explorationPlace = ExplorationCaller.test(
      adviceOnUnseen: adviceOnUnseenChanges(inTestProcess: runner.runsAppInProcess))
    let problems = exploration.recordIssues(for: explorationPlace)
    if effectiveBounds.replayToken == nil {
      TestProcess.current.explorationMemory.record(
        self, outcome: reportedResult.result.explorationOutcome,
        foundNoProblem: exploration.isExplored && !problems.contains(where: \.isFailure))
    }
    await TestProcess.current.add(
      exploration.record(for: explorationPlace), problems, to: reportedResult)
    for updateDependency in summary.add(updateDependencies) {
      print(updateDependency.text, terminator: "")
    }
  }
}

/// The environment variable with the number of events to inject into a trace, or `off` for no
/// exploration.
private let depthVariable = "BACKUP_TESTING_EXPLORE"
/// The environment variable with a token from an issue, to run only the trace of that issue.
private let replayVariable = "BACKUP_TESTING_REPLAY"

extension Scenario.ExplorationBounds {
  /// Returns the bounds with the changes that the environment variables ask for; nil if they turn
  /// exploration off.
  fileprivate func overridden(
    by environment: [String: String]
  ) throws(RunError) -> Scenario.ExplorationBounds? {
    var bounds = self
    let depthText = environment[depthVariable] ?? ""
    let tokenText = environment[replayVariable] ?? ""
    if depthText == "off" { return nil }
    if !depthText.isEmpty {
      guard let depth = Int(depthText), (1...Self.highestDepth).contains(depth) else {
        throw RunError(
          .unknownExploration,
          "\(depthVariable) is '\(depthText)'; expected off, or a number from 1 to "
            + "\(Self.highestDepth)")
      }
      bounds.depth = depth
    }
    if !tokenText.isEmpty {
      bounds.replayToken = try RunError.addingSubject("\(replayVariable):") { () throws(RunError) in
        try ReplayToken(tokenText)
      }
    }
    return bounds
  }
}

/// Throws if no loaded scenario has the id in the token. Without this error, no test would explore
/// anything, and all tests would pass.
private func requireScenario(of token: ReplayToken) throws(RunError) {
  let loadedIDs = TestProcess.current.actionUsage.scenarioIDs
  guard !loadedIDs.isEmpty, !loadedIDs.union(StandardSuite.ids).contains(token.scenarioID) else {
    return
  }
  throw RunError(
    .unknownExploration,
    "\(replayVariable): unknown scenario '\(token.scenarioID)'; "
      + NearestWord.advice(for: token.scenarioID, in: loadedIDs.sorted()))
}

/// Returns advice on steps in which exploration did not kill the app, because the kit did not see
/// all changes of the step.
func adviceOnUnseenChanges(
  inTestProcess: Bool, library: TapLibrary? = .find(), isSupported: Bool = TapLibrary.isSupported
) -> String {
  if inTestProcess {
    return
      "explore on Linux with the app in its own process: the kit does not record the changes of "
      + "the test's process"
  }
  if library != nil {
    return
      "make the action change its files in the same way each time, with calls that the kit sees "
      + "(the article Exploring has a table of these); all other steps were explored"
  }
  return isSupported
    ? "add the library that records changes to the test target's dependencies: "
      + #".product(name: "FileSystemTap", package: "swift-backup-testing")"#
    : "also explore on Linux, where FileSystemTap records changes"
}

extension ExploredScenario {
  /// Records an issue for each problem, and attaches the smallest traces as scenario files.
  ///
  /// Returns the problems. If Swift Testing treats an issue as known (`withKnownIssue`), its
  /// problem is marked as known.
  fileprivate func recordIssues(for explorationPlace: ExplorationCaller) -> [Scenario.Problem] {
    var nameCounts: [String: Int] = [:]
    return problems(for: explorationPlace).enumerated().map { index, problem in
      // The first problems are those of the counterexamples, in the same order.
      let hasCounterexample = counterexamples.indices.contains(index)
      let lines =
        hasCounterexample
        ? [problem.message] + problem.details.map { "  \($0)" }
        : ["\(scenario.id): \(problem.message)"] + problem.details
      let failsTest = TestIssue.recordWithoutReport(
        lines.joined(separator: "\n"), isFailure: problem.isFailure,
        at: scenario.sourceLocation(of: problem))
      if hasCounterexample {
        let counterexample = counterexamples[index]
        let name = String(counterexample.token.map { $0.isLetter || $0.isNumber ? $0 : "-" })
        // Several tokens may result in the same file name, so later files get -2 or -3.
        nameCounts[name, default: 0] += 1
        let suffix = nameCounts[name].flatMap { $0 > 1 ? "-\($0)" : nil } ?? ""
        Attachment.record(counterexample.text, named: "\(name)\(suffix).json5")
      }
      return problem.isFailure && !failsTest ? problem.asKnownIssue : problem
    }
  }
}
