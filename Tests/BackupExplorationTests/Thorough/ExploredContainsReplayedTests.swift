import BackupScenarios
import TestSupport
import Testing
import TrialSupport

/// What one event at one point brings to light is found by exploration too, which merges states.
@Suite struct `Exploring finds what a replay finds` {
  /// All tokens of all seeds in the thorough tests; else some of each of 25.
  @Test(arguments: Thoroughness.seeds(25, of: 10_000))
  func `of every single event at every point of a random scenario`(seed: UInt64) async throws {
    let explored = try #require(try await RandomScenario.explored(seed: seed))
    var random = SeededGenerator(seed: seed)
    let tokens = explored.story.tokens.shuffled(using: &random)
    // A replay costs as much as a small exploration.
    for token in Thoroughness.every(16, of: tokens) {
      let replayed = try await ExploredRun(explored.scenario, replaying: token)
      guard replayed.isExplored else { continue }
      for one in replayed.found {
        #expect(
          explored.run.found.contains { $0.hasCause(of: one) },
          "\(one), but explored \(explored.run.found)\n\(explored.story.text)")
      }
    }
  }

  @Test func `an error on an item beside a warning of another that has the same remedy`()
    async throws
  {
    let steps = [
      "{ kill: {} }", "{ save: 'Documents/a', size: 3 }",
      "{ exclude: 'Documents/a', using: 'extendedAttribute' }", "{ save: 'Documents/b', size: 3 }",
      "{ exclude: 'Documents/b', using: 'extendedAttribute' }",
    ]
    let head =
      "system: ['5.0.1', '8'], files: { '**/b': 'support' }, "
      + "launch: [{ read: 'tmp/a', ifMissing: 'skip' }]"
    let explored = try await ExploredRun(steps, head)
    #expect(
      explored.subjects == [
        "recreatable-data-backed-up Documents/b", "deprecated-mark Documents/a",
      ])
    #expect(!explored.isGreen)
  }

  @Test func `as can be seen, since there is something to be found in many of them`() async throws {
    var found = 0
    for seed: UInt64 in 1...40 where found < 4 {
      if try await RandomScenario.explored(seed: seed)?.run.found.isEmpty == false { found += 1 }
    }
    #expect(found == 4)
  }

  @Test func `in a story whose two systems make two backups of one container`() async throws {
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
