#if os(macOS) || os(Linux)
import BackupFileTree
import Testing

@testable import BackupExploration
@testable import BackupRules
@testable import BackupScenarios

/// Copies by an app, and marks between two saves, within one action.
struct CopyingTests {
  /// The crash points of an action.
  private func points(_ action: String) async throws -> [String] {
    let story = try await AppStory(
      CopyingApp.self, ["{ perform: 'save' }", "{ perform: '\(action)' }"])
    let run = try story.runner.beginRunInDirectory(story.scenario, try story.variant)
    var runAfterSteps = run
    for step in story.scenario.steps { try await runAfterSteps.perform(step, as: nil) }
    let recording = try #require(runAfterSteps.latestRecording)
    runAfterSteps.endApp()
    return recording.crashPoints.map(\.point.description)
  }

  @Test(.enabled(if: TapTrial.isTapAvailable, "nobody sees there what an app's code changes"))
  func `a copied file is one change, a copied directory one for each item`() async throws {
    #expect(try await points("copyFile") == ["create 'Documents/Copy'"])
    let directory = try await points("copyDirectory")
    #expect(
      directory.sorted() == [
        "create 'Documents/Copy/1'", "create 'Documents/Copy/2'",
        "createDirectory 'Documents/Copy'",
      ])
    let byHand = try await points("writeByHand")
    #expect(byHand.first == "create 'Documents/Copy'" && byHand.contains("write 'Documents/Copy'"))
  }

  @Test(.enabled(if: TapTrial.isTapAvailable, "nobody sees there what an app's code changes"))
  func `the kit's own test of marks is not among the app's changes`() async throws {
    #expect(try await points("copyFile").allSatisfy { !$0.contains("sbt-") })
    let story = try await AppStory(CopyingApp.self, ["{ perform: 'save' }"])
    let transcript = try await story.runner.run(story.scenario, story.variant)
    let temporary = ContainerPath.StandardLocation.temporary.path
    let paths = transcript.entries.flatMap { $0.tree.paths(from: temporary) }
    #expect(paths.allSatisfy { $0 == temporary }, "\(paths)")
  }

  /// The findings on a feed that an action saves.
  private func feedFindings(_ action: String) async throws -> [Scenario.Finding] {
    let story = try await AppStory(
      CopyingApp.self, ["{ perform: '\(action)' }", "{ backup: 'b' }"],
      head: "files: { 'Documents/feed': 'offline' },")
    let run = try await story.run()
    #expect(run.failure == nil)
    return run.findings
  }

  @Test func `a finding on a lost mark names the save that lost the mark`()
    async throws
  {
    let findings = try await feedFindings("saveTwice")
    let finding = try #require(findings.first)
    #expect(findings.map(\.rule) == ["reapply-on-save"])
    #expect(finding.message.contains("lost its mark in the same step: a later save replaced"))
    #expect(finding.advice.contains("after the last save of the step"))
    #expect(try await feedFindings("saveTwiceAndMark") == [])
    #expect(try await feedFindings("markAndUnmark").map(\.rule) == ["recreatable-data-backed-up"])
  }
}
#endif
