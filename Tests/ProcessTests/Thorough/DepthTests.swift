#if os(macOS) || os(Linux)
import BackupExplorationReports
import BackupTesting
import Foundation
import TestSupport
import Testing

@testable import BackupExploration
@testable import BackupScenarios

/// Exploration finds some mistakes only with two injected events in a trace.
@Suite(.enabled(if: TapTrial.isTapAvailable, "nobody sees there what an app's code changes"))
struct DepthTests {
  @Test func `depth 2 finds a draft that iOS purges between a kill and the retry`() async throws {
    let result = try await AppStory(
      DraftingApp.self, ["{ perform: 'save' }"],
      head: "files: { 'Documents/**': 'critical', '**': 'cached' },"
    ).explored(Scenario.ExplorationBounds(depth: 2))
    let example = try #require(result.counterexamples.first, "\(result.text)")
    #expect(example.finding.path?.description == "Library/Caches/draft", "\(result.text)")
    // With one event, exploration would find a shorter token.
    #expect(example.token == "x:1.kill(7~rename)+1.idle")
    #expect(example.reproduction == .shown && result.counts.stepsWithUnseenChanges.isEmpty)
  }
}

/// An app that remembers in a file `ready` that its draft exists, although iOS can purge the draft.
enum DraftingApp: AppUnderTest {
  static let actions: AppActions = [
    "save": { action in
      let documents = action.container.documents
      let draft = action.container.caches.appendingPathComponent("draft")
      let ready = documents.appendingPathComponent("ready")
      if !FileManager.default.fileExists(atPath: ready.path) {
        try Data("a note".utf8).write(to: draft, options: .atomic)
        try Data("1".utf8).write(to: ready, options: .atomic)
      }
      let note = documents.appendingPathComponent("note")
      if FileManager.default.fileExists(atPath: note.path) {
        try FileManager.default.removeItem(at: ready)
      } else {
        try FileManager.default.moveItem(at: draft, to: note)
        try FileManager.default.removeItem(at: ready)
      }
    }
  ]
}
#endif
