import BackupDiagnostics
import BackupScenarios
import BackupVerdicts
import TestSupport
import Testing

@testable import backup_testing

struct RequirementsCommandTests {
  @Test func `a folder that shows little is fine without --strict`() throws {
    let folder = try makeFolder(["a": "requirements: ['backup.documents'],"])
    let outcome = try outcome(folder.path)
    #expect(outcome.complaints.isEmpty)
    let count = RequirementCatalogue.all.count
    #expect(
      outcome.table.hasSuffix("\(count) requirements, 1 scenario: \(count) not wholly shown\n"))
  }

  @Test func `with --strict each row that is not shown is named`() throws {
    let folder = try makeFolder(["a": "requirements: ['backup.documents'],"])
    let complaints = try outcome(folder.path, "--strict").complaints
    #expect(
      complaints.contains("backup-testing: error: backup.documents: no scenario breaks it\n"))
    #expect(!complaints.contains("backup.documents: no scenario keeps it"))
    #expect(complaints.contains("error: backup.library: no scenario keeps it\n"))
  }

  @Test func `a made-up requirement is told at its place, with the nearest known`() throws {
    let folder = try makeFolder(["b/c": "\n  requirements: ['backup.documnets'],"])
    let error = #expect(throws: CommandError.self) { try outcome(folder.path) }
    let mistake = error?.diagnostics.first?.description
    #expect(mistake?.hasPrefix("\(folder.path)/b/c.json5:2:18: error: ") == true)
    #expect(mistake?.contains("did you mean 'backup.documents'?") == true)
  }

  @Test func `a single file can be named`() async throws {
    let folder = try makeFolder(["a": "", "b": "requirements: ['backup.documents'],"])
    let scenarios = try RequirementsCommand.scenarios(try arguments("\(folder.path)/b.json5"))
    #expect(scenarios.map(\.id) == ["b"])
  }

  @Test func `a folder that is named has to be there`() {
    #expect(throws: CommandError.self) { try outcome("/nowhere/at/all") }
  }

  @Test func `the kit's own scenarios pass with --strict`() throws {
    let folder = Checkout.path(ScenarioPlace.folderName)
    #expect(try outcome(folder, "--strict").complaints.isEmpty)
  }

  @Test(arguments: ["text", "json", "markdown"])
  func `each format can be asked for`(_ name: String) throws {
    #expect(try arguments("--format", name).format(of: RequirementCoverage.formats).name == name)
  }

  @Test func `text is the usual format`() throws {
    #expect(try arguments().format(of: RequirementCoverage.formats).name == "text")
  }

  @Test func `an unknown format is refused with the nearest`() throws {
    let error = #expect(throws: CommandError.self) {
      try arguments("--format", "markdwon").format(of: RequirementCoverage.formats)
    }
    #expect(error?.description.contains("did you mean 'markdown'?") == true)
  }

  @Test func `the help lists the command and says when it fails`() {
    #expect(CommandList.overview.contains("  requirements  "))
    let help = RequirementsCommand.help
    #expect(help.contains("--strict") && help.contains("text, json, markdown"))
  }

  /// What the command writes.
  private func outcome(_ words: String...) throws -> (table: String, complaints: String) {
    try RequirementsCommand.outcome(
      try Arguments(words, options: RequirementsCommand.options))
  }

  /// Arguments of the command.
  private func arguments(_ words: String...) throws -> Arguments {
    try Arguments(words, options: RequirementsCommand.options)
  }

  /// Makes a folder with scenarios, by id what each says besides its title.
  private func makeFolder(_ scenarios: [String: String]) throws -> TestFolder {
    let files = scenarios.map { ("\($0).json5", "{ title: 'x', \($1) steps: [] }") }
    return try TestFolder(Dictionary(uniqueKeysWithValues: files))
  }
}
