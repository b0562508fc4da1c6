#if os(macOS) || os(Linux)
import BackupFileTree
import Testing

@testable import BackupExploration
@testable import BackupRules
@testable import BackupScenarios

/// What an app copies, and what it marks and saves again, within one action.
struct CopyingTests {
  /// The changes before which an app that performs an action may be killed.
  private func points(_ action: String) async throws -> [String] {
    let story = try await AppStory(
      CopyingApp.self, ["{ perform: 'save' }", "{ perform: '\(action)' }"])
    let run = try story.runner.runInDirectory(story.scenario, try story.variant)
    var stepped = run
    for step in story.scenario.steps { try await stepped.perform(step, as: nil) }
    let recording = try #require(stepped.latestRecording)
    stepped.endApp()
    return recording.points.map(\.point.description)
  }

  @Test(.enabled(if: TapTrial.isThere, "nobody sees there what an app's code changes"))
  func `a copied file is one change, a copied directory one for each item`() async throws {
    #expect(try await points("copyFile") == ["create 'Documents/Copy'"])
    let directory = try await points("copyDirectory")
    #expect(
      directory.sorted() == [
        "create 'Documents/Copy/1'", "create 'Documents/Copy/2'",
        "createDirectory 'Documents/Copy'",
      ])
    #expect(try await points("writeByHand").first == "create 'Documents/Copy'")
    #expect(try await points("writeByHand").contains("write 'Documents/Copy'"))
  }

  @Test(.enabled(if: TapTrial.isThere, "nobody sees there what an app's code changes"))
  func `the kit's own trial of marks is none of the app's changes`() async throws {
    #expect(try await points("copyFile").allSatisfy { !$0.contains("sbt-") })
    let story = try await AppStory(CopyingApp.self, ["{ perform: 'save' }"])
    let transcript = try await story.runner.run(story.scenario, story.variant)
    let temporary = ContainerPath.StandardLocation.temporary.path
    let paths = transcript.entries.flatMap { $0.tree.paths(from: temporary) }
    #expect(paths.allSatisfy { $0 == temporary }, "\(paths)")
  }

  /// What is found of a feed that an action saves.
  private func found(_ action: String) async throws -> [Scenario.Finding] {
    let story = try await AppStory(
      CopyingApp.self, ["{ perform: '\(action)' }", "{ backup: 'b' }"],
      head: "files: { 'Documents/feed': 'offline' },")
    let run = try await story.run()
    #expect(run.failure == nil)
    return run.findings
  }

  @Test func `a mark that an action sets and loses is put down to the save that lost it`()
    async throws
  {
    let found = try await found("saveTwice")
    let finding = try #require(found.first)
    #expect(found.map(\.rule) == ["reapply-on-save"])
    #expect(finding.message.contains("lost its mark in the same step: a later save replaced"))
    #expect(finding.advice.contains("after the last save of the step"))
    #expect(try await self.found("saveTwiceAndMark") == [])
    #expect(try await self.found("markAndUnmark").map(\.rule) == ["recreatable-data-backed-up"])
  }
}
#endif
