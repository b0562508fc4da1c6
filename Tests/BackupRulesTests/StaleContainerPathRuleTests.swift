import BackupFileTree
import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios

/// Except for links, no step of a scenario has an absolute path. The tests add the app's events to
/// the transcript.
@Suite struct `stale-container-path finds` {
  /// Returns the findings of a run whose first step also causes these events.
  private func findingLines(_ events: [Transcript.Event]) async throws -> [String] {
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
      try await findingLines([.staleURL(path, wrappedIn: nil)]) == [
        "stale-container-path error 1 Documents/a"
      ])
  }

  @Test func `each use of a former path`() async throws {
    let paths = try ["Documents/a", "tmp/b"].map { try ContainerPath($0) }
    #expect(
      try await findingLines(paths.map { .staleURL($0, wrappedIn: nil) })
        == ["stale-container-path error 1 Documents/a", "stale-container-path error 1 tmp/b"])
  }

  @Test func `nothing in other events`() async throws {
    let path = try ContainerPath("Documents/a")
    #expect(try await findingLines([]) == [])
    #expect(
      try await findingLines([.readMissing(path, wrappedIn: nil)]) == [
        "exists-before-use error 1 Documents/a"
      ])
  }

  @Test func `an absolute link once, whether the app uses it or not, at the step that created it`()
    async throws
  {
    let steps = [
      "{ save: 'tmp/a', size: 1 }", "{ link: 'Documents/l', to: 'tmp/a', absolute: true }",
      "{ updateApp: '2' }",
    ]
    let read = "{ read: 'Documents/l' }"
    #expect(
      try await Trial.verdicts(steps + [read, read])
        == ["stale-container-path error 2 Documents/l"])
    #expect(
      try await Trial.verdicts(
        steps + ["{ relaunch: {} }"], "launch: [{ read: 'tmp', ifMissing: 'skip' }]")
        == ["stale-container-path warning 2 Documents/l"])
    // The app has control at each start, even if it does nothing.
    #expect(
      try await Trial.verdicts(steps + ["{ relaunch: {} }"])
        == ["stale-container-path warning 2 Documents/l"])
    #expect(try await Trial.verdicts(steps) == [])
  }

  @Test func `a link that the app has moved since, at the step that moved it`() async throws {
    let steps = [
      "{ link: 'Documents/l', to: 'tmp/a', absolute: true }", "{ updateApp: '2' }",
      "{ move: 'Documents/l', to: 'Documents/m' }",
    ]
    #expect(
      try await Trial.verdicts(steps) == ["stale-container-path warning 3 Documents/m"])
  }

  @Test func `no link if the app handles the error and removes the link`() async throws {
    #expect(
      try await Trial.verdicts([
        "{ link: 'Documents/l', to: 'tmp/a', absolute: true }", "{ updateApp: '2' }",
        "{ read: 'Documents/l', throws: 'noSuchFile' }", "{ remove: 'Documents/l' }",
      ]) == [])
  }

  @Test func `a moved link at the step that moved it, not at the step of the replaced file`()
    async throws
  {
    #expect(
      try await Trial.verdicts([
        "{ save: 'Documents/q', size: 1 }", "{ save: 'Documents/t', size: 1 }",
        "{ link: 'Documents/p', to: 'Documents/t', absolute: true }", "{ updateApp: '2.0' }",
        "{ remove: 'Documents/q' }", "{ move: 'Documents/p', to: 'Documents/q' }",
        "{ read: 'Documents/q' }",
      ]) == ["stale-container-path error 6 Documents/q"])
  }

  @Test func `nothing if the app checks, and saves the file again in the place of the link`()
    async throws
  {
    #expect(
      try await Trial.verdicts([
        "{ save: 'Documents/t', size: 1 }",
        "{ link: 'Documents/p', to: 'Documents/t', absolute: true }", "{ updateApp: '2.0' }",
        "{ read: 'Documents/p', ifMissing: 'recreate', size: 1 }",
      ]) == [])
  }
}
