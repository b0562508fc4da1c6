#if os(macOS) || os(Linux)
import Testing

@testable import BackupVerdicts

/// The report in JUnit's format, for build servers.
@Suite struct JUnitReportTests {
  @Test func `each scenario is a test case`() async throws {
    let workspace = try Workspace(scenarios: [
      "marks/a": Sample.matrix, "b": Sample.lostMark, "c": Sample.failingStepOnError,
    ])
    _ = try await workspace.report("junit")
    let document = try XMLCheck.read(try await workspace.report("junit"))
    #expect(document.attributes["tests"] == "3")
    #expect(document.attributes["failures"] == "1")
    #expect(document.attributes["errors"] == "1")
    let cases = document.all("testcase")
    #expect(cases.map { $0.attributes["name"] } == ["b", "c", "marks/a"])
    #expect(
      cases.map { $0.attributes["classname"] } == ["scenarios", "scenarios", "scenarios.marks"])
    let failure = try #require(cases[0].children.first)
    #expect(failure.name == "failure")
    #expect(failure.attributes["type"] == "reapply-on-save")
    #expect(failure.attributes["message"]?.contains("'Library/list.db' lost its mark") == true)
    #expect(failure.text.hasPrefix("Scenarios/b.json5:6:5: reapply-on-save: "))
    #expect(failure.text.contains("\n    do: "))
    #expect(cases[0].attributes["line"] == "6")
    #expect(cases[1].children.map(\.name) == ["error"])
    #expect(cases[2].children.isEmpty)
  }

  @Test func `a recorded scenario is not a failure, and its note is in the report`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    let document = try XMLCheck.read(try await workspace.report("junit"))
    #expect(document.attributes["failures"] == "0")
    #expect(document.all("system-out").first?.text.contains("recorded Golden/a.golden") == true)
  }

  @Test func `a skipped scenario is a skipped test case, and in a strict run a failure`()
    async throws
  {
    let workspace = try Workspace(scenarios: ["a": Sample.performing])
    let run = try await workspace.run("run", "--format", "junit")
    let document = try XMLCheck.read(run.output)
    #expect(document.attributes["tests"] == "2")
    #expect(document.all("testsuite").first?.attributes["skipped"] == "1")
    #expect(document.attributes["failures"] == "0")
    #expect(document.attributes["errors"] == "1")
    let error = try #require(document.all("error").first)
    #expect(
      error.attributes["message"]?.hasPrefix(
        "nothing was tested, because every scenario") == true)
    let testCase = try #require(document.all("testcase").first)
    #expect(testCase.attributes["line"] == "4")
    #expect(testCase.children.map(\.name) == ["skipped"])
    #expect(testCase.children[0].attributes["message"]?.hasPrefix("skipped: step 1 (per") == true)
    let strict = try await workspace.run("run", "--format", "junit", "--strict")
    let failure = try XMLCheck.read(strict.output).all("failure").first
    #expect(failure?.attributes["type"] == "skipped")
  }

  @Test
  func `a mistake is an error with file, line and column, and so is a reason not to run`()
    async throws
  {
    let workspace = try Workspace(scenarios: [
      "m/a": "{ titel: 1,\n steps: 5 }", "b": Sample.document,
    ])
    let run = try await workspace.run("run", "--format", "junit")
    #expect(run.status == 2)
    let document = try XMLCheck.read(run.output)
    #expect(document.attributes["errors"] == "1")
    let testCase = try #require(document.all("testcase").first)
    #expect(testCase.attributes["classname"] == "scenarios.m")
    #expect(testCase.attributes["name"] == "m/a")
    #expect(testCase.attributes["file"] == "Scenarios/m/a.json5")
    #expect(testCase.attributes["line"] == "1")
    let error = try #require(testCase.all("error").first)
    #expect(error.attributes["message"]?.contains("'title' is missing") == true)
    #expect(error.text.contains("\nScenarios/m/a.json5:2:9: "))
    let stopped = try await workspace.run("run", "--format", "junit", "--filter", "x")
    let stoppedDocument = try XMLCheck.read(stopped.output)
    #expect(stoppedDocument.attributes["errors"] == "1")
    #expect(
      stoppedDocument.all("error").first?.attributes["message"]?.hasPrefix("there is no scen")
        == true)
  }

  @Test func `special characters in names stay valid XML`() async throws {
    let workspace = try Workspace(scenarios: [OddScenarios.id: OddScenarios.text])
    let document = try XMLCheck.read(try await workspace.report("junit"))
    let testCase = try #require(document.all("testcase").first)
    #expect(testCase.attributes["name"] == OddScenarios.id)
    let failure = try #require(testCase.all("failure").first)
    #expect(failure.text.contains("Library/<a>&\"b\"%0A::c,\\n\\u{1B}[31m\\u{202E}/]]>.db"))
  }

  @Test func `characters that XML forbids are left out`() {
    let text = "a\u{0}\u{7}\u{B}\u{1B}\u{7F}\u{9C}\u{FFFE}\u{FFFF}b\t\nc\r<>&\"'é😀"
    #expect(JUnitTestCase.escape(text) == "ab\t\nc&lt;&gt;&amp;&quot;'é😀")
  }
}
#endif
