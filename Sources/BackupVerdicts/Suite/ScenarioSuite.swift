public import BackupDevice
import BackupRules
public import BackupScenarios

/// Runs scenarios, judges them, and compares them with their golden files.
public struct ScenarioSuite: Sendable {
  /// The golden files; nil where nothing is compared.
  public var goldens: GoldenStore?
  /// When golden files are written.
  public var recordMode: RecordMode
  /// Whether unexpected warnings and advice fail a scenario too.
  public var isStrict = false
  /// The systems to run under; nil for all that each scenario names.
  public var systems: Set<SystemVersion>?
  /// Whether marked items are backed up anyway, whatever the scenarios say.
  public var ignoresGuidance = false
  /// What runs the scenarios.
  public var runner: ScenarioRunner
  /// What the runs are checked for; tests put wrong rules in their place.
  var rules = RuleList.all

  /// A suite with golden files in a folder, or none.
  ///
  /// - Parameters:
  ///   - goldens: The golden files, or nil to compare nothing.
  ///   - recordMode: When golden files are written.
  ///   - runner: What runs the scenarios, with the app's own code.
  public init(
    goldens: GoldenStore?, recordMode: RecordMode, runner: ScenarioRunner = ScenarioRunner()
  ) {
    self.goldens = goldens
    self.recordMode = recordMode
    self.runner = runner
  }

  /// Runs scenarios, several at once.
  ///
  /// - Parameter scenarios: The scenarios, whose ids name their golden files.
  /// - Returns: The results, in the order of the scenarios; those that no system is left of are out.
  public func run(_ scenarios: [Scenario]) async -> [ScenarioResult] {
    await withTaskGroup(of: (Int, ScenarioResult?).self) { group in
      for (index, scenario) in scenarios.enumerated() {
        group.addTask { (index, await run(scenario)) }
      }
      var results: [ScenarioResult?] = Array(repeating: nil, count: scenarios.count)
      for await (index, result) in group { results[index] = result }
      return results.compactMap(\.self)
    }
  }

  /// Runs one scenario.
  ///
  /// - Parameter scenario: The scenario, run under each of its variants that ``systems`` leaves.
  /// - Returns: What came of it; nil where none of its systems is to be run.
  public func run(_ scenario: Scenario) async -> ScenarioResult? {
    let variants = scenario.variants.filter { systems?.contains($0.system) != false }
    guard !variants.isEmpty else { return nil }
    var runs: [RunResult] = []
    for variant in variants { runs.append(await run(scenario, variant)) }
    let former = Result { () throws(RunError) in try goldens?.text(of: scenario.id) }
    return ScenarioResult(
      scenario: scenario, runs: runs, golden: compare(scenario, runs, with: former),
      expectedGolden: try? former.get(), isStrict: isStrict)
  }

  /// Runs one scenario under one system and backup kind.
  private func run(_ scenario: Scenario, _ variant: Variant) async -> RunResult {
    do throws(RunError) {
      let guidance = ignoresGuidance ? .ignored : scenario.guidance
      let transcript = try await runner.run(scenario, variant, guidance: guidance)
      let findings = RuleList.findings(in: transcript, by: rules)
      return RunResult(transcript, findings: findings)
    } catch {
      return RunResult(variant, error: error)
    }
  }
}
