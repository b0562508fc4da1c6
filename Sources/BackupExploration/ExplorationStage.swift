import BackupRules
package import BackupScenarios

/// How plans are run: without a disk, or in a container with code of the app's own.
package struct ExplorationStage: Sendable {
  /// What a run of a scenario has shown.
  enum Outcome: Sendable {
    case findings([Scenario.Finding])
    /// It does not come to its end.
    case broken(String)

    var findings: [Scenario.Finding] {
      if case .findings(let findings) = self { findings } else { [] }
    }
  }

  /// What runs app code; nil for simulated steps only.
  private let runner: ScenarioRunner?
  private let limits: Scenario.RunLimits
  /// Whether the scenario has just been run as it is written, and has passed.
  package var hasPassed = false

  /// A stage without a disk.
  ///
  /// - Parameter limits: The most that a run may take of the machine.
  package init(limits: Scenario.RunLimits = Scenario.RunLimits()) {
    self.runner = nil
    self.limits = limits
  }

  /// A stage with code of the app's own; simulated scenarios still need no disk.
  package init(_ runner: ScenarioRunner) {
    self.runner = runner
    self.limits = runner.limits
  }

  /// What runs a scenario in a container; nil if it needs none.
  private func runner(of scenario: Scenario) -> ScenarioRunner? {
    runner.flatMap { $0.runsCode(of: scenario) || scenario.readsFolders ? $0 : nil }
  }

  func run(_ scenario: Scenario, _ variant: Scenario.Variant) throws -> SteppedRun {
    guard let runner = runner(of: scenario) else {
      return try SteppedRun(scenario, variant, limits: limits)
    }
    return try runner.steppedRun(scenario, variant)
  }

  /// What a run of a scenario finds.
  func outcome(of scenario: Scenario, _ variant: Scenario.Variant) async -> Outcome {
    guard let runner = runner(of: scenario) else {
      return await outcomeWithoutDisk(of: scenario, variant)
    }
    do {
      let transcript = try await runner.run(scenario, variant)
      let failed = transcript.failure.map {
        Scenario.Finding.stepFailed(TransitionError(at: $0.step, $0.message))
      }
      return .findings(RuleList.findings(in: transcript) + [failed].compactMap(\.self))
    } catch {
      return .broken("\(error)")
    }
  }

  private func outcomeWithoutDisk(
    of scenario: Scenario, _ variant: Scenario.Variant
  ) async -> Outcome {
    do {
      var run = try SteppedRun(scenario, variant, limits: limits)
      for step in scenario.steps { try await run.perform(step) }
      run.noteEnd()
      return .findings(RuleList.findings(in: run.transcript))
    } catch let error as TransitionError {
      return .broken("\(error.step), \(error.step.summary): \(error.message)")
    } catch {
      return .broken("\(error)")
    }
  }

  /// Why a scenario fails as it is written; nil if it passes, or is known to.
  func failure(of scenario: Scenario, _ variant: Scenario.Variant) async -> String? {
    guard !hasPassed else { return nil }
    switch await outcome(of: scenario, variant) {
    case .broken(let message): return message
    case .findings(let findings):
      return findings.first { $0.severity == .error }.map { "\($0.sentence); do: \($0.advice)" }
    }
  }

  /// Why a scenario cannot be explored here; nil if it can.
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
  fileprivate var readsFolders: Bool { start != nil || steps.contains(where: \.restoresFolder) }
}
