import BackupExploration
import BackupScenarios
import TestSupport
import Testing
import TrialSupport

/// A search that merges equal states finds as much as a search that performs each trace to the end.
@Suite struct `Merging equal states hides no finding` {
  /// The second kill occurs in a state that the search has already reached after two kills. Only
  /// the later trace has an event left there.
  @Test func `that needs a second event in a known state`() async throws {
    let steps = [
      "{ createDirectory: 'Documents/D' }",
      "{ save: 'Documents/D/file', size: 3, how: 'deleteFirst' }",
      "{ createDirectory: 'Documents/E' }",
    ]
    let found = try await ExplorationTrial.found(steps, "files: { '**': 'critical' }") {
      $0.depth = 2
    }
    #expect(
      found == ["user-data-lost Documents/D/file: 3.kill(1~createDirectory)+2.kill(2~create)"])
  }

  @Test(arguments: Thoroughness.seeds(8, of: 1_000))
  func `of one or two events in a random scenario`(seed: UInt64) async throws {
    let story = try #require(try await RandomScenario.explored(seed: seed)).story
    // The number of traces grows with the square of the number of steps.
    guard story.steps.count <= 4 else { return }
    func subjects(merging: Bool) async throws -> Set<String> {
      let result = try await ExplorationTrial.explored(story.steps, story.otherKeys) {
        $0.depth = 2
        $0.mergesStates = merging
      }
      #expect(result.counts.isWithinLimits)
      return Set(result.counterexamples.map { "\(ExploredRun.Subject($0.finding))" })
    }
    let separate = try await subjects(merging: false)
    #expect(try await subjects(merging: true) == separate, "\(story.text)")
  }
}
