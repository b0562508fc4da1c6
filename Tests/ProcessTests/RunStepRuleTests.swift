#if os(macOS) || os(Linux)
import BackupRules
import BackupScenarios
import TestSupport
import Testing

/// The rules judge changes by a tool like changes by the app's code.
struct RunStepRuleTests {
  /// Runs a script on a marked movie between two backups, and returns the findings.
  private func findings(_ script: String) async throws -> [Scenario.Finding] {
    let transcript = try await TestFolder().run(
      """
      { save: 'Documents/movie', contents: 'first' }, { exclude: 'Documents/movie' },
      { backup: 'one' }, \(shell(script)) { backup: 'two' },
      """)
    #expect(transcript.failure?.message == nil)
    return RuleList.findings(in: transcript)
  }

  @Test func `a save in place without the mark breaks reapply-on-save`() async throws {
    let findings = try await findings("printf second > Documents/movie")
    #expect(findings.map(\.rule) == ["reapply-on-save"])
    #expect(findings.first?.step.number == .step(4))
    #expect(findings.first?.severity == .error)
  }

  @Test func `a file that is renamed over the movie breaks reapply-on-save`() async throws {
    let findings = try await findings("printf new > tmp/new && mv tmp/new Documents/movie")
    #expect(findings.map(\.rule) == ["reapply-on-save"])
  }

  @Test func `a tool that only reads breaks nothing`() async throws {
    #expect(try await findings("cat Documents/movie").isEmpty)
  }
}
#endif
