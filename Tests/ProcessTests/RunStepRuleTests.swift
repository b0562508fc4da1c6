#if os(macOS) || os(Linux)
import BackupRules
import BackupScenarios
import TestSupport
import Testing

/// What a tool does is judged as what the app's Swift code does.
struct RunStepRuleTests {
  /// The findings of two backups with a tool's work between them, on a marked movie.
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

  @Test func `so does a file renamed over it`() async throws {
    let findings = try await findings("printf new > tmp/new && mv tmp/new Documents/movie")
    #expect(findings.map(\.rule) == ["reapply-on-save"])
  }

  @Test func `a tool that only reads breaks nothing`() async throws {
    #expect(try await findings("cat Documents/movie").isEmpty)
  }
}
#endif
