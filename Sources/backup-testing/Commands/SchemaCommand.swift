import BackupRules
import BackupScenarios
import BackupVerdicts

/// `schema`: the keys of scenario files, for editors or for readers.
enum SchemaCommand: Command {
  static let name = "schema"
  static let operands = ""
  static let summary = "Prints the JSON Schema of scenario files, for editors."
  static let discussion = """
    It is what Scenarios/scenario.schema.json of the kit's repository holds: the keys, steps and
    words that this version reads. Name the file with $schema in a scenario, or in the settings of
    your editor. As markdown, the same keys are tables.
    """
  static let options: [Option] = [.format(formats)]

  /// The formats, the usual one first.
  private static let formats = FormatList<ScenarioSchema>(
    OutputFormat("json") { $0.text },
    OutputFormat("markdown") { $0.tables.joined(separator: "\n") })

  static func run(_ arguments: Arguments) async throws(CommandError) -> ExitStatus {
    try Output.print(try text(arguments))
    return .success
  }

  static func text(_ arguments: Arguments) throws(CommandError) -> String {
    try requireOperands(0...0, in: arguments)
    let format = try arguments.format(of: formats)
    return try CommandError.rethrowing { () throws(RunError) in
      try format.write(ScenarioSchema(rules: RuleList.names))
    }
  }
}
