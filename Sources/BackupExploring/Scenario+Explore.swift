import BackupContainer
import BackupDiagnostics
import BackupExploration
import BackupExplorationReports
public import BackupScenarios
public import BackupTesting
public import BackupVerdicts
import Testing

extension Scenario {
  /// Runs this scenario, and then lets the system act at every point of it: the app is killed amid
  /// its saves, ended, updated, purged and moved to a new device.
  ///
  /// ```swift
  /// @Test(arguments: try Scenario.all())
  /// func `the app survives at every moment`(_ scenario: Scenario) async {
  ///   await scenario.explore(CinemaApp.self)
  /// }
  /// ```
  ///
  /// What goes wrong becomes an issue at the step at which the system acts, with the smallest trace
  /// that shows it as an attachment: a scenario file to commit. What the scenario expects by `expect`
  /// is not reported. Within the app's own code it is killed on Linux where the
  /// test target depends on the product `FileSystemTap`; elsewhere between its steps only, which a
  /// warning says.
  ///
  /// The environment variable `BACKUP_TESTING_EXPLORE` takes the place of the bounds' `depth`; with `off`
  /// scenarios are run and not explored. `BACKUP_TESTING_REPLAY` with the token of an issue follows
  /// that trace only.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - bounds: How far the exploration goes.
  ///   - options: What the run and the exploration may do and take, and the golden file.
  /// - Returns: What came of the run, for further expectations; nil if it could not be run, which
  ///   is an issue too.
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
      // What takes longest goes first, so that the last to end are short; a mere run waits for
      // none.
      let host = try await host(
        for: app, timeLimit: options.timeLimit, urgency: stepsOfCode.count)
      try await explore(app, by: options.runner(host: host), within: bounds, after: reported)
    } catch {
      TestIssue.record("\(error)", at: sourceLocation(.start))
    }
    return reported.result
  }

  /// Whether what came of a run lets the scenario be explored; if not, that is said.
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

  /// Says that nothing is explored, and why: a green test that explored nothing would be the worst
  /// result.
  private func noteNotExplored(
    _ reason: String, of app: (any AppUnderTest.Type)?, advice: String? = nil
  ) {
    guard TestProcess.current.environment[depthVariable] != "off" else { return }
    TestIssue.record(
      "\(id): not explored, because \(reason)\(advice.map { "; \($0)" } ?? "")", isFailure: false,
      at: sourceLocation(.start))
    if let app { ExplorationSummary.current.note(notExplored: self, of: app) }
  }

  /// Lets the system act at every point of this scenario, records what goes wrong, and adds it to the
  /// scenario's report.
  func explore(
    _ app: any AppUnderTest.Type, by runner: ScenarioRunner, within bounds: ExplorationBounds,
    after reported: ReportedResult
  ) async throws(RunError) {
    let environment = TestProcess.current.environment
    guard let settings = try bounds.changed(by: environment) else { return }
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
      // A test that passes says nothing else of how much was tried.
      print(explored.line, terminator: "")
    }
    if settings.replayed == nil { summary.note(explored, of: app) }
    let place = ExplorationPlace.test(
      adviceOnUnseen: adviceOnUnseenChanges(inProcess: runner.runsAppInProcess))
    let problems = explored.recordIssues(for: place)
    await TestProcess.current.add(explored.record(for: place), problems, to: reported)
    for dependence in summary.note(found) { print(dependence.text, terminator: "") }
  }
}

/// How often the system acts, or that it does not.
private let depthVariable = "BACKUP_TESTING_EXPLORE"
/// The one trace that is run, as an issue names it.
private let replayVariable = "BACKUP_TESTING_REPLAY"

extension Scenario.ExplorationBounds {
  /// The bounds with what the environment says in their place; nil if nothing is explored.
  fileprivate func changed(
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

/// Asks that a token names a scenario which some test may have: else nothing would be explored, and
/// all tests would pass.
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

/// What to do that the app is killed where it was not, since nothing noted all changes.
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
  /// Records an issue for each problem, and attaches the traces; returns the problems as the test takes
  /// them.
  fileprivate func recordIssues(for place: ExplorationPlace) -> [Scenario.Problem] {
    problems(for: place).enumerated().map { index, problem in
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
