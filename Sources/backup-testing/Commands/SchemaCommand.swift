import BackupRules
import BackupScenarios
import BackupVerdicts

extension Command {
  static let schema = Command(
    name: "schema", operandCounts: 0...0,
    summary: "Prints the JSON Schema of scenario files, for editors.",
    discussion: """
      It is what Scenarios/scenario.schema.json of the kit's repository holds: the keys, steps and
      words that this version reads. Name the file with $schema in a scenario, or in the settings of
      your editor. As markdown, the same keys are tables.
      """,
    options: [.format(formats)],
    run: printSchema)

  private static let formats = [
    OutputFormat<ScenarioSchema>("json") { $0.text },
    OutputFormat("markdown") { $0.tables.joined(separator: "\n") },
  ]

  private static func printSchema(_ arguments: Arguments) async throws(CommandError) -> ExitStatus {
    try Output.print(try schemaText(arguments))
    return .success
  }

  static func schemaText(_ arguments: Arguments) throws(CommandError) -> String {
    let format = try arguments.format(of: formats)
    return try CommandError.rethrowing { () throws(RunError) in
      try format.write(ScenarioSchema(rules: RuleList.names))
    }
  }
}
