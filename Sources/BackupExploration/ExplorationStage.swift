package import BackupRules
package import BackupScenarios

/// The settings with which exploration runs scenarios.
///
/// With a runner, a scenario can run the app's own code in a container on disk. Without a
/// runner, the kit simulates all steps, which needs no disk.
package struct ExplorationStage: Sendable {
  /// The runner of the app's own code; nil if all steps are simulated.
  private(set) var runner: ScenarioRunner?
  package var simulators = Simulators.standard { didSet { runner?.simulators = simulators } }
  let limits: Scenario.RunLimits
  /// True if the scenario has just passed without injected events, so that it need not run again.
  package var hasPassedWithoutEvents = false
  /// The number of bytes by which the memory of the process may grow during a search.
  package var memoryGrowthLimit = 2_000_000_000
  package var reportProgress: @Sendable (Scenario, ExplorationCounts) -> Void = { _, _ in }

  package init(_ runner: ScenarioRunner? = nil, limits: Scenario.RunLimits? = nil) {
    self.runner = runner
    self.limits = limits ?? runner?.limits ?? Scenario.RunLimits()
  }

  /// Returns the runner if a scenario needs a container on disk, and otherwise nil.
  private func directoryRunner(for scenario: Scenario) -> ScenarioRunner? {
    runner.flatMap { $0.runsCode(of: scenario) || scenario.readsFolders ? $0 : nil }
  }

  private var simulatingRunner: ScenarioRunner {
    var runner = ScenarioRunner()
    (runner.simulators, runner.limits) = (simulators, limits)
    return runner
  }

  func beginRun(_ scenario: Scenario, _ variant: Scenario.Variant) throws -> ScenarioRun {
    try directoryRunner(for: scenario)?.beginRunInDirectory(scenario, variant)
      ?? ScenarioRun(simulating: scenario, variant, by: simulatingRunner)
  }

  /// Returns the findings of a run of a scenario. In a directory, the failure of a step is one of
  /// them.
  ///
  /// Throws the failure of a simulated step, of a step without the change to interrupt, and of the
  /// machine.
  package func findings(
    of scenario: Scenario, _ variant: Scenario.Variant
  ) async throws -> [Scenario.Finding] {
    let (findings, failure) = try await findingsAndFailure(of: scenario, variant)
    if let failure { throw failure }
    return findings
  }

  /// Returns the findings of a run of a scenario, as ``findings(of:_:)`` does, but the failure of a
  /// simulated step is one of them too.
  func findingsWithFailure(
    of scenario: Scenario, _ variant: Scenario.Variant
  ) async throws -> [Scenario.Finding] {
    let (findings, failure) = try await findingsAndFailure(of: scenario, variant)
    guard let failure else { return findings }
    guard failure.outcome.failedExecution == .simulated else { throw failure }
    return findings + [.stepFailed(failure)]
  }

  /// Returns the findings on the user's data that a scenario with injected events loses, and that
  /// the same scenario without these events keeps.
  ///
  /// `lastEventStep` is the number of the step after which the last event is over. Throws if one of
  /// the two runs does not reach its end.
  func losses(
    in scenario: Scenario, until lastEventStep: Int, comparedWith scenarioWithoutEvents: Scenario,
    _ variant: Scenario.Variant
  ) async throws -> [Scenario.Finding] {
    let (transcript, failure) = try await transcript(of: scenario, variant)
    if let failure { throw failure }
    let (transcriptWithoutEvents, failureWithoutEvents) = try await self.transcript(
      of: scenarioWithoutEvents, variant)
    if let failureWithoutEvents { throw failureWithoutEvents }
    return RuleList.losses(
      in: transcript, until: lastEventStep, comparedWith: transcriptWithoutEvents)
  }

  /// Runs a scenario. Returns its transcript, and the failure that ended the run early.
  func transcript(
    of scenario: Scenario, _ variant: Scenario.Variant
  ) async throws -> (Transcript, Transcript.Failure?) {
    if let runner = directoryRunner(for: scenario) {
      let transcript = try await runner.run(scenario, variant)
      return (transcript, transcript.failure)
    }
    var run = try beginRun(scenario, variant)
    do throws(Transcript.Failure) {
      for step in scenario.steps { try await run.perform(step) }
    } catch {
      return (run.transcriptWithShimModules, error)
    }
    try await run.performFinalChecks()
    return (run.transcriptWithShimModules, nil)
  }

  /// Returns the findings of a run of a scenario, and the failure of a simulated run. In a
  /// directory, the failure is one of the findings, or is thrown if the app did not cause it.
  private func findingsAndFailure(
    of scenario: Scenario, _ variant: Scenario.Variant
  ) async throws -> ([Scenario.Finding], Transcript.Failure?) {
    let (transcript, failure) = try await transcript(of: scenario, variant)
    let findings = RuleList.findings(in: transcript)
    guard directoryRunner(for: scenario) != nil else { return (findings, failure) }
    guard let failure else { return (findings, nil) }
    switch failure.outcome {
    case .noChangeToInterrupt, .machineFault: throw failure
    default: return (findings + [.stepFailed(failure)], nil)
    }
  }

  /// Runs a scenario without injected events, and returns the reason why it fails; nil if it
  /// passes, or if ``hasPassedWithoutEvents`` is true.
  func failureReason(of scenario: Scenario, _ variant: Scenario.Variant) async -> String? {
    guard !hasPassedWithoutEvents else { return nil }
    do {
      let findings = try await findings(of: scenario, variant)
      if let unbrokenRule = scenario.expectedRuleNotBroken(by: findings, in: variant) {
        return "expected the finding \(unbrokenRule), but it did not occur; correct 'expect'"
      }
      let finding = findings.first { $0.severity == .error && !scenario.expects($0, in: variant) }
      // The advice on a failed step does not apply here, because it is about injected events.
      return finding.map { $0.isStepFailure ? $0.sentence : "\($0.sentence); do: \($0.advice)" }
    } catch {
      return "\(error)"
    }
  }

  /// Returns the reason why a scenario cannot be explored; nil if it can be.
  func obstacle(to scenario: Scenario) -> String? {
    guard scenario.exploration.injectsEvents else {
      return "its 'explore' excludes it: "
        + "\(scenario.exploration.reason)"
    }
    let step =
      runner.map { $0.firstUnboundStep(of: scenario) } ?? scenario.stepsRunningCode.first?.reference
    if let step {
      return
        "\(step) (\(step.summary)) runs the app's own code: explore it in a test with "
        + "scenario.explore, or with --allow-run if it is a 'run' step"
    }
    return runner == nil && scenario.readsFolders
      ? "it reads a container or a backup on disk, which needs permission: if you trust the "
        + "file, add --allow-backups" : nil
  }
}
