import BackupScenarios

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
    let systems = try arguments.systems()
    do throws(RunError) {
      var runner = ScenarioRunner()
      runner.allowsProcesses = arguments.has(RunCommand.allowRun.name)
      let explanation = try await ScenarioExplanation(
        of: scenario, systems: systems, runner: runner)
      let path = arguments.operands.dropFirst().first
      let text = try path.map { path throws(RunError) in try explanation.text(of: path) }
      let headline = "\(scenario.id): \(scenario.title)".onOneLine
      Output.print(text ?? "\(headline)\n\(explanation.text)")
      let failures = explanation.failures
      if !explanation.hasBackups, failures.isEmpty {
        Output.error("note: no backup is taken in this scenario\n")
      }
      Output.error(TextReport.text(of: failures, isColored: Output.isErrorColored))
      return failures.isEmpty ? .success : .failure
    } catch {
      throw CommandError(error.description)
    }
  }
}
