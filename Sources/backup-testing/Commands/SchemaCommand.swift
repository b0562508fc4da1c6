import BackupReports
import BackupVerdicts

extension Command {
  static let schema = Command(
    name: "schema", operandCounts: 0...0,
    summary: "Prints the JSON Schema of scenario files, for editors.",
    discussion: """
      The schema has the keys, steps and words that this version reads, as in the kit's
      Scenarios/scenario.schema.json. Name its file with $schema in a scenario, or in the settings of
      your editor. With --format markdown, the keys are printed as tables.
      """,
    options: [.format(formats)]
  ) { arguments in
    try Output.print(try schemaText(arguments))
    return .success
  }

  private static let formats = [
    OutputFormat<ScenarioSchema>("json") { $0.text },
    OutputFormat("markdown") { $0.tables.joined(separator: "\n") },
  ]

  static func schemaText(_ arguments: Arguments) throws -> String {
    let format = try arguments.format(of: formats)
    return try format.write(ScenarioSchema())
  }
}
