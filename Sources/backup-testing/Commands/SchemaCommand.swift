import BackupReports
import BackupScenarios
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
    options: [appFile, .format(formats)]
  ) { arguments in
    try Output.print(try schemaText(arguments))
    return .success
  }

  private static let appFile = Option(
    "--app-file", "print the schema of \(AppFile.name), the classes of the app's files")

  private static let formats = [
    OutputFormat<ScenarioSchema>("json") { $0.text },
    OutputFormat("markdown") { $0.tables.joined(separator: "\n") },
  ]

  static func schemaText(_ arguments: Arguments) throws -> String {
    let format = try arguments.format(of: formats)
    guard !arguments.has(appFile) else {
      guard arguments.value(of: .format(formats)) == nil else {
        throw CommandError("--app-file and --format cannot be combined; use one of them")
      }
      return ScenarioSchema().textOfAppFile
    }
    return try format.text(ScenarioSchema())
  }
}
