#if os(macOS) || os(Linux)
import BackupVerdicts
import Foundation
import Testing

/// `report` makes a report from results files.
@Suite struct ReportCommandTests {
  /// Creates the results of a run that passes, and of a run in which a scenario fails.
  func workspace() async throws -> Workspace {
    let workspace = try Workspace(scenarios: ["a": Sample.document, "b": Sample.lostMark])
    _ = try await workspace.run("run")
    for (file, id) in [("1.json", "a"), ("2.json", "b")] {
      _ = try await workspace.run(
        "run", "--filter", id, "--format", "json", "--output", file)
    }
    return workspace
  }

  @Test func `the results of several runs are one report`() async throws {
    let workspace = try await workspace()
    let passed = try await workspace.run("report", "1.json")
    #expect(passed.status == 0)
    #expect(passed.output == "1 scenario in 1 run: 1 passed\n")
    let both = try await workspace.run("report", "1.json", "2.json")
    #expect(both.status == 1)
    let runReport = try await workspace.run("run")
    #expect(both.output == runReport.errors + runReport.output)
  }

  @Test(arguments: ["json", "html"])
  func `a report from results equals the run's own report`(format: String) async throws {
    let workspace = try await workspace()
    let runReport = try await workspace.run("run", "--filter", "b", "--format", format)
    let fromResults = try await workspace.run("report", "2.json", "--format", format)
    let times =
      /"?(seconds|started|time|timestamp)"? ?[:=] ?"?[-0-9.:TZe]+"?|[-0-9]{10} [0-9:]{5} UTC/
    #expect(
      fromResults.output.replacing(times, with: "") == runReport.output.replacing(times, with: ""))
  }

  @Test func `results that lack scenarios do not pass`() async throws {
    let workspace = try await workspace()
    let run = try await workspace.run("report", "1.json", "--scenarios", "Scenarios")
    #expect(run.status == 1)
    #expect(
      run.output.contains("1 scenario of Scenarios is not in the results, such as 'b'\n"))
    try workspace.write("{\"format\": 3, \"scenarios\": []}", to: "none.json")
    let withoutScenarios = try await workspace.run("report", "none.json")
    #expect(withoutScenarios.status == 1)
    #expect(
      withoutScenarios.output.contains("no scenario is in the results, so nothing was tested"))
  }

  @Test(
    arguments: [
      ("{", "these are not results of this kit; expected a file that tests write with"),
      ("{\"format\": 2, \"scenarios\": []}", "these are results of format 2, but this version"),
      ("{\"format\": 4, \"scenarios\": 7}", "these are results of format 4, but this version"),
      (
        "{\"format\": 1, \"updateDependences\": []}",
        "this is what 'explore --format json' writes, which 'report' does not read; run 'explore'"
      ),
      ("{\"format\": 3, \"scenarios\": [{\"id\": 1}]}", "these are not results of this kit"),
      ("[]", "these are not results of this kit"),
      (
        "{\"format\": 3, \"leftOut\": 9223372036854775807, \"scenarios\": []}",
        "these are not results of this kit"
      ),
    ])
  func `a file without results is an error`(text: String, message: String) async throws {
    let workspace = try Workspace()
    try workspace.write(text, to: "r.json")
    let run = try await workspace.run("report", "r.json")
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("backup-testing: error: r.json: \(message)"), "\(run.errors)")
    let missing = try await workspace.run("report", "none.json")
    #expect(missing.errors.contains("none.json: the results cannot be read: "))
  }
}
#endif
