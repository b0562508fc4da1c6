import BackupFileTree
import TestSupport
import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios

@Suite struct `Monitoring a run` {
  @Test func `finds the same event by event, in copies, and all at once`() async throws {
    for scenario in Thoroughness.every(16, of: try Repository.scenarios()) {
      let transcript = try await ScenarioRunner().run(scenario, scenario.variants[0])
      var transcriptSoFar = transcript
      transcriptSoFar.entries = []
      var monitor = RunMonitor(transcriptSoFar)
      var violations: [Violation] = []
      for entry in transcript.entries {
        transcriptSoFar.entries.append(entry)
        monitor.observe(entry)
        violations += monitor.removeAllViolations()
        // A copy ends without an effect on the monitor.
        var ended = monitor
        ended.end()
        let found = ended.findings(of: violations + ended.removeAllViolations())
        #expect(
          found.map(\.line) == RuleList.findings(in: transcriptSoFar).map(\.line),
          "\(scenario.id) \(transcriptSoFar.entries.count)")
      }
    }
  }

  @Test func `has a state without the facts that do not matter any more`() async throws {
    let saved = "{ save: 'Documents/a', size: 1 }"
    let (one, other) = (
      try await Trial.transcript([saved, "{ backup: 'b' }"], promises),
      try await Trial.transcript(
        [saved, saved, "{ read: 'Documents/a' }", "{ backup: 'b' }"], promises)
    )
    #expect(state(after: one, with: []).facts.backups.isEmpty)
    #expect(state(after: one, with: ["b"]) != state(after: one, with: []))
    #expect(state(after: one, with: []) != RunMonitor(one).state)
    #expect(state(after: other, with: []).facts.control == .app)
  }

  @Test func `keeps the container that the app left if the system has changed it`() async throws {
    let transcript = try await Trial.transcript(
      ["{ save: 'Library/Caches/a', size: 1 }", "{ purge: 'idle' }"], promises)
    #expect(state(after: transcript, with: []).facts.control != .app)
  }

  @Test func `knows whether the app was updated since a backup and its last start`() async throws {
    let (update, backup) = ("{ updateApp: '2.0' }", "{ backup: 'b' }")
    let launch = "\(promises), launch: [{ read: 'Library/Caches/a', ifMissing: 'skip' }]"
    let started = ["{ relaunch: {} }"]
    func circumstances(_ steps: [String]) async throws -> RunFacts.StartCircumstances? {
      let transcript = try await Trial.transcript(steps, launch)
      return state(after: transcript, with: ["b"]).facts.backups["b"]?.circumstances
    }
    #expect(try await circumstances([update] + started + [backup]) == [])
    #expect(try await circumstances([update, backup]) == .update)
    #expect(try await circumstances([backup, update]) == .update)
    let restored = try await Trial.transcript(
      [backup, update] + started + ["{ restore: 'b' }"], launch)
    #expect(state(after: restored, with: []).facts.nextStartCircumstances == [.update, .restore])
  }

  /// Returns the rules' state at the end of a run. Only the backups with these labels may still be
  /// restored.
  private func state(after transcript: Transcript, with labels: Set<String>) -> RuleState {
    var monitor = RunMonitor(transcript)
    for entry in transcript.entries { monitor.observe(entry) }
    return monitor.reducedState(restoring: labels)
  }

  @Test func `ignores the remnants of interrupted saves, in each backup`() async throws {
    let kill = "{ save: 'Documents/a', size: 2, killed: { before: 'rename' } }"
    let steps = ["{ backup: 'a' }", kill, "{ backup: 'b' }", kill, "{ backup: 'c' }"]
    #expect(try await Trial.verdicts(steps, "files: { 'Documents/**': 'critical' }") == [])
  }
}

/// The scenarios of this repository.
private enum Repository {
  /// Returns the scenarios without the app's own code.
  static func scenarios() throws -> [Scenario] {
    let all = try OwnSuite.scenarios.filter(\.stepsRunningCode.isEmpty)
    #expect(all.count > 200)
    return all
  }
}
