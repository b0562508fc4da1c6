import BackupTesting
import Foundation
import TestSupport
import Testing

@testable import BackupExploration
@testable import BackupVerdicts

/// Writes that fail because the storage is full.
@Suite(.enabled(if: TapTrial.isThere, "nobody sees there what an app's code changes"))
struct FullStorageTests {
  private static let write = "{ perform: 'write' }"

  private func failure(_ steps: String...) async throws -> String? {
    try await AppStory(UnnoticedFullApp.self, [Self.write] + steps).run().failure
  }

  @Test func `one write fails, and the step ends as the app's code does`() async throws {
    let full = "{ perform: 'rename', storageFull: { path: 'Documents/lake.txt' } }"
    let gone = "{ expectFiles: { absent: ['Documents/note.txt', 'Documents/lake.txt'] } }"
    #expect(try await failure(full, gone) == nil)
    let again = "{ perform: 'write', storageFull: {} }"
    let kept = "{ expectFile: { path: 'Documents/note.txt', contents: 'Swim across the lake' } }"
    #expect(try await failure(again, kept) == nil)
  }

  @Test func `a write that never comes is named`() async throws {
    let message = try await failure("{ perform: 'rename', storageFull: { path: 'Documents/a' } }")
    #expect(
      message?.hasPrefix(
        "the storage was to be full in this step when the app wrote 'Documents/a', but the step made "
          + "no such change; it made: write 'Documents/lake.txt'") == true, "\(message ?? "")")
  }

  @Test func `a trace that cannot be repeated is counted, and no error of the app`() async throws {
    let story = try await AppStory(OnceApp.self, ["{ perform: 'begin' }", Self.write])
    let result = await story.explored()
    #expect(result.counts.unrepeated.count == 1 && !result.isWrong, "\(result.text)")
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

  @Test func `it can be excluded`() async throws {
    let head = "explore: { without: ['storageFull'], reason: 'the test' },"
    let story = try await AppStory(
      UnnoticedFullApp.self, [Self.write, "{ perform: 'rename' }"],
      head: "files: { '**': 'critical' }, \(head)")
    #expect(await !story.explored().isWrong)
  }
}

/// An app that writes only in the process in which it was started first.
enum OnceApp: AppUnderTest {
  static let actions: AppActions = [
    "write": { action in
      guard action.launchCount == 1 else { return }
      try Data("a".utf8).write(to: action.container.documents.file("a.txt"))
    },
    "begin": { _ in },
    "sign": { action in
      guard action.launchCount == 1 else { throw CocoaError(.userCancelled) }
      try Data("a".utf8).write(to: action.container.documents.file("a.txt"))
    },
  ]
}
