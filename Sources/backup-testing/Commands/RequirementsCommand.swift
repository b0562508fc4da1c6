import BackupDiagnostics
import BackupScenarios
import BackupVerdicts
import Foundation

/// `requirements`: what the kit knows of iOS, where it is from, and which scenarios show it.
enum RequirementsCommand: Command {
  static let name = "requirements"
  static let operands = "[FOLDER|FILE…]"
  static let summary = "Prints each requirement with its sources and the scenarios that show it."
  static let discussion = """
    A scenario shows the requirements that it cites. One that expects an error or a warning breaks
    them, any other keeps them. Without a folder, Scenarios is looked at where there is one.

    Your own scenarios need not cite requirements, so what they leave out is no failure unless
    --strict is given; then the status is 1. A citation that the catalogue does not know makes its
    file unusable, for every command: status 2.
    """
  static let options = [
    Option("--format", "FORMAT", RequirementFormat.all.map(\.name).joined(separator: ", ")),
    Option("--strict", nil, "fail where a requirement is not kept, or could be broken and is not"),
  ]

  /// The folder that is looked at when none is named.
  static let usualFolder = "Scenarios"

  static func run(_ arguments: Arguments) async throws(CommandError) -> ExitStatus {
    let outcome = try outcome(arguments)
    try Output.print(outcome.table)
    Output.error(outcome.complaints)
    return outcome.complaints.isEmpty ? .success : .failure
  }

  /// The table, and with `--strict` a line for each thing that no scenario shows.
  static func outcome(
    _ arguments: Arguments
  ) throws(CommandError) -> (table: String, complaints: String) {
    let format = try format(arguments)
    let coverage = RequirementCoverage(of: try scenarios(arguments))
    let gaps = arguments.has("--strict") ? coverage.gaps : []
    let complaints = gaps.map { "backup-testing: error: \($0)\n" }.joined()
    return (format.render(coverage), complaints)
  }

  /// The scenarios that are named, or of the usual folder; none where that is not there.
  static func scenarios(_ arguments: Arguments) throws(CommandError) -> [Scenario] {
    let isNamed = !arguments.operands.isEmpty
    guard isNamed || FileManager.default.fileExists(atPath: usualFolder) else { return [] }
    return try ScenarioSelection(arguments).parts().flatMap(\.scenarios)
  }

  /// The format of `--format`.
  static func format(_ arguments: Arguments) throws(CommandError) -> RequirementFormat {
    let names = RequirementFormat.all.map(\.name)
    let name = arguments.value(of: "--format") ?? names[0]
    guard let format = RequirementFormat.all.first(where: { $0.name == name }) else {
      let advice = NearestWord.advice(for: name, in: names)
      throw CommandError("--format: there is no format '\(name)'; \(advice)")
    }
    return format
  }
}
