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

  private func stops(_ steps: [String], _ other: String = "") async throws -> [String] {
    try await ExplorationTrial.explored(steps, other).counts.stopped.map { stopped in
      "\(stopped.step): \(stopped.injected.map(\.description).joined(separator: "+"))"
    }
  }

  @Test func `reports what was found before`() async throws {
    let read = "{ read: 'Library/Caches/a' }"
    // The removal can fail by itself, after a read that looks.
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
  func `is no trace of an app that looks first, and a finding in one that does not`(
    use: String
  ) async throws {
    #expect(
      try await ExplorationTrial.found([save, relaunch, "{ \(use) }"])
        == ["exists-before-use Library/Caches/a: 2.idle"])
    let careful = [save, relaunch, "{ \(use), ifMissing: 'skip' }", backup]
    #expect(try await ExplorationTrial.found(careful) == [])
    #expect(try await stops(careful) == [])
  }

  @Test func `is a finding by its failure, where iOS has acted and no rule reports the cause`()
    async throws
  {
    // The app looks for the download, but not for the copy of it.
    let result = try await ExplorationTrial.explored([
      save, relaunch, "{ copy: 'Library/Caches/a', to: 'Documents/a', ifMissing: 'skip' }",
      "{ append: 'Documents/a', contents: '2' }",
    ])
    let example = try #require(result.counterexamples.first)
    #expect(result.counterexamples.map(\.finding.rule) == ["step-failed"])
    #expect(example.injected.map(\.description) == ["2.idle"])
    #expect(example.finding.step.summary == "append Documents/a")
    #expect(example.reproduction == .shown)
  }

  @Test func `is none where a step that was done before a kill cannot be done again`() async throws
  {
    let steps = [
      "{ save: 'Documents/a', contents: '1' }", "{ move: 'Documents/a', to: 'Documents/b' }",
      "{ save: 'Documents/c', contents: '3' }", "{ remove: 'Documents/c' }", backup,
    ]
    let result = try await ExplorationTrial.explored(steps, critical)
    #expect(result.counts.stopped.isEmpty)
    #expect(result.counterexamples.isEmpty)
    #expect(result.text.contains(", complete"))
  }

  @Test func `is named with the remedy where a kill leaves a step that cannot be repeated`()
    async throws
  {
    let steps = [
      "{ createDirectory: 'Documents/f' }", "{ save: 'Documents/f/1', contents: '1' }", backup,
      "{ copy: 'Documents/f', to: 'Documents/g' }",
    ]
    let result = try await ExplorationTrial.explored(steps, critical)
    #expect(result.counterexamples.isEmpty)
    #expect(result.counts.stopped.map(\.step.summary) == ["copy Documents/f to Documents/g"])
    #expect(result.text.contains("  do: if the app checks first, add ifMissing: "))
    let complaint = try #require(result.complaint)
    #expect(complaint.hasPrefix("1 trace stopped, so the steps after that were not explored: "))
    let careful = steps.dropLast() + ["{ remove: 'Documents/g', ifMissing: 'skip' }", steps[3]]
    let right = try await ExplorationTrial.explored(Array(careful), critical)
    #expect(right.counterexamples.isEmpty && right.counts.stopped.isEmpty)
  }

  @Test func `is a finding where the app never starts again after a kill`() async throws {
    let launch = """
      launch: [
        { read: 'Documents/home', ifMissing: 'recreate', contents: '' },
        { copy: 'Documents/home', to: 'Documents/compact' }, { remove: 'Documents/home' },
        { move: 'Documents/compact', to: 'Documents/home' },
      ]
      """
    let found = try await ExplorationTrial.explored(
      ["{ save: 'Documents/home', contents: 'all of the notes' }", relaunch, backup],
      "\(critical), \(launch), explore: { without: ['locked'], reason: 'it is about kills' }")
    #expect(found.counterexamples.map(\.finding.rule) == ["step-failed"])
    #expect(
      found.counterexamples.first?.finding.step.summary
        == "copy Documents/home to Documents/compact")
  }

  @Test func `is named with step, event and reason, and not called complete`() async throws {
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

  @Test func `that no finding reports is a warning with the remedy`() async throws {
    // The step is to fail, and the backup of a new device lacks what makes it fail.
    let result = try await ExplorationTrial.explored([
      save, relaunch, "{ copy: 'Library/Caches/a', to: 'Documents/b' , ifMissing: 'skip' }",
      "{ createDirectory: 'Documents/b', intermediates: false, throws: 'fileExists' }",
    ])
    #expect(result.counterexamples.isEmpty)
    #expect(!result.counts.stopped.isEmpty && !result.counts.isWhole)
    let complaint = try #require(result.complaint)
    #expect(
      complaint.contains("traces stopped, so the steps after that were not explored: step 4"))
    #expect(complaint.contains("add ifMissing: \"skip\""))
  }

  @Test func `goes on after a step that fails without the events too`() async throws {
    let steps = [
      "{ exclude: 'Documents/a' }", "{ save: 'Documents/a', size: 1 }", backup,
      "{ save: 'Library/Caches/a', size: 1 }", relaunch, "{ read: 'Library/Caches/a' }",
    ]
    let result = try await ExplorationTrial.explored(
      steps, "expect: [{ rule: 'exists-before-set' }]")
    #expect(result.counts.stopped.isEmpty)
    #expect(result.counterexamples.map(\.finding.rule) == ["exists-before-use"])
  }

  @Test func `comes of no update while the app is not on the device`() async throws {
    let steps = [
      "{ save: 'Documents/a', size: 1 }", "{ offload: {} }", "{ reinstall: {} }", backup,
    ]
    #expect(try await stops(steps) == [])
  }
}
