import BackupDiagnostics
import BackupScenarios
import BackupVerdicts
import Testing

@testable import BackupRules

/// The steps `run` are read.
struct RunStepReadingTests {
  @Test(arguments: [
    "{ run: ['./tool'] }", "{ run: ['tool', ''], timeLimit: 0.5 }",
    "{ run: ['tool'], timeLimit: 3600, throws: true }",
  ])
  func `a step is read`(_ step: String) throws {
    #expect(try mistakes(step).isEmpty)
  }

  @Test(arguments: [
    ("{ run: './tool' }", "expected a list of strings: the tool and its arguments"),
    ("{ run: [] }", "the list is empty; name a tool"),
    ("{ run: [''] }", "the list is empty; name a tool"),
    ("{ run: ['tool', 1] }", "expected a string, found a number"),
    ("{ run: ['tool', 'a\\0b'] }", "cannot contain the character NUL"),
    ("{ run: ['tool'], timeLimit: 0 }", "expected seconds, more than 0 and at most 3600"),
    ("{ run: ['tool'], timeLimit: -1 }", "expected seconds"),
    ("{ run: ['tool'], timeLimit: 3601 }", "expected seconds"),
    ("{ run: ['tool'], timeLimit: NaN }", "expected seconds"),
    ("{ run: ['tool'], timeLimit: Infinity }", "expected seconds"),
    ("{ run: ['tool'], timeLimit: '5' }", "expected seconds"),
    ("{ run: ['tool'], timelimit: 5 }", "did you mean 'timeLimit'?"),
    ("{ run: ['tool'], with: {} }", "unknown key 'with'"),
  ])
  func `a mistake is named`(_ step: String, _ message: String) throws {
    let mistakes = try mistakes(step)
    #expect(mistakes.count == 1)
    #expect(mistakes.first?.message.contains(message) == true)
  }

  @Test func `too many or too long arguments are refused`() throws {
    let manyArguments = Array(repeating: "'a'", count: 257).joined(separator: ", ")
    #expect(
      try mistakes("{ run: [\(manyArguments)] }").first?.message.contains("at most 256") == true)
    let longArgument = String(repeating: "a", count: 65_536)
    #expect(
      try mistakes("{ run: ['a', '\(longArgument)'] }").first?.message.contains("65.5 KB") == true)
  }

  @Test func `its summary is one line of bounded length`() throws {
    let scenario = try Scenario(
      text:
        "{ title: 'x', steps: [{ run: ['./tool', 'a\\nb', '\(String(repeating: "x", count: 500))'] }] }"
    )
    let summary = try #require(scenario.steps.first?.reference.summary)
    #expect(summary.hasPrefix("run ./tool a\\nb xxx"))
    #expect(summary.count < 100)
  }

  /// Returns the mistakes in a scenario with one step.
  private func mistakes(_ step: String) throws -> [ScenarioDiagnostic] {
    do throws(RunError) {
      _ = try Scenario(text: "{ title: 'x', steps: [\(step)] }")
      return []
    } catch {
      return error.diagnostics
    }
  }
}
