import BackupScenarios
import TestSupport
import Testing
import TrialSupport

/// If a replay of one event has a finding, exploration has it too, although it merges equal nodes.
@Suite struct `Exploring finds what a replay finds` {
  /// An exhaustive test replays all tokens of 10,000 scenarios. Other tests replay some tokens of
  /// 25 scenarios.
  @Test(arguments: Thoroughness.seeds(25, of: 10_000))
  func `of every single event at every point of a random scenario`(seed: UInt64) async throws {
    let explored = try #require(try await RandomScenario.explored(seed: seed))
    var random = SeededGenerator(seed: seed)
    let tokens = explored.story.tokens.shuffled(using: &random)
    // A replay costs as much as a small exploration.
    for token in Thoroughness.every(16, of: tokens) {
      let replayed = try await ExploredRun(explored.scenario, replaying: token)
      guard replayed.isExplored else { continue }
      for finding in replayed.found {
        #expect(
          explored.run.found.contains { $0.hasCause(of: finding) },
          "\(finding), but explored \(explored.run.found)\n\(explored.story.text)")
      }
    }
  }

  @Test func `an error on one item and a warning on another with the same fix`() async throws {
    let steps = [
      "{ kill: {} }", "{ save: 'Documents/a', size: 3 }",
      "{ exclude: 'Documents/a', using: 'extendedAttribute' }", "{ save: 'Documents/b', size: 3 }",
      "{ exclude: 'Documents/b', using: 'extendedAttribute' }",
    ]
    let keys =
      "system: ['5.0.1', '8'], files: { '**/b': 'support' }, "
      + "launch: [{ read: 'tmp/a', ifMissing: 'skip' }]"
    let explored = try await ExploredRun(steps, keys)
    #expect(
      explored.subjects == [
        "recreatable-data-backed-up Documents/b", "deprecated-mark Documents/a",
      ])
    #expect(!explored.isGreen)
  }

  @Test func `and there are findings in at least four random scenarios`() async throws {
    var count = 0
    for seed: UInt64 in 1...40 where count < 4 {
      if try await RandomScenario.explored(seed: seed)?.run.found.isEmpty == false { count += 1 }
    }
    #expect(count == 4)
  }

  @Test func `in a scenario with two systems whose backups of one container differ`() async throws {
    let steps = [
      "{ save: 'Documents/movie.mp4', size: '1 KB' }",
      "{ exclude: 'Documents/movie.mp4', using: 'extendedAttribute' }", "{ backup: 'b' }",
      "{ restore: 'b', on: '26' }", "{ read: 'Documents/movie.mp4', on: '26' }",
    ]
    let systems = "system: ['5.0.1', '26']"
    let replayed = try await ExploredRun(steps, systems, replaying: "trial:4.updateSystem")
    #expect(replayed.subjects == ["exists-before-use Documents/movie.mp4"])
    #expect(
      try await ExploredRun(steps, systems).subjects.contains(
        "exists-before-use Documents/movie.mp4"))
  }
}
