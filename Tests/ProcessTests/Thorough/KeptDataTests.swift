#if os(macOS) || os(Linux)
import BackupTesting
import Foundation
import TestSupport
import Testing

@testable import BackupExploration
@testable import BackupExplorationReports
@testable import BackupRules
@testable import BackupScenarios

/// Exploration compares the end of a trace with the end of the scenario without injected events.
@Suite(.enabled(if: TapTrial.isTapAvailable, "nobody sees there what an app's code changes"))
struct KeptDataTests {
  private static let head =
    "files: { 'Documents/**': 'critical', '**': 'cached' }, "
    + "explore: { from: 2, reason: 'the mistake' },"
  private static let notes = ["Swim across the lake", "Climb the hill"].map {
    "{ perform: 'note', with: { text: '\($0)' } }"
  }

  @Test
  func `an assertion shows that an action overwrote a note after a purge`()
    async throws
  {
    let story = try await AppStory(CountingInCachesApp.self, Self.notes, head: Self.head)
    let result = await story.explored()
    let example = try #require(result.counterexamples.first, "\(result.text)")
    #expect(result.counterexamples.count == 1, "\(result.text)")
    #expect(example.finding.rule == "user-data-lost" && example.finding.severity == .error)
    #expect(example.finding.path?.description == "Documents/1.txt")
    #expect(result.text.contains("then perform note: replaced 'Documents/1.txt'"), "\(result.text)")
    #expect(example.reproduction == .shown, "\(result.text)")
    let shown = try await AppStory(CountingInCachesApp.self, text: example.text).run()
    #expect(shown.failure?.contains("expected 'Documents/1.txt' to have") == true)
  }

  @Test func `an app that records which files are purged loses nothing`() async throws {
    let result = try await AppStory(FlaggingApp.self, Self.notes, head: Self.head).explored()
    #expect(result.counterexamples.isEmpty, "\(result.text)")
  }
}

/// An app that keeps the number of the next note in Caches.
enum CountingInCachesApp: AppUnderTest {
  static let actions: AppActions = [
    "note": { action in
      let counter = action.container.caches.file("next")
      let number = (try? String(contentsOf: counter, encoding: .utf8)).flatMap { Int($0) } ?? 1
      let text = try action.argument("text", as: String.self)
      let note = action.container.documents.file("\(number).txt")
      try Data(text.utf8).write(to: note, options: .atomic)
      try Data("\(number + 1)".utf8).write(to: counter, options: .atomic)
    }
  ]
}

/// An app that records for each text whether its file in Caches exists.
enum FlaggingApp: AppUnderTest {
  static let actions: AppActions = [
    "note": { action in
      let list = action.container.documents.file("list.json")
      var flags: [String: Bool] = [:]
      if list.isThere {
        flags = try JSONDecoder().decode([String: Bool].self, from: Data(contentsOf: list))
      }
      let caches = action.container.caches
      for text in flags.keys { flags[text] = caches.file(text).isThere }
      let text = try action.argument("text", as: String.self)
      try Data(text.utf8).write(to: caches.file(text), options: .atomic)
      flags[text] = true
      try JSONEncoder().encode(flags).write(to: list, options: .atomic)
    }
  ]
}
#endif
