#if os(macOS) || os(Linux)
import BackupReports
import BackupScenarios
import BackupVerdicts
import Foundation
import TestSupport
import Testing

/// The output of a tool is in the transcript, and in the report of its failure.
struct RunStepOutputTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  @Test func `standard output and error are one text`() async throws {
    let transcript = try await folder.run(shell("echo one; echo two >&2; echo three"))
    #expect(transcript.lines == ["one", "two", "three"])
  }

  @Test func `control characters and invalid UTF-8 are escaped`() async throws {
    let transcript = try await folder.run(shell("printf '\\033[31mred\\r\\na\\tb\\377\\n'"))
    #expect(transcript.lines == ["\\u{1B}[31mred", "a\\tb\\xFF"])
  }

  @Test func `of much output, the end is kept, and the tool does not block`() async throws {
    let transcript = try await folder.run(
      shell("head -c 5000000 /dev/zero | tr '\\0' 'x'; echo; echo end"))
    #expect(transcript.failure?.message == nil)
    #expect(transcript.lines.first == "(the first 4.9 MB are not shown)")
    #expect(transcript.lines.last == "end")
    #expect((transcript.outputs.first ?? "").utf8.count < 66_000)
  }

  @Test func `output without a failure is no problem`() async throws {
    let result = try #require(await result(shell("echo fine")))
    #expect(!result.problems.contains { $0.kind == .brokenOff })
  }

  @Test func `the details of a failure show the last lines`() async throws {
    let result = try #require(await result(shell("seq 1 30; echo oops >&2; exit 1")))
    let problem = try #require(result.problems.first)
    #expect(problem.kind == .brokenOff)
    #expect(problem.message.hasSuffix("'/bin/sh' ended with status 1"))
    #expect(problem.details.first == "the last 20 of the 31 lines that it printed:")
    #expect(problem.details.last == "| oops")
    #expect(problem.details.count == 21)
    let text = SuiteReport([ScenarioReport(result, withRuns: false)]).diagnostics(isColored: false)
    #expect(text.contains("\n    | 30\n    | oops\n"))
  }

  @Test func `a failure without output says so`() async throws {
    let result = try #require(await result(shell("exit 1")))
    #expect(result.problems.first?.details == ["it printed nothing"])
  }

  @Test func `a step that should fail but succeeds shows its output`() async throws {
    let result = try #require(await result(shell("echo all is well", "throws: true")))
    #expect(result.problems.first?.details == ["it printed:", "| all is well"])
  }

  @Test func `the output of an earlier step is not shown for a later one`() async throws {
    let result = try #require(
      await result(shell("echo fine") + "{ remove: 'Documents/missing' }"))
    #expect(result.problems.first?.details == [])
  }

  /// Runs a scenario with these steps in a suite.
  private func result(_ steps: String) async throws -> ScenarioResult? {
    let suite = ScenarioSuite(
      goldens: GoldenStore(folder: folder.path), recordMode: .never,
      runner: ScenarioRunner(allowsProcesses: true))
    return await suite.run(try folder.scenario(steps))
  }
}
#endif
