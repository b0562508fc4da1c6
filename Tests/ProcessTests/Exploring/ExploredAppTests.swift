import BackupTesting
import Foundation
import Testing

@testable import BackupExploration
@testable import BackupScenarios

/// Exploring code of the app's own, each launch of which is a process.
struct ExploredAppTests {
  /// What the app promises of its movies.
  private static let head = "files: { 'Library/**': 'offline' },"

  /// Two downloads by an action.
  private static func downloads(by action: String) -> [String] {
    (1...2).map { "{ perform: '\(action)', with: { id: '\($0)' } }" }
  }

  @Test func `a folder that is marked only when it is made stays unmarked after a kill`()
    async throws
  {
    let trial = try await ExplorationTrial(
      FolderApp.self, Self.downloads(by: "once"), head: Self.head)
    let example = try #require(trial.result.counterexamples.first)
    #expect(example.rule == "recreatable-data-backed-up" && example.tier == .permanent)
    #expect(example.token == "x:1.kill(3~mark)")
    #expect(example.stepCount == 3, "killed, done again, and a backup: \(example.text)")
    #expect(trial.result.counts.unseenSteps.count == 0)
  }

  @Test func `a folder that is made and marked at each save is right at every point`() async throws
  {
    let trial = try await ExplorationTrial(
      FolderApp.self, Self.downloads(by: "always"), head: Self.head)
    #expect(trial.result.counterexamples.isEmpty && trial.result.obstacle == nil)
    #expect(trial.result.mistakes.isEmpty)
    #expect(trial.result.counts.unseenSteps.count == 0)
    #expect(trial.result.counts.crashPoints >= 8)
  }
}
