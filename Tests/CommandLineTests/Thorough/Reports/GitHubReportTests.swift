#if os(macOS) || os(Linux)
import Testing

@testable import BackupReports

/// The report for workflows on GitHub.
@Suite struct GitHubReportTests {
  @Test func `each problem is an annotation, and the summary comes last`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.lostMark, "b": Sample.document])
    _ = try await workspace.report("github")
    let lines = try await workspace.report("github").split(separator: "\n")
    try #require(lines.count == 3)
    #expect(
      lines[0].hasPrefix(
        "::error file=Scenarios/a.json5,line=6,col=5,title=a::reapply-on-save: 'Library/list.db'"))
    #expect(lines[0].contains("%0Ado: "))
    #expect(lines[1] == "2 scenarios in 2 runs: 1 passed, 1 failed")
    #expect(lines[2] == "failed: a")
  }

  @Test func `a skipped scenario is a notice`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.performing])
    #expect(
      try await workspace.report("github").hasPrefix(
        "::notice file=Scenarios/a.json5,line=4,col=5,title=a::skipped: step 1"))
    let strict = try await workspace.report("github", isStrict: true)
    #expect(strict.hasPrefix("::error file=Scenarios/a.json5,line=4,"))
  }

  @Test func `each mistake in a file is an error, and so is a reason not to run`() async throws {
    let workspace = try Workspace(scenarios: ["m/a": "{ titel: 1,\n steps: 5 }"])
    let run = try await workspace.run("run", "--format", "github")
    #expect(run.status == 2)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(
      lines.contains { $0.hasPrefix("::error file=Scenarios/m/a.json5,line=2,col=9,title=m/a::") })
    let stopped = try await workspace.run("run", "--format", "github", "--filter", "x")
    #expect(
      stopped.output
        == "::error title=backup-testing::there is no scenario that 'x' matches in "
        + "Scenarios; check --filter\n")
  }

  @Test func `special characters in names are escaped`() async throws {
    let workspace = try Workspace(scenarios: [OddScenarios.id: OddScenarios.text])
    let report = try await workspace.report("github")
    let lines = report.split(separator: "\n")
    let words = ["::error", "::warning", "::notice"]
    let file = " file=Scenarios/odd%2C %250A \"q\" <&'>]]>%3A%3A name.json5,line="
    for line in lines.dropLast(2) {
      #expect(words.contains { line.hasPrefix($0 + file) })
      #expect(line.contains(",title=odd%2C %250A \"q\" <&'>]]>%3A%3A name::"))
    }
    try #require(lines.count > 2)
    #expect(lines[lines.count - 2].hasPrefix("1 scenario in 1 run"))
    #expect(lines.last == "failed: \(OddScenarios.id)")
    #expect(!report.unicodeScalars.contains("\u{1B}"))
  }

  @Test func `messages and properties are escaped as the runner reads them`() {
    #expect("100%\r\na:b,c".escapedForGitHub == "100%25%0D%0Aa:b,c")
    #expect("100%\r\na:b,c".escapedAsGitHubProperty == "100%25%0D%0Aa%3Ab%2Cc")
  }
}
#endif
