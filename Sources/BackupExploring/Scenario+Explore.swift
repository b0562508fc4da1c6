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
  /// The system kills the app during a save, relaunches and updates it, purges files, and restores it on a new device.
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
  /// Scenarios that are new, have changed or had a problem the last time are explored first.
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
    guard TestProcess.current.environment[depthVariable] != "off" else {
      return await runReported(app, options: options, by: .test)?.result
    }
    return await explore(app) {
      await runReported(app, options: options, by: .exploringTest)
    } _: { reported throws(RunError) in
      // Scenarios with the most steps of code go first, because they take longest. A run without
      // exploration, with the default urgency of .max, goes before all of them.
      let host = try await host(
        for: app, timeLimit: options.timeLimit, urgency: stepsOfCode.count)
      try await reported.result.scenario.explore(
        app, by: options.runner(host: host), within: bounds, after: reported)
      attachCrash(of: host)
    }
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

  /// Warns that nothing is explored. A test that passes although it explored nothing would be the worst result.
  private func noteNotExplored(
    _ reason: String, of app: (any AppUnderTest.Type)?, advice: String? = nil
  ) {
    guard TestProcess.current.environment[depthVariable] != "off" else { return }
    TestIssue.record(
      "\(id): not explored, because \(reason)\(advice.map { "; \($0)" } ?? "")", isFailure: false,
      at: sourceLocation(.start))
    if let app { ExplorationSummary.current.add(unexplored: self, of: app) }
  }

  /// The losses that `updatesKeep` rules out in any loaded scenario of this app.
  private var dependencesRuledOut: [UpdateDependence.Key] {
    let app = self.app.bundleIdentifier
    return TestProcess.current.usage.keptByUpdates(of: app)
      .map { UpdateDependence.Key(app: app, loss: $0) }
  }

  /// Lets the system act at every point of this scenario, records the problems, and adds them to
  /// the scenario's report.
  func explore(
    _ app: any AppUnderTest.Type, by runner: ScenarioRunner, within bounds: ExplorationBounds,
    after reported: ReportedResult
  ) async throws(RunError) {
    let environment = TestProcess.current.environment
    guard let settings = try bounds.overridden(by: environment) else { return }
    if let token = settings.replayed, token.scenario != id {
      try requireScenario(of: token)
      return noteNotExplored(
        "\(replayVariable) replays a trace of '\(token.scenario)'", of: nil)
    }
    var stage = ExplorationStage(runner)
    stage.hasPassed = true
    var explored = await ExploredScenario.onTerminal(self, settings, on: stage)
    let summary = ExplorationSummary.current
    let dependences = await UpdateDependence.all(
      in: &explored, settings, on: stage,
      without: summary.updateDependences.union(dependencesRuledOut))
    if explored.isExplored, settings.replayed == nil {
      // Nothing else in a test that passes shows how much was explored.
      print(explored.line, terminator: "")
    }
    if settings.replayed == nil {
      summary.add(explored, of: app, hasCheck: runner.mayCheck)
    }
    let place = ExplorationPlace.test(
      adviceOnUnseen: adviceOnUnseenChanges(inProcess: runner.runsAppInProcess))
    let problems = explored.recordIssues(for: place)
    if settings.replayed == nil {
      TestProcess.current.explored.note(
        self, outcome: reported.result.explorationOutcome,
        hasPassed: explored.isExplored && !problems.contains(where: \.isFailure))
    }
    await TestProcess.current.add(explored.record(for: place), problems, to: reported)
    for dependence in summary.add(dependences) { print(dependence.text, terminator: "") }
  }
}

/// The variable with the number of events to inject into a run, or `off` for no exploration.
private let depthVariable = "BACKUP_TESTING_EXPLORE"
/// The variable with the token of the only trace to run, from an issue.
private let replayVariable = "BACKUP_TESTING_REPLAY"

extension Scenario.ExplorationBounds {
  /// Returns the bounds, overridden by the environment variables; nil if `off`.
  fileprivate func overridden(
    by environment: [String: String]
  ) throws(RunError) -> Scenario.ExplorationBounds? {
    var bounds = self
    let (word, token) = (environment[depthVariable] ?? "", environment[replayVariable] ?? "")
    if word == "off" { return nil }
    if !word.isEmpty {
      guard let depth = Int(word), (1...Self.mostEvents).contains(depth) else {
        throw RunError(
          .unknownExploration,
          "\(depthVariable) is '\(word)'; expected off, or a number from 1 to \(Self.mostEvents)")
      }
      bounds.depth = depth
    }
    if !token.isEmpty {
      bounds.replayed = try RunError.naming("\(replayVariable):") { () throws(RunError) in
        try ReplayToken(token)
      }
    }
    return bounds
  }
}

/// Throws if no loaded scenario has the token's id. Without this error, every test would skip exploration and pass.
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

/// Returns advice on steps in which the app was not killed, because the kit did not see all of their changes.
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
  /// Records an issue for each problem, and attaches the traces. Returns the problems; those within `withKnownIssue`
  /// are known.
  fileprivate func recordIssues(for place: ExplorationPlace) -> [Scenario.Problem] {
    var nameCounts: [String: Int] = [:]
    return problems(for: place).enumerated().map { index, problem in
      let isExample = counterexamples.indices.contains(index)
      let text =
        isExample
        ? [problem.message] + problem.details.map { "  \($0)" }
        : ["\(scenario.id): \(problem.message)"] + problem.details
      let fails = TestIssue.show(
        text.joined(separator: "\n"), isFailure: problem.isFailure,
        at: scenario.sourceLocation(of: problem))
      if isExample {
        let example = counterexamples[index]
        let name = String(example.token.map { $0.isLetter || $0.isNumber ? $0 : "-" })
        // Several tokens may give the same file name, so later ones get -2, -3.
        nameCounts[name, default: 0] += 1
        let number = nameCounts[name].flatMap { $0 > 1 ? "-\($0)" : nil } ?? ""
        Attachment.record(example.text, named: "\(name)\(number).json5")
      }
      return problem.isFailure && !fails ? problem.known : problem
    }
  }
}
