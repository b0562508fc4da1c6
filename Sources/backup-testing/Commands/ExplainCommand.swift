import BackupDiagnostics
import BackupReports
import BackupScenarios
import BackupVerdicts

extension Command {
  static let explain = Command(
    name: "explain",
    operands: "ID [PATH]", operandCounts: 1...2,
    summary: "Explains for each backup in a scenario why each item is in it or not.",
    discussion: """
      ID is a scenario's id or file. The scenario is run, but not compared, and nothing is written.
      PATH is a path in the container, such as Documents/notes.db: only that item is explained. A
      scenario that performs the app's own code cannot be explained here.
      """,
    options: [.scenarios, .system, .allowRun, .allowBackups, .limit],
    variables: [.temporaryFolder],
    run: explainScenario)

  private static func explainScenario(_ arguments: Arguments) async throws -> ExitStatus {
    let scenario = try ScenarioFolder.scenario(
      named: arguments.operands[0], in: arguments.value(of: .scenarios))
    let explanation = try await explanation(of: scenario, arguments)
    let path = arguments.operands.dropFirst().first
    try Output.print(try text(explanation, of: path, in: scenario))
    if !explanation.hasBackups, explanation.failures.isEmpty {
      Output.error("note: no backup is taken in this scenario\n")
    }
    let failures = explanation.failures
    Output.error(failures.text(isColored: Output.isErrorColored))
    return failures.isEmpty ? .success : .failure
  }

  private static func explanation(
    of scenario: Scenario, _ arguments: Arguments
  ) async throws -> ScenarioExplanation {
    let systems = try arguments.systems()
    let runner = try arguments.runner(for: scenario)
    return try await ScenarioExplanation(of: scenario, systems: systems, runner: runner)
  }

  private static func text(
    _ explanation: ScenarioExplanation, of path: String?, in scenario: Scenario
  ) throws -> String {
    let headline = "\(scenario.id): \(scenario.title)".asMessage.onOneLine
    guard let path else { return "\(headline)\n\(explanation.text)" }
    return try explanation.text(of: path)
  }
}
