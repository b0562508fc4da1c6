package import BackupDevice
import BackupDiagnostics
import BackupRules
package import BackupScenarios
import Foundation

/// Runs scenarios, judges them, and compares them with their golden files.
package struct ScenarioSuite: Sendable {
  /// The golden files; nil where nothing is compared.
  package var goldens: GoldenStore?
  /// When golden files are written.
  var recordMode: RecordMode
  /// Whether unexpected warnings and advice fail a scenario too.
  package var isStrict = false
  /// Whether the suite runs in a test, where there is no command to give an option to, and an action
  /// without code fails a scenario: no test passes without running.
  package var isInTest = false
  /// The systems to run under; nil for all that each scenario names.
  package var systems: Set<SystemVersion>?
  /// Whether marked items are backed up anyway, whatever the scenarios say.
  package var ignoresGuidance = false
  package var runner: ScenarioRunner
  /// How many scenarios run at once, each in containers of its own: one for each processor, since
  /// more would only take memory and open files.
  var width = max(1, ProcessInfo.processInfo.activeProcessorCount)
  /// What the runs are checked for; tests put wrong rules in their place.
  var rules = RuleList.all
  /// What the rules find in a run; tests put something else in its place.
  var judge: @Sendable (Transcript, [any Rule]) -> [Scenario.Finding] = { transcript, rules in
    RuleList.findings(in: transcript, by: rules)
  }

  /// A suite with golden files in a folder, or none.
  package init(
    goldens: GoldenStore?, recordMode: RecordMode, runner: ScenarioRunner = ScenarioRunner()
  ) {
    self.goldens = goldens
    self.recordMode = recordMode
    self.runner = runner
  }

  /// Runs scenarios, as many at once as there are processors. Those that no system is left of are
  /// out, and those that were not begun when the task was cancelled.
  package func run(_ scenarios: [Scenario]) async -> [ScenarioResult] {
    await withTaskGroup(of: (index: Int, result: ScenarioResult?).self) { group in
      var results: [ScenarioResult?] = Array(repeating: nil, count: scenarios.count)
      for (index, scenario) in scenarios.enumerated() {
        if index >= width, let done = await group.next() { results[done.index] = done.result }
        guard !Task.isCancelled else { break }
        group.addTask { (index, await run(scenario)) }
      }
      for await done in group { results[done.index] = done.result }
      return results.compactMap(\.self)
    }
  }

  /// Runs one scenario under each variant that ``systems`` leaves, and compares it with its golden
  /// file; nil if no variant is left.
  package func run(_ scenario: Scenario) async -> ScenarioResult? {
    let variants = scenario.variants.filter { systems?.contains($0.system) != false }
    guard !variants.isEmpty else { return nil }
    if !isInTest, let step = runner.firstUnboundStep(of: scenario) {
      return ScenarioResult(skipping: scenario, at: step, isStrict: isStrict)
    }
    var runs = await run(scenario, under: variants)
    let former = Result { () throws(RunError) in try goldens?.text(of: scenario.id) }
    var golden = compare(scenario, runs, with: former)
    // What is recorded of the app's own code is no example if it is another the next time.
    if case .recorded(let path, let difference, _) = golden, runner.runsCode(of: scenario) {
      let again = await run(scenario, under: variants)
      if again.contains(where: \.hasBrokenOff) {
        runs = again
      } else {
        let texts = [runs, again].map { scenario.goldenText(of: $0.compactMap(\.transcript)) }
        golden = .recorded(
          path: path, difference, again: LineDifference(golden: texts[0], actual: texts[1]))
      }
    }
    return ScenarioResult(
      scenario: scenario, runs: runs, golden: golden, expectedGolden: try? former.get(),
      isStrict: isStrict, isInTest: isInTest)
  }

  /// Runs one scenario under several systems and backup kinds, one after the other.
  private func run(
    _ scenario: Scenario, under variants: [Scenario.Variant]
  ) async -> [ScenarioResult.Run] {
    var runs: [ScenarioResult.Run] = []
    for variant in variants { runs.append(await run(scenario, variant)) }
    return runs
  }

  /// Runs one scenario under one system and backup kind.
  private func run(_ scenario: Scenario, _ variant: Scenario.Variant) async -> ScenarioResult.Run {
    do throws(RunError) {
      let guidance = ignoresGuidance ? .ignored : scenario.guidance
      let transcript = try await runner.run(scenario, variant, guidance: guidance)
      let findings = judge(transcript, rules)
      return ScenarioResult.Run(transcript, findings: findings)
    } catch {
      return ScenarioResult.Run(variant, error: error)
    }
  }
}
