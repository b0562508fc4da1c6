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
  static let options: [Option] = [.format(RequirementCoverage.formats), strict]

  /// The flag that makes what is not shown a failure.
  private static let strict = Option(
    "--strict", "fail where a requirement is not kept, or could be broken and is not")

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
    let format = try arguments.format(of: RequirementCoverage.formats)
    let coverage = RequirementCoverage(of: try scenarios(arguments))
    let gaps = arguments.has(strict) ? coverage.gaps : []
    let complaints = gaps.map { "backup-testing: error: \($0)\n" }.joined()
    let table = try CommandError.rethrowing { () throws(RunError) in try format.write(coverage) }
    return (table, complaints)
  }

  /// The scenarios that are named, or of the usual folder; none where that is not there.
  static func scenarios(_ arguments: Arguments) throws(CommandError) -> [Scenario] {
    let isNamed = !arguments.operands.isEmpty
    guard isNamed || FileManager.default.fileExists(atPath: ScenarioPlace.folderName) else {
      return []
    }
    return try ScenarioSelection(arguments).parts().flatMap(\.scenarios)
  }
}
