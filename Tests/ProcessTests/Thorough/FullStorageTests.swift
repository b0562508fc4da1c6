#if os(macOS) || os(Linux)
import BackupTesting
import Foundation
import TestSupport
import Testing

@testable import BackupExploration
@testable import BackupExplorationReports
@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

/// Writes that fail because the storage is full.
@Suite(.enabled(if: TapTrial.isTapAvailable, "nobody sees there what an app's code changes"))
struct FullStorageTests {
  private static let write = "{ perform: 'write' }"

  private func failure(_ steps: String...) async throws -> String? {
    try await AppStory(IgnoredFullStorageApp.self, [Self.write] + steps).run().failure
  }

  @Test func `one write fails, and the app's code handles the error`() async throws {
    let fullRename = "{ perform: 'rename', storageFull: { path: 'Documents/lake.txt' } }"
    let bothGone = "{ expectFiles: { absent: ['Documents/note.txt', 'Documents/lake.txt'] } }"
    #expect(try await failure(fullRename, bothGone) == nil)
    let fullWrite = "{ perform: 'write', storageFull: {} }"
    let noteKept =
      "{ expectFile: { path: 'Documents/note.txt', contents: 'Swim across the lake' } }"
    #expect(try await failure(fullWrite, noteKept) == nil)
  }

  @Test func `the app keeps running until its write fails`() async throws {
    let steps = [Self.write, "{ perform: 'copy', storageFull: { path: 'Documents/copy' } }"]
    let diary = "{ expectFile: { path: 'Documents/diary', contents: 'start write copy ' } }"
    #expect(try await AppStory(DiaryOfStartsApp.self, steps + [diary]).run().failure == nil)
  }

  @Test func `a text that differs only in its date is not lost`() async throws {
    let steps = [
      "{ perform: 'save' }", "{ perform: 'save', storageFull: { path: 'Documents/copy' } }",
    ]
    let story = try await AppStory(
      DatedApp.self, steps + ["{ relaunch: {} }"],
      head: "files: { 'Documents/dated': 'critical', '**': 'cached' },")
    let run = try await story.run()
    #expect(run.failure == nil)
    #expect(!run.findings.contains { $0.rule == "user-data-lost" }, "\(run.findings)")
  }

  @Test func `the message names a write that does not occur`() async throws {
    let message = try await failure("{ perform: 'rename', storageFull: { path: 'Documents/a' } }")
    #expect(
      message?.hasPrefix(
        "the storage was to be full in this step when the app wrote 'Documents/a', but the step made "
          + "no such change; it made: write 'Documents/lake.txt'") == true, "\(message ?? "")")
  }

  @Test func `a trace that cannot be repeated is counted, but is no error of the app`() async throws
  {
    let story = try await AppStory(OnceApp.self, ["{ perform: 'begin' }", Self.write])
    let result = await story.explored()
    #expect(result.counts.repetitionFailures.count == 1, "\(result.text)")
    #expect(!result.hasError, "\(result.text)")
    #expect(
      result.text.contains("; the app has no 'launch', so its start was not explored"))
    #expect(result.text.contains(", 1 of them NOT REPEATED, not complete"), "\(result.text)")
    let complaint = try #require(result.complaint)
    #expect(complaint.contains("1 trace could not be repeated, so it was not judged"))
  }

  @Test func `an error before the write is not taken for full storage`() async throws {
    let steps = ["{ perform: 'begin' }", "{ perform: 'sign', storageFull: {} }"]
    let message = try await AppStory(OnceApp.self, steps).run().failure
    #expect(
      message?.hasPrefix("the storage was to be full in this step") == true, "\(message ?? "")")
  }

  @Test func `the storage can be full at a launch`() async throws {
    let start = "{ relaunch: {}, storageFull: { path: 'Documents/list' } }"
    let steps = ["{ perform: 'write' }", "{ updateApp: '2.0' }", start]
    #expect(try await AppStory(StartingApp.self, steps).run().failure == nil)
    let stepsWithoutWrite = [
      "{ perform: 'write' }", "{ updateApp: '2.0' }",
      "{ relaunch: {}, storageFull: { path: 'tmp/a' } }",
    ]
    #expect(try await AppStory(StartingApp.self, stepsWithoutWrite).run().failure != nil)
  }

  @Test func `a launch after a failed launch is not taken for a retry of the save`() async throws {
    let saves = ["Swim across the lake", "Climb the hill"].map {
      "{ perform: 'note', with: { text: '\($0)' } }"
    }
    let story = try await AppStory(
      KeyThenNotesApp.self, saves,
      head: "files: { 'Documents/**': 'critical', '**': 'cached' }, launch: [{ perform: 'open' }],")
    let result = await story.explored()
    #expect(result.counterexamples.isEmpty, "\(result.text)")
  }

  private static let files = "files: { 'Documents/**': 'critical', '**': 'cached' },"

  @Test(arguments: [
    (IgnoredFullStorageApp.self as any AppUnderTest.Type, ["write", "rename"], "note.txt"),
    (PurgedAndFullApp.self, ["add", "add"], "list.txt"),
  ])
  func `a token repeats full storage, also after a purge`(
    _ app: any AppUnderTest.Type, _ actions: [String], _ lostFile: String
  ) async throws {
    let steps = actions.enumerated().map { number, name in
      "{ perform: '\(name)', with: { line: '\(number)' } }"
    }
    let story = try await AppStory(
      app, steps, head: "\(Self.files) explore: { from: 2, reason: 'the mistake' },")
    let found = try #require(await story.explored().counterexamples.first)
    #expect(found.finding.rule == "user-data-lost" && found.finding.severity == .error)
    #expect(found.finding.path?.description == "Documents/\(lostFile)")
    try await Self.repeats(found, in: story)
  }

  /// Expects that the token of a counterexample repeats its finding.
  private static func repeats(_ found: Counterexample, in story: AppStory) async throws {
    var bounds = Scenario.ExplorationBounds()
    bounds.replayToken = try ReplayToken(found.token)
    let again = await story.explored(bounds)
    #expect(again.counterexamples.map(\.token) == [found.token], "\(again.text)")
    #expect(again.counterexamples.first?.finding.rule == found.finding.rule)
  }

  @Test func `crash points of one cause are one finding, which a token without a retry repeats`()
    async throws
  {
    let story = try await AppStory(
      IndexFirstApp.self, ["{ perform: 'add', with: { name: 'a' } }", "{ perform: 'openAll' }"],
      head: Self.files)
    let counterexamples = await story.explored().counterexamples
    let found = try #require(counterexamples.first)
    #expect(counterexamples.count == 1 && found.finding.rule == "exists-before-use")
    // One of these crash points leads to a state that exploration has already reached.
    #expect(found.sentence.hasSuffix("is missing (and 3 more crash points)"))
    try await Self.repeats(found, in: story)
  }

  @Test func `a scenario can exclude full storage`() async throws {
    let head = "explore: { from: 2, without: ['storageFull'], reason: 'the test' },"
    let story = try await AppStory(
      IgnoredFullStorageApp.self, [Self.write, "{ perform: 'rename' }"],
      head: "files: { '**': 'critical' }, \(head)")
    #expect(await !story.explored().hasError)
  }
}

/// An app that writes its launches and actions to a diary.
enum DiaryOfStartsApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    try note("start", in: launch.container)
  }

  static let actions: AppActions = [
    "write": { action in try note("write", in: action.container) },
    "copy": { action in
      try note("copy", in: action.container)
      try Data("a".utf8).write(to: action.container.documents.file("copy"))
    },
  ]

  private static func note(_ word: String, in container: FakeContainer.Locations) throws {
    let diary = container.documents.file("diary")
    let text = diary.isThere ? try Data(contentsOf: diary) : Data()
    try (text + Data("\(word) ".utf8)).write(to: diary, options: .atomic)
  }
}

/// An app that saves a text with the current time, and a copy. From the second save, the text is
/// longer.
enum DatedApp: AppUnderTest {
  static let actions: AppActions = [
    "save": { action in
      let documents = action.container.documents
      let isFirst = !documents.file("dated").isThere
      let text = "\(isFirst ? "lake" : "lake and hill") \(Date().timeIntervalSince1970)"
      try Data(text.utf8).write(to: documents.file("dated"), options: .atomic)
      try Data(text.utf8).write(to: documents.file("copy"))
    }
  ]
}

/// An app that writes `a.txt` only in its first process. Its action `begin` uses a random name.
enum OnceApp: AppUnderTest {
  static let actions: AppActions = [
    "write": { action in
      guard action.launchCount == 1 else { return }
      try Data("a".utf8).write(to: action.container.documents.file("a.txt"))
    },
    "begin": { action in
      try Data("a".utf8).write(to: action.container.documents.file(UUID().uuidString))
    },
    "sign": { action in
      guard action.launchCount == 1 else { throw CocoaError(.userCancelled) }
      try Data("a".utf8).write(to: action.container.documents.file("a.txt"))
    },
  ]
}

/// An app that creates a key when it opens, and saves each note in its own file.
enum KeyThenNotesApp: AppUnderTest {
  static let actions: AppActions = [
    "open": { action in
      let key = action.container.library.file("key")
      guard !key.isThere else { return }
      try Data("a key".utf8).write(to: key)
    },
    "note": { action in
      let text = try action.argument("text", as: String.self)
      let note = action.container.documents.file("note \(text)")
      try Data(text.utf8).write(to: note, options: .atomic)
    },
  ]
}

/// An app that saves its list at each launch.
enum StartingApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    try Data("a".utf8).write(to: launch.container.documents.file("list"), options: .atomic)
  }

  static let actions: AppActions = ["write": { _ in }]
}
#endif
