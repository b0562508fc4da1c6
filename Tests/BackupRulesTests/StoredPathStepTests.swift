import BackupDiagnostics
import BackupRules
import BackupScenarios
import Testing
import TrialSupport

/// The word `{container}` in a text that the app stores.
@Suite struct StoredPathStepTests {
  @Test func `is the path of the container, which an update changes`() async throws {
    let steps = [
      "{ setDefault: { photo: '{container}/Documents/1.jpg' } }",
      #"{ save: 'Documents/a.json', contents: '{ "photo": "{container}/Documents/1.jpg" }' }"#,
      "{ readDefault: 'photo', expect: '{container}/Documents/1.jpg' }",
    ]
    #expect(try await Trial.failure(steps) == nil)
    let failure = try await Trial.failure(
      steps + [
        "{ updateApp: '2' }", "{ readDefault: 'photo', expect: '{container}/Documents/1.jpg' }",
      ])
    #expect(failure?.contains("expected the default 'photo' to be ") == true)
  }

  @Test func `is found in the file that has it, with the key and the step`() async throws {
    let findings = try await Trial.findings([
      "{ setDefault: { photo: '{container}/Documents/1.jpg' } }",
      "{ save: 'Documents/a.txt', contents: 'Documents/1.jpg' }",
      "{ save: 'Library/Caches/a.txt', contents: '{container}/Documents/1.jpg' }",
      "{ save: 'Documents/b.txt', contents: 'at {container}/Documents/1.jpg' }",
      "{ updateApp: '2' }",
    ])
    let staleFindings = findings.filter { $0.rule == "stale-container-path" }
    #expect(staleFindings.map(\.severity) == [.warning, .warning])
    #expect(staleFindings.map(\.step.position.line) == [5, 2])
    #expect(staleFindings.map { $0.message.contains("key 'photo'") } == [false, true])
  }
}
