import BackupDiagnostics
import BackupScenarios
import BackupVerdicts

/// `explain`: says why each item is in each backup or not.
enum ExplainCommand: Command {
  static let name = "explain"
  static let operands = "ID [PATH]"
  static let summary = "Says of each backup in a scenario why each item is in it or not."
  static let discussion = """
    The scenario is run, and named by its id or file. With a path in the container, such as
    Documents/notes.db, only that item is explained. Nothing is compared or written.
    """
  static let options = [
    ScenarioPlace.folderOption,
    Option("--system", "VERSION", "run under this version of iOS only; may be repeated"),
    RunCommand.allowRun,
  ]

  static func run(_ arguments: Arguments) async throws(CommandError) -> ExitStatus {
    try arguments.requireOperands(1...2, of: self)
    let scenario = try ScenarioPlace.scenario(
      named: arguments.operands[0], in: arguments.value(of: ScenarioPlace.folderOption.name))
    let explanation = try await explanation(of: scenario, arguments)
    let path = arguments.operands.dropFirst().first
    try Output.print(try text(explanation, of: path, in: scenario))
    if !explanation.hasBackups, explanation.failures.isEmpty {
      Output.error("note: no backup is taken in this scenario\n")
    }
    let failures = explanation.failures
    Output.error(TextReport.text(of: failures, isColored: Output.isErrorColored))
    return failures.isEmpty ? .success : .failure
  }

  /// Runs a scenario as the options say.
  private static func explanation(
    of scenario: Scenario, _ arguments: Arguments
  ) async throws(CommandError) -> ScenarioExplanation {
    let systems = try arguments.systems()
    do throws(RunError) {
      var runner = ScenarioRunner()
      runner.allowsProcesses = arguments.has(RunCommand.allowRun.name)
      return try await ScenarioExplanation(of: scenario, systems: systems, runner: runner)
    } catch {
      throw CommandError(error.description)
    }
  }

  /// What is said of one item, or of all.
  private static func text(
    _ explanation: ScenarioExplanation, of path: String?, in scenario: Scenario
  ) throws(CommandError) -> String {
    let headline = "\(scenario.id): \(scenario.title)".onOneLine
    guard let path else { return "\(headline)\n\(explanation.text)" }
    do throws(RunError) {
      return try explanation.text(of: path)
    } catch {
      throw CommandError(error.description)
    }
  }
}
