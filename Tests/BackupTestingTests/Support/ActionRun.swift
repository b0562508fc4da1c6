import BackupTesting

@testable import BackupDiagnostics
@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

/// The results of a scenario whose steps perform actions.
struct ActionRun {
  let transcript: Transcript
  let findings: [Scenario.Finding]

  /// Runs steps in the notation of a scenario file. The first step is on line 2, and each step has
  /// its own line.
  init(_ steps: [String], actions: AppActions, head: String = "") async throws {
    let text = "{ title: \"Actions\", \(head) steps: [\n\(steps.joined(separator: ",\n"))\n] }"
    let scenario = try Scenario(text: text)
    transcript = try await ScenarioRunner(actions: actions).run(scenario, scenario.variants[0])
    findings = RuleList.findings(in: transcript)
  }

  /// The message of the failure; nil if the run succeeds.
  var failure: String? { transcript.failure?.message }

  /// The broken rules with the lines of their steps, such as `reapply-on-save:4`.
  var broken: [String] { findings.map { "\($0.rule):\($0.step.position.line)" } }
}
