#if os(macOS) || os(Linux)
import BackupVerdicts
import Foundation
import Testing

extension ReportCommandTests {
  @Test func `a skipped scenario that fails is in SARIF`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.performing])
    let run = try await workspace.run("run", "--strict", "--format", "sarif")
    #expect(run.output.contains("\"ruleId\" : \"skipped\""))
  }

  @Test func `the report does not quote files that are not scenarios`() async throws {
    let workspace = try await workspace()
    try workspace.write("secret\n", to: "secret.txt")
    let text = try workspace.text(of: "2.json")
    try workspace.write(
      text.replacing("Scenarios/b.json5", with: "secret.txt")
        .replacing("\"line\" : 6", with: "\"line\" : 1"), to: "3.json")
    let run = try await workspace.run("report", "3.json")
    #expect(run.output.contains("secret.txt:1:"))
    #expect(!run.output.contains("| secret"))
  }

  @Test func `results that are named twice are an error`() async throws {
    let run = try await workspace().run("report", "1.json", "1.json")
    #expect(run.status == 2)
    #expect(run.errors.contains("1.json: these results are named twice; name them once"))
  }

  @Test func `if the report goes to a file, the summary is printed`() async throws {
    let run = try await workspace().run(
      "report", "2.json", "--format", "html", "--output", "p.html")
    #expect(run.output == "1 scenario in 1 run: 0 passed, 1 failed\nfailed: b\n")
    #expect(run.errors.isEmpty)
  }

  @Test func `golden files without a scenario are reported if the folder is named`() async throws {
    let workspace = try await workspace()
    try workspace.write("# golden 2: gone\n", to: "Golden/gone.golden")
    let run = try await workspace.run("report", "1.json", "--scenarios", "Scenarios")
    #expect(run.output.contains("Golden/gone.golden:1:1: warning: no scenario has this golden"))
  }

  @Test func `the job summary on GitHub gets the failures in Markdown`() async throws {
    let workspace = try await workspace()
    try workspace.write("before\n", to: "summary.md")
    let run = try await workspace.run(
      "report", "2.json", "--format", "github", environment: ["GITHUB_STEP_SUMMARY": "summary.md"])
    #expect(run.output.hasPrefix("::error file=Scenarios/b.json5,line=6,"))
    let text = try workspace.text(of: "summary.md")
    #expect(text.hasPrefix("before\n## 1 of 1 scenario failed, for 1 cause.\n"))
    #expect(text.contains("* **reapply-on-save: save 'Library/\\*.db'** in 1 scenario\n"))
  }

  @Test func `GitHub gets ten annotations of a kind, starting with one for each cause`()
    async throws
  {
    var scenarios: [String: String] = [:]
    for number in 10..<30 { scenarios["m\(number)"] = Sample.lostMark }
    scenarios["z"] = Sample.failingStepOnError
    let workspace = try Workspace(scenarios: scenarios)
    let run = try await workspace.run("run", "--format", "github")
    let errors = run.output.split(separator: "\n").filter { $0.hasPrefix("::error ") }
    #expect(errors.count == 10)
    #expect(errors[1].contains("file=Scenarios/z.json5"), "\(errors[1])")
    #expect(run.output.contains("\nScenarios/m29.json5:6:5: error: reapply-on-save: "))
    #expect(run.output.contains("\n    in 20 scenarios: m10, m11, m12 and 17 more\n"))
  }

  @Test func `SARIF names the app's code as a related location`() async throws {
    let workspace = try await workspace()
    let place =
      #"{"function":"A.save()","file":"Sources/A b.swift","line":3,"isAsynchronous":false}"#
    let text = try workspace.text(of: "2.json")
    try workspace.write(
      text.replacing("\"details\" :", with: "\"code\" : [\(place)], \"details\" :"), to: "3.json")
    let run = try await workspace.run("report", "3.json", "--format", "sarif")
    #expect(run.output.contains("\"relatedLocations\" : ["))
    #expect(run.output.contains("\"uri\" : \"Sources/A%20b.swift\""))
    #expect(run.output.contains("\"text\" : \"A.save()\""))
  }

  @Test func `SARIF names the rule, the place and what to do`() async throws {
    let workspace = try await workspace()
    let run = try await workspace.run("report", "2.json", "--format", "sarif")
    let log = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let sarif = try #require((log?["runs"] as? [[String: Any]])?.first)
    let result = try #require((sarif["results"] as? [[String: Any]])?.first)
    #expect(result["ruleId"] as? String == "reapply-on-save")
    #expect(result["level"] as? String == "error")
    let text = "\(result)"
    #expect(text.contains("Scenarios/b.json5"))
    #expect(text.contains("startLine = 6") || text.contains("\"startLine\": 6"), "\(text)")
    let driver = (sarif["tool"] as? [String: Any])?["driver"] as? [String: Any]
    let rule = (driver?["rules"] as? [[String: Any]])?.first
    #expect((rule?["help"] as? [String: String])?["text"]?.hasPrefix("set isExcl") == true)
  }
}
#endif
