#if os(macOS) || os(Linux)
import BackupExplorationReports
import BackupTesting
import Testing

@testable import BackupExploration
@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

/// Kinds of saves: each is recorded so that doing it again comes to the same, or exploration says that
/// not all of it was seen.
@Suite(.enabled(if: TapTrial.isThere, "nobody sees there what an app's code changes"))
struct SavingTests {
  private static let seen = [
    "atomic, new", "atomic, over", "in place", "string", "createDirectory", "createFile",
    "moveItem", "copyItem, file", "copyItem, directory", "removeItem", "replaceItemAt", "links",
    "FileHandle", "OutputStream", "property list", "thread", "SQLite, rollback",
    "SQLite, WAL, closed", "SQLite, WAL, open", "child process",
    "defaults", "another order each time", "a folder with a random name", "stdio", "shared mapping",
    "shared mapping, kept",
    "unnamed file", "moved in",
  ]
  /// Those that are not, or in part: shared mappings that are unmapped in part, and processes that do not
  /// have the tap.
  private static let unseen = [
    "shared mapping, in part", "child process with an environment of its own",
  ]

  @Test func `the table has each of them once`() {
    #expect((Self.seen + Self.unseen).sorted() == SavingApp.actions.names)
  }

  @Test(arguments: seen)
  func `what is seen comes to the same when it is done again`(_ kind: String) async throws {
    let (changes, isSeen) = try await record(kind)
    #expect(isSeen && (changes > 0 || kind == "defaults"), "\(changes) changes")
  }

  @Test(arguments: unseen)
  func `what is not seen is known not to be`(_ kind: String) async throws {
    #expect(try await !record(kind).isSeen)
  }

  @Test func `exploration says that not all was seen`() async throws {
    let trial = try await ExplorationTrial(
      SavingApp.self, ["{ perform: 'shared mapping, in part' }"])
    #expect(trial.result.obstacle == nil && trial.result.counts.unseenSteps.count == 1)
    #expect(trial.result.complaint?.contains("did not see all of its changes") == true)
    #expect(trial.result.text.contains(", not complete"))
  }

  @Test func `exploration says that changes are not alike if they are done again`() async throws {
    let trial = try await ExplorationTrial(
      SavingApp.self, ["{ perform: 'another order each time' }"])
    #expect(trial.result.obstacle == nil)
    #expect(trial.result.counts.reorderedSteps == [1])
    #expect(trial.result.counts.crashPoints > 0)
    #expect(trial.result.complaint?.contains("step 1 (perform another order") == true)
    #expect(trial.result.text.contains("NOT THE SAME when repeated, not complete"))
  }

  @Test(arguments: ["createFile", "a folder with a random name"])
  func `changes that are alike are complete`(_ kind: String) async throws {
    let trial = try await ExplorationTrial(SavingApp.self, ["{ perform: '\(kind)' }"])
    #expect(trial.result.counts.reorderedSteps == [])
    #expect(trial.result.complaint == nil)
    #expect(trial.result.text.contains(", complete"))
  }

  /// Saves in a way; returns how many changes were recorded, and whether those are all.
  private func record(_ kind: String) async throws -> (changes: Int, isSeen: Bool) {
    let story = try await AppStory(
      SavingApp.self, ["{ relaunch: {} }", "{ perform: '\(kind)' }"])
    var run = try story.runner.runInDirectory(story.scenario, story.variant)
    defer { run.endApp() }
    try await run.perform(story.scenario.steps[0])
    let before = try run.saved()
    try await run.perform(story.scenario.steps[1])
    run.endApp()
    // Foundation's own on Linux loses data, and says so.
    #expect(RuleList.findings(in: run.transcript) == [] || kind == "replaceItemAt")
    let recording = try #require(run.latestRecording)
    return (recording.changes.count, try recording.isComplete && before.isReplayable(recording))
  }
}
#endif
