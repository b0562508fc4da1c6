package import BackupRules
package import BackupScenarios

/// The environment in which plans run: without a disk, or in a container with the app's own code.
package struct ExplorationStage: Sendable {
  /// The runner of the app's own code; nil for simulated steps only.
  private(set) var runner: ScenarioRunner?
  package var simulators = Simulators.standard { didSet { runner?.simulators = simulators } }
  let limits: Scenario.RunLimits
  /// True if the scenario has just passed without injected events.
  package var hasPassed = false
  /// The most bytes by which the memory of the process may grow during a search.
  package var mostMemory = 2_000_000_000
  package var progress: @Sendable (Scenario, ExplorationCounts) -> Void = { _, _ in }

  /// Creates a stage with the app's own code, or without a disk. Simulated scenarios need no disk.
  package init(_ runner: ScenarioRunner? = nil, limits: Scenario.RunLimits? = nil) {
    self.runner = runner
    self.limits = limits ?? runner?.limits ?? Scenario.RunLimits()
  }

  /// Returns the runner for a scenario that needs a container; nil for any other scenario.
  private func runner(of scenario: Scenario) -> ScenarioRunner? {
    runner.flatMap { $0.runsCode(of: scenario) || scenario.readsFolders ? $0 : nil }
  }

  private var simulatingRunner: ScenarioRunner {
    var runner = ScenarioRunner()
    (runner.simulators, runner.limits) = (simulators, limits)
    return runner
  }

  func run(_ scenario: Scenario, _ variant: Scenario.Variant) throws -> ScenarioRun {
    try runner(of: scenario)?.runInDirectory(scenario, variant)
      ?? ScenarioRun(simulating: scenario, variant, by: simulatingRunner)
  }

  /// Returns the findings of a run. Throws if the run does not come to its end.
  package func findings(
    of scenario: Scenario, _ variant: Scenario.Variant
  ) async throws -> [Scenario.Finding] {
    let (findings, failure) = try await findingsAndFailure(of: scenario, variant)
    if let failure { throw failure }
    return findings
  }

  /// Returns the findings of a run, including the failure of a simulated step.
  func findingsWithFailure(
    of scenario: Scenario, _ variant: Scenario.Variant
  ) async throws -> [Scenario.Finding] {
    let (findings, failure) = try await findingsAndFailure(of: scenario, variant)
    guard let failure else { return findings }
    guard failure.outcome.failedAct == .simulated else { throw failure }
    return findings + [.stepFailed(failure)]
  }

  /// Returns the findings on the user's files that a scenario loses, and that the undisturbed scenario keeps. The last
  /// event is over after the step with `number`. Throws if a run does not come to its end.
  func losses(
    in scenario: Scenario, until number: Int, comparedWith undisturbed: Scenario,
    _ variant: Scenario.Variant
  ) async throws -> [Scenario.Finding] {
    let (disturbed, failure) = try await transcript(of: scenario, variant)
    if let failure { throw failure }
    let (other, otherFailure) = try await transcript(of: undisturbed, variant)
    if let otherFailure { throw otherFailure }
    return RuleList.losses(in: disturbed, until: number, comparedWith: other)
  }

  func transcript(
    of scenario: Scenario, _ variant: Scenario.Variant
  ) async throws -> (Transcript, Transcript.Failure?) {
    if let runner = runner(of: scenario) {
      let transcript = try await runner.run(scenario, variant)
      return (transcript, transcript.failure)
    }
    var run = try run(scenario, variant)
    do throws(Transcript.Failure) {
      for step in scenario.steps { try await run.perform(step) }
    } catch {
      return (run.transcriptWithShimModules, error)
    }
    try await run.performFinalChecks()
    return (run.transcriptWithShimModules, nil)
  }

  private func findingsAndFailure(
    of scenario: Scenario, _ variant: Scenario.Variant
  ) async throws -> ([Scenario.Finding], Transcript.Failure?) {
    let (transcript, failure) = try await transcript(of: scenario, variant)
    let findings = RuleList.findings(in: transcript)
    guard runner(of: scenario) != nil else { return (findings, failure) }
    guard let failure else { return (findings, nil) }
    switch failure.outcome {
    case .changeNeverCame, .machineFault: throw failure
    default: return (findings + [.stepFailed(failure)], nil)
    }
  }

  /// Returns the reason why a scenario fails without injected events; nil if it passes.
  func failure(of scenario: Scenario, _ variant: Scenario.Variant) async -> String? {
    guard !hasPassed else { return nil }
    do {
      let findings = try await findings(of: scenario, variant)
      if let rule = scenario.ruleNotBroken(by: findings, in: variant) {
        return "expected the finding \(rule), but it did not occur; correct 'expect'"
      }
      let worst = findings.first { $0.severity == .error && !scenario.expects($0, in: variant) }
      // The advice on a failed step is about injected events, and there are none.
      return worst.map { $0.isStepFailure ? $0.sentence : "\($0.sentence); do: \($0.advice)" }
    } catch {
      return "\(error)"
    }
  }

  /// Returns the reason why a scenario is not explored; nil if it is.
  func obstacle(to scenario: Scenario) -> String? {
    guard scenario.exploration.isWanted else {
      return "its 'explore' excludes it: "
        + "\(scenario.exploration.reason)"
    }
    let unbound =
      runner.map { $0.firstUnboundStep(of: scenario) } ?? scenario.stepsOfCode.first?.reference
    if let unbound {
      return
        "\(unbound) (\(unbound.summary)) runs the app's own code: explore it in a test with "
        + "scenario.explore, or with --allow-run if it is a 'run' step"
    }
    return runner == nil && scenario.readsFolders
      ? "it reads a container or a backup on disk, which needs permission: if you trust the "
        + "file, add --allow-backups" : nil
  }
}
