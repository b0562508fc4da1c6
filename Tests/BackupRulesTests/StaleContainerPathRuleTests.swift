import BackupFileTree
import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios

/// The steps of a scenario know no absolute path, so what the app did is written down here.
@Suite struct `stale-container-path finds` {
  /// The findings of a run in which the first step did something too.
  private func verdicts(_ events: [Transcript.Event]) async throws -> [String] {
    var transcript = try await Trial.transcript(["{ backup: 'a' }"])
    let entry = try #require(transcript.entries.first)
    transcript.entries += events.map {
      Transcript.Entry(step: entry.step, event: $0, tree: entry.tree, profile: entry.profile)
    }
    return RuleList.findings(in: transcript).map(\.line)
  }

  @Test func `a former container's path, at the step that used it`() async throws {
    let path = try ContainerPath("Documents/a")
    #expect(
      try await verdicts([.staleURL(path, wrappedIn: nil)]) == [
        "stale-container-path error 1 Documents/a"
      ])
  }

  @Test func `each use of one`() async throws {
    let paths = try ["Documents/a", "tmp/b"].map { try ContainerPath($0) }
    #expect(
      try await verdicts(paths.map { .staleURL($0, wrappedIn: nil) })
        == ["stale-container-path error 1 Documents/a", "stale-container-path error 1 tmp/b"])
  }

  @Test func `nothing in what else happens`() async throws {
    let path = try ContainerPath("Documents/a")
    #expect(try await verdicts([]) == [])
    #expect(
      try await verdicts([.readMissing(path, wrappedIn: nil)]) == [
        "exists-before-use error 1 Documents/a"
      ])
  }
}
