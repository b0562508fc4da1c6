import BackupDiagnostics
import BackupRules
import BackupScenarios

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
  static let options = [Option("--format", "FORMAT", formats.joined(separator: ", "))]

  /// The formats, the usual one first.
  private static let formats = ["json", "markdown"]

  static func run(_ arguments: Arguments) async throws(CommandError) -> ExitStatus {
    try Output.print(try text(arguments))
    return .success
  }

  /// What is printed.
  static func text(_ arguments: Arguments) throws(CommandError) -> String {
    try arguments.requireOperands(0...0, of: Self.self)
    let schema = ScenarioSchema(rules: RuleList.names)
    let format = arguments.value(of: "--format") ?? formats[0]
    switch format {
    case "json": return schema.text
    case "markdown": return schema.tables.joined(separator: "\n")
    default:
      let advice = NearestWord.advice(for: format, in: formats)
      throw CommandError("--format: there is no format '\(format)'; \(advice)")
    }
  }
}
