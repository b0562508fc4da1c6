#if os(macOS) || os(Linux)
import BackupExplorationReports
import BackupTesting
import Foundation
import Testing

@testable import BackupExploration
@testable import BackupScenarios
extension ExploredAppTests {
  @Test func `an app that removes Library keeps its preferences without a hang`() async throws {
    let story = try await AppStory(FillingApp.self, ["{ perform: 'reset' }"])
    let result = await story.explored()
    #expect(result.obstacle == nil)
    #expect(result.counterexamples.isEmpty, "\(result.text)")
  }

  @Test(.enabled(if: TapTrial.isTapAvailable, "nobody sees there what an app's code changes"))
  func `a step failure after a purge does not hide one after a kill`() async throws {
    let story = try await AppStory(
      FillingApp.self, ["{ perform: 'seed' }", "{ perform: 'fill' }"],
      head: "explore: { from: 2, reason: 'the mistake' },")
    let result = await story.explored()
    #expect(
      result.counterexamples.allSatisfy { $0.finding.rule == "step-failed" }, "\(result.text)")
    #expect(result.counterexamples.count == 2, "\(result.text)")
    #expect(result.counterexamples.allSatisfy { $0.reproduction == .shown }, "\(result.text)")
  }

  @Test(.enabled(if: TapTrial.isTapAvailable, "nobody sees there what an app's code changes"))
  func `an incomplete backup after a kill is a finding if it is restored`()
    async throws
  {
    let head =
      "files: { 'Documents/**': 'critical' }, "
      + "explore: { without: 'storageFull', reason: 'a trial' },"
    let (save, open) = ("{ perform: 'save' }", "{ perform: 'open' }")
    let kept = try await AppStory(StagingApp.self, [save, open], head: head).explored()
    #expect(kept.counterexamples.isEmpty && kept.obstacle == nil, "\(kept.text)")
    let restored = try await AppStory(
      StagingApp.self, [save, "{ backup: 'b' }", "{ restore: 'b' }", open], head: head
    ).explored()
    #expect(
      restored.counterexamples.flatMap(\.injectedEvents).map(\.recovery) == [.skip],
      "\(restored.text)")
  }
}

/// An app that writes a note to tmp, adds the note to an index, and then moves the note to
/// Documents. Its action `open` finds the note in either directory.
enum StagingApp: AppUnderTest {
  static let actions: AppActions = [
    "save": { action in
      let staged = action.container.temporary.file("note")
      try Data("a year of days".utf8).write(to: staged)
      try Data("note".utf8).write(to: action.container.documents.file("index"))
      try FileManager.default.moveItem(at: staged, to: action.container.documents.file("note"))
    },
    "open": { action in
      guard action.container.documents.file("index").isThere else { return }
      let note = action.container.documents.file("note")
      _ = try Data(contentsOf: note.isThere ? note : action.container.temporary.file("note"))
    },
  ]
}
#endif
