import BackupTesting

@testable import BackupDiagnostics
@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

/// What came of a scenario of a few steps with actions.
struct ActionRun {
  let transcript: Transcript
  let findings: [Scenario.Finding]

  /// Runs steps, written as in a scenario file, each on a line of its own from line 2 on.
  init(_ steps: [String], actions: AppActions, head: String = "") async throws {
    let text = "{ title: \"Actions\", \(head) steps: [\n\(steps.joined(separator: ",\n"))\n] }"
    let scenario = try Scenario(text: text)
    transcript = try await ScenarioRunner(actions: actions).run(scenario, scenario.variants[0])
    findings = RuleList.findings(in: transcript)
  }

  /// Why the run broke off; nil where it did not.
  var failure: String? { transcript.failure?.message }

  /// The rules that are broken, with the lines.
  var broken: [String] { findings.map { "\($0.rule):\($0.step.position.line)" } }
}
