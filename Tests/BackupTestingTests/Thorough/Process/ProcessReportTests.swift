import Foundation
import TestSupport
import Testing

@testable import BackupScenarios
@testable import BackupTesting
@testable import BackupVerdicts

/// The report that the variable `BACKUP_TESTING_REPORT` requests.
@Suite struct ProcessReportTests {
  /// Scenario files, and the folder for the report.
  private let sandbox: ScenarioSandbox

  init() throws {
    let names = (10..<30).map { "s\($0).json5" }
    sandbox = try ScenarioSandbox(
      Dictionary(uniqueKeysWithValues: names.map { ($0, ScenarioSandbox.right) }))
  }

  /// Runs code in a test process with a report, and returns the issues that it records.
  @discardableResult
  private func issues(
    _ report: String, _ environment: [String: String] = [:],
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws -> [String] {
    var environment = environment
    environment[ProcessReport.environmentVariable] = report
    let process = TestProcess(environment: environment, folder: sandbox.folder.url)
    let issues = await TestProcess.$current.withValue(process) {
      await TestIssue.collecting {
        do {
          try await body()
        } catch {
          TestIssue.record("\(error)", at: #_sourceLocation)
        }
      }
    }
    try? process.report.get()?.end()
    return issues.map(\.text)
  }

  /// The path of the report.
  private var path: String { sandbox.folder.url("out").path }

  /// Returns the report, which is decoded from JSON.
  private func report() throws -> SuiteReport {
    try JSONDecoder().decode(
      SuiteReport.self, from: Data(try sandbox.folder.text(of: "out").utf8))
  }

  @Test func `the report has all scenarios in order, even if they ran concurrently`() async throws {
    let found = try await issues("json:\(path)") { [sandbox] in
      await withTaskGroup { group in
        for scenario in (try? Scenario.all(in: sandbox.scenarios)) ?? [] {
          group.addTask { _ = await scenario.run() }
        }
      }
    }
    #expect(found.isEmpty)
    let report = try report()
    #expect(report.scenarios.map(\.id) == (10..<30).map { "s\($0)" })
    #expect(report.count(.passed) == 20)
    #expect(report.obstacle == nil)
    #expect(report.orphans == [])
    #expect(report.scenarios.allSatisfy { $0.runs?.count == 1 && $0.seconds != nil })
    #expect(try sandbox.folder.names().allSatisfy { !$0.contains(".out.") })
  }

  @Test func `the report names golden files without a scenario, which are failures on CI`()
    async throws
  {
    try sandbox.folder.write("# golden 2: gone\n", to: "Golden/gone.golden")
    let run: @Sendable () async throws -> Void = { [sandbox] in
      await (try Scenario.all(in: sandbox.scenarios, matching: "s10").first)?.run()
    }
    try await issues("junit:\(path)", ["CI": "1"], run)
    let text = try sandbox.folder.text(of: "out")
    #expect(text.contains("tests=\"2\" failures=\"1\""))
    #expect(text.contains("/Golden/gone.golden</failure>"))
    try await issues("json:\(path)", [:], run)
    #expect(try report().orphans == ["\(sandbox.goldens)/gone.golden"])
  }

  @Test func `the report has failed scenarios too, and those of the standard suite`() async throws {
    var app = StandardApp(
      bundleIdentifier: "com.example.app", files: ["Documents/**": .critical])
    app.save(.critical) { try Data([1]).write(to: $0.container.documents.appending(path: "a")) }
    try await issues("json:\(path)") { [sandbox, app] in
      try sandbox.folder.write(
        ScenarioSandbox.right.replacing("backup: 'one'", with: "perform: 'a'"),
        to: "Scenarios/s20.json5")
      for scenario in try Scenario.all(in: sandbox.scenarios, matching: "s2?") {
        await scenario.run()
      }
      try await StandardSuite.run(for: app)
    }
    let report = try report()
    #expect(Set(report.scenarios.map(\.id)).isSuperset(of: ["s20", "s21", "launch", "critical"]))
    #expect(report.scenarios.first { $0.id == "s20" }?.verdict == .error)
  }

  @Test func `the report has files with mistakes, and replaces an earlier report`() async throws {
    try sandbox.folder.write("of yesterday", to: "out")
    try sandbox.folder.write("{", to: "Scenarios/broken.json5")
    let found = try await issues("json:\(path)") { [sandbox] in
      await (try Scenario.all(in: sandbox.scenarios).first)?.run()
    }
    #expect(found.count == 1)
    let report = try report()
    #expect(report.scenarios.map(\.id) == ["broken"])
    #expect(report.scenarios.first?.problems.first?.position.line == 1)
  }

  @Test func `the report is complete at the end of the process`() async throws {
    let environment = [ProcessReport.environmentVariable: path]
    let process = TestProcess(environment: environment, folder: sandbox.folder.url)
    try await TestProcess.$current.withValue(process) {
      await (try Scenario.all(in: sandbox.scenarios, matching: "s10").first)?.run()
    }
    #expect(try report().obstacle == "the tests have not ended")
    try process.report.get()?.end()
    #expect(try report().obstacle == nil)
  }

  @Test func `the report says that no scenario has finished yet`() async throws {
    try sandbox.folder.write("of yesterday", to: "out")
    try await issues(path) { [sandbox] in _ = try Scenario.all(in: sandbox.scenarios) }
    #expect(try report().obstacle == "no scenario has finished")
  }

  @Test func `Bazel's variable requests JUnit's XML, unless the kit's variable requests a report`()
    async throws
  {
    let run: @Sendable () async throws -> Void = { [sandbox] in
      await (try Scenario.all(in: sandbox.scenarios, matching: "s10").first)?.run()
    }
    let bazel = ["XML_OUTPUT_FILE": sandbox.folder.url("test.xml").path]
    #expect(try await issues("", bazel, run).isEmpty)
    let text = try sandbox.folder.text(of: "test.xml")
    #expect(text.contains("<testsuites name=\"backup-testing\" tests=\"1\" failures=\"0\""))
    #expect(text.contains("name=\"s10\""))
    try sandbox.folder.write("of yesterday", to: "test.xml")
    #expect(try await issues("json:\(path)", bazel, run).isEmpty)
    #expect(try report().count(.passed) == 1)
    #expect(try sandbox.folder.text(of: "test.xml") == "of yesterday")
    let found = try await issues("", ["XML_OUTPUT_FILE": "/no/such/folder/out"], run)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("XML_OUTPUT_FILE: /no/such/folder/out: cannot be ") == true)
  }

  @Test(
    arguments: [
      ("github:out.txt", "tests write no report 'github:out.txt'; expected a path, such as r"),
      ("junit:", "tests write no report 'junit:'; expected a path, such as results.json, or "),
      ("json:/no/such/folder/out", "/no/such/folder/out: cannot be written: no such file"),
      ("json:a.golden", "a.golden: this is the name of a golden file"),
      (
        "json:Scenarios/a.json",
        "Scenarios/a.json: this is a scenario file, or would be read as "
          + "one"
      ),
    ])
  func `a report that cannot be written is one issue, which names the variable`(
    reportValue: String, message: String
  ) async throws {
    let found = try await issues(reportValue) { [sandbox] in
      for scenario in try Scenario.all(in: sandbox.scenarios) { await scenario.run() }
    }
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("BACKUP_TESTING_REPORT: \(message)") == true)
  }
}
