import BackupRules
package import BackupScenarios

/// Where stories are told: without a disk as far as they are simulated, else in containers with the
/// app's own code.
package struct StoryStage: Sendable {
  /// What runs the app's own code; nil where only simulated steps are told.
  private let runner: ScenarioRunner?
  /// The most that a story may take of the machine.
  private let limits: Scenario.RunLimits

  /// A stage for simulated steps.
  ///
  /// - Parameter limits: The most that a story may take of the machine.
  package init(limits: Scenario.RunLimits = Scenario.RunLimits()) {
    self.runner = nil
    self.limits = limits
  }

  /// A stage for the app's own code.
  package init(_ runner: ScenarioRunner) {
    self.runner = runner
    self.limits = runner.limits
  }

  /// A run that has yet to begin.
  ///
  /// - Throws: ``RunError`` where there can be none.
  func run(_ scenario: Scenario, _ variant: Scenario.Variant) throws -> StoryRun {
    guard let runner, runner.runsCode(of: scenario) || scenario.readsFolders else {
      return try StoryRun(scenario, variant, limits: limits)
    }
    return try runner.story(scenario, variant)
  }

  /// What is found in a scenario that is run from its begin to its end.
  ///
  /// - Returns: The findings, and what its code has failed by; nil where it cannot be run.
  func findings(in scenario: Scenario, _ variant: Scenario.Variant) async -> [Scenario.Finding]? {
    guard let runner, runner.runsCode(of: scenario) || scenario.readsFolders else {
      return await findingsWithoutDisk(in: scenario, variant)
    }
    guard let transcript = try? await runner.run(scenario, variant) else { return nil }
    let failed = transcript.failure.map { failure in
      Scenario.Finding.stepFailed(StoryEnd(at: failure.step, failure.message))
    }
    return RuleList.findings(in: transcript) + [failed].compactMap(\.self)
  }

  /// What is found in a scenario of simulated steps; nil where one cannot be done.
  private func findingsWithoutDisk(
    in scenario: Scenario, _ variant: Scenario.Variant
  ) async -> [Scenario.Finding]? {
    guard var run = try? StoryRun(scenario, variant, limits: limits) else { return nil }
    for step in scenario.steps {
      do throws(StoryEnd) {
        try await run.perform(step)
      } catch {
        return nil
      }
    }
    run.end()
    return RuleList.findings(in: run.transcript)
  }

  /// Why a scenario cannot be told here; nil where it can.
  func obstacle(to scenario: Scenario) -> String? {
    let unbound =
      runner.map { $0.firstUnboundStep(of: scenario) } ?? scenario.stepsOfCode.first?.reference
    if let unbound {
      return
        "\(unbound) (\(unbound.summary)) is code of the app's own: a test explores it by "
        + "scenario.explore, and the tool explores 'run' steps by --allow-run"
    }
    if runner == nil, scenario.readsFolders {
      return "it begins with, or restores, what a folder holds"
    }
    return nil
  }
}

extension Scenario {
  /// Whether it begins with what a folder holds, or restores that.
  fileprivate var readsFolders: Bool { start != nil || steps.contains(where: \.restoresFolder) }
}
