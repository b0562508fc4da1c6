import BackupFileTree
import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios

/// But for links no step of a scenario knows an absolute path, so what the app did is written down.
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

  @Test func `a link once, in use or else standing there, at the step that made it`() async throws {
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
    // At each start the app has control, be there anything that it does or not.
    #expect(
      try await Trial.verdicts(steps + ["{ relaunch: {} }"])
        == ["stale-container-path warning 2 Documents/l"])
    #expect(try await Trial.verdicts(steps) == [])
  }

  @Test func `a link that the app has moved since at the step that moved it`() async throws {
    let steps = [
      "{ link: 'Documents/l', to: 'tmp/a', absolute: true }", "{ updateApp: '2' }",
      "{ move: 'Documents/l', to: 'Documents/m' }",
    ]
    #expect(
      try await Trial.verdicts(steps) == ["stale-container-path warning 3 Documents/m"])
  }

  @Test func `no link of an app that copes with it and removes it`() async throws {
    #expect(
      try await Trial.verdicts([
        "{ link: 'Documents/l', to: 'tmp/a', absolute: true }", "{ updateApp: '2' }",
        "{ read: 'Documents/l', throws: 'noSuchFile' }", "{ remove: 'Documents/l' }",
      ]) == [])
  }

  @Test func `a link at the step that moved it, not the one whose file stood there before`()
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

  @Test func `nothing where an app that checks saves the file again in the link's place`()
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
