#if os(macOS) || os(Linux)
import BackupExplorationReports
import BackupTesting
import Foundation
import Testing

@testable import BackupExploration
@testable import BackupScenarios
extension ExploredAppTests {
  @Test func `a folder that is made and marked at each save is right at every point`() async throws
  {
    let trial = try await ExplorationTrial(
      FolderApp.self, Self.downloads(by: "always"), head: Self.head)
    #expect(trial.result.counterexamples.isEmpty && trial.result.obstacle == nil)
    #expect(trial.result.mistakes.isEmpty)
    #expect(trial.result.counts.unseenSteps.count == 0)
    #expect(trial.result.counts.crashPoints >= 8)
  }

  @Test func `an app that removes Library keeps its preferences without a hang`() async throws {
    let story = try await AppStory(FillingApp.self, ["{ perform: 'reset' }"])
    let result = await story.explored()
    #expect(result.obstacle == nil)
    #expect(result.counterexamples.isEmpty, "\(result.text)")
  }

  @Test(.enabled(if: TapTrial.isThere, "nobody sees there what an app's code changes"))
  func `a step that fails after a purge hides none that fails after a kill`() async throws {
    let story = try await AppStory(FillingApp.self, ["{ perform: 'seed' }", "{ perform: 'fill' }"])
    let result = await story.explored()
    #expect(result.counterexamples.allSatisfy { $0.rule == "step-failed" }, "\(result.text)")
    #expect(result.counterexamples.count == 2, "\(result.text)")
  }
}
#endif
