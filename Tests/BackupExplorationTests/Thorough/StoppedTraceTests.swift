import BackupRules
import BackupScenarios
import Testing
import TrialSupport

@testable import BackupExploration
@testable import BackupExplorationReports

/// Traces in which a step fails.
@Suite struct `A trace that stops` {
  private let save = "{ save: 'Library/Caches/a', contents: '1' }"
  private let relaunch = "{ relaunch: {} }"
  private let backup = "{ backup: 'b' }"
  private let critical = "files: { 'Documents/**': 'critical' }"

  /// Explores steps, and returns each stopped trace as `failed step: events`.
  private func stoppedTraces(_ steps: [String]) async throws -> [String] {
    try await ExplorationTrial.explored(steps).counts.stoppedTraces.map { stopped in
      "\(stopped.step): \(stopped.injectedEvents.map(\.description).joined(separator: "+"))"
    }
  }

  @Test func `reports the findings before the failed step`() async throws {
    let read = "{ read: 'Library/Caches/a' }"
    // On a new device, this step fails too, because the backup lacks the marked file.
    let remove = "{ remove: 'Documents/b' }"
    #expect(
      try await ExplorationTrial.found([
        save, "{ save: 'Documents/b', size: 1 }", "{ exclude: 'Documents/b' }", relaunch, read,
        remove, backup,
      ]) == [
        "exists-before-use Library/Caches/a: 4.idle", "exists-before-use Documents/b: 4.newDevice",
      ])
  }

  @Test(
    arguments: [
      "remove: 'Library/Caches/a'", "append: 'Library/Caches/a', size: 1",
      "exclude: 'Library/Caches/a'", "copy: 'Library/Caches/a', to: 'Documents/b'",
      "move: 'Library/Caches/a', to: 'Documents/b'",
    ])
  func `is a finding in an app that does not check first, and does not occur in one that does`(
    use: String
  ) async throws {
    #expect(
      try await ExplorationTrial.found([save, relaunch, "{ \(use) }"])
        == ["exists-before-use Library/Caches/a: 2.idle"])
    let careful = [save, relaunch, "{ \(use), ifMissing: 'skip' }", backup]
    #expect(try await ExplorationTrial.found(careful) == [])
    #expect(try await stoppedTraces(careful) == [])
  }

  @Test func `is a finding if iOS has acted and no rule reports the cause`() async throws {
    // The app checks whether the download exists, but not whether its copy exists.
    let result = try await ExplorationTrial.explored([
      save, relaunch, "{ copy: 'Library/Caches/a', to: 'Documents/a', ifMissing: 'skip' }",
      "{ append: 'Documents/a', contents: '2' }",
    ])
    let example = try #require(result.counterexamples.first)
    #expect(result.counterexamples.map(\.finding.rule) == ["step-failed"])
    #expect(example.injectedEvents.map(\.description) == ["2.idle"])
    #expect(example.finding.step.summary == "append Documents/a")
    #expect(example.reproduction == .shown)
  }

  @Test func `does not occur if only a step from before a kill cannot be repeated`() async throws {
    let steps = [
      "{ save: 'Documents/a', contents: '1' }", "{ move: 'Documents/a', to: 'Documents/b' }",
      "{ save: 'Documents/c', contents: '3' }", "{ remove: 'Documents/c' }", backup,
    ]
    let result = try await ExplorationTrial.explored(steps, critical)
    #expect(result.counts.stoppedTraces.isEmpty)
    #expect(result.counterexamples.isEmpty)
    #expect(result.text.contains(", complete"))
  }

  @Test func `is reported with a fix if the killed step cannot be repeated`() async throws {
    let steps = [
      "{ createDirectory: 'Documents/f' }", "{ save: 'Documents/f/1', contents: '1' }", backup,
      "{ copy: 'Documents/f', to: 'Documents/g' }",
    ]
    let result = try await ExplorationTrial.explored(steps, critical)
    #expect(result.counterexamples.isEmpty)
    #expect(result.counts.stoppedTraces.map(\.step.summary) == ["copy Documents/f to Documents/g"])
    #expect(result.text.contains("  do: if the app checks first, add ifMissing: "))
    let complaint = try #require(result.complaint)
    #expect(complaint.hasPrefix("1 trace stopped, so the steps after that were not explored: "))
    let careful = steps.dropLast() + ["{ remove: 'Documents/g', ifMissing: 'skip' }", steps[3]]
    let fixed = try await ExplorationTrial.explored(Array(careful), critical)
    #expect(fixed.counterexamples.isEmpty && fixed.counts.stoppedTraces.isEmpty)
  }

  @Test func `is a finding if the app cannot start again after a kill`() async throws {
    let launch = """
      launch: [
        { read: 'Documents/home', ifMissing: 'recreate', contents: '' },
        { copy: 'Documents/home', to: 'Documents/compact' }, { remove: 'Documents/home' },
        { move: 'Documents/compact', to: 'Documents/home' },
      ]
      """
    let result = try await ExplorationTrial.explored(
      ["{ save: 'Documents/home', contents: 'all of the notes' }", relaunch, backup],
      "\(critical), \(launch), explore: { without: ['locked'], reason: 'it is about kills' }")
    #expect(result.counterexamples.map(\.finding.rule) == ["step-failed"])
    #expect(
      result.counterexamples.first?.finding.step.summary
        == "copy Documents/home to Documents/compact")
  }

  @Test func `is reported with its step, event and reason, and as not complete`() async throws {
    let text = try await ExplorationTrial.explored([
      save, "{ backup: 'b' }", "{ remove: 'Library/Caches/a' }",
    ]).text
    #expect(!text.contains(", complete"))
    #expect(text.contains(" of them stopped because a step failed, as reported, not complete"))
    #expect(
      text.contains(
        "\n  stopped: step 3, remove Library/Caches/a failed ('Library/Caches/a' does not exist) "
          + "after: Library/Caches and tmp purged before step 2"))
  }

  @Test func `without a finding is reported as a warning with a fix`() async throws {
    // Step 4 must fail. If iOS has deleted the cached file, step 3 copies nothing, and step 4
    // succeeds.
    let result = try await ExplorationTrial.explored([
      save, relaunch, "{ copy: 'Library/Caches/a', to: 'Documents/b' , ifMissing: 'skip' }",
      "{ createDirectory: 'Documents/b', intermediates: false, throws: 'fileExists' }",
    ])
    #expect(result.counterexamples.isEmpty)
    #expect(!result.counts.stoppedTraces.isEmpty && !result.counts.leavesNothingOut)
    let complaint = try #require(result.complaint)
    #expect(
      complaint.contains("traces stopped, so the steps after that were not explored: step 4"))
    #expect(complaint.contains("add ifMissing: \"skip\""))
  }

  @Test func `continues after a step that fails in an ordinary run too`() async throws {
    let steps = [
      "{ exclude: 'Documents/a' }", "{ save: 'Documents/a', size: 1 }", backup,
      "{ save: 'Library/Caches/a', size: 1 }", relaunch, "{ read: 'Library/Caches/a' }",
    ]
    let result = try await ExplorationTrial.explored(
      steps, "expect: [{ rule: 'exists-before-set' }]")
    #expect(result.counts.stoppedTraces.isEmpty)
    #expect(result.counterexamples.map(\.finding.rule) == ["exists-before-use"])
  }

  @Test func `does not occur by an update of an offloaded app`() async throws {
    let steps = [
      "{ save: 'Documents/a', size: 1 }", "{ offload: {} }", "{ reinstall: {} }", backup,
    ]
    #expect(try await stoppedTraces(steps) == [])
  }
}
