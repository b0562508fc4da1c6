#if os(macOS) || os(Linux)
import BackupExplorationReports
import BackupTesting
import Testing

@testable import BackupExploration
@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

/// Repeating the recorded changes of a save has the same result as the save. If the kit did not see
/// all changes, exploration says so.
@Suite(.enabled(if: TapTrial.isTapAvailable, "nobody sees there what an app's code changes"))
struct SavingTests {
  /// The saves whose changes the kit sees completely.
  private static let seenSaves = [
    "atomic, new", "atomic, over", "in place", "createDirectory", "createFile",
    "moveItem", "copyItem, file", "copyItem, directory", "removeItem", "replaceItemAt", "links",
    "FileHandle", "SQLite, rollback",
    "SQLite, WAL, closed", "SQLite, WAL, open", "child process",
    "defaults", "another order each time", "a folder with a random name", "stdio", "shared mapping",
    "shared mapping, kept",
    "unnamed file", "moved in",
  ]
  /// The saves whose changes the kit does not see, or sees only in part.
  private static let unseenSaves = [
    "shared mapping, in part", "child process with an environment of its own",
  ]

  @Test func `the two lists have each action of the app once`() {
    #expect((Self.seenSaves + Self.unseenSaves).sorted() == SavingApp.actions.names)
  }

  @Test(arguments: seenSaves)
  func `repeating the recorded changes has the same result`(_ kind: String) async throws {
    let (changes, hasSeenAll) = try await record(kind)
    #expect(hasSeenAll && (changes > 0 || kind == "defaults"), "\(changes) changes")
  }

  @Test(arguments: unseenSaves)
  func `the kit knows that it did not see all changes`(_ kind: String) async throws {
    #expect(try await !record(kind).hasSeenAll)
  }

  @Test func `exploration says that the kit did not see all changes`() async throws {
    let trial = try await ExplorationTrial(
      SavingApp.self, ["{ perform: 'shared mapping, in part' }"])
    #expect(trial.result.obstacle == nil && trial.result.counts.stepsWithUnseenChanges.count == 1)
    #expect(trial.result.complaint?.contains("did not see all of its changes") == true)
    #expect(trial.result.text.contains(", not complete"))
  }

  @Test func `exploration says that the changes differ if they are repeated`() async throws {
    let trial = try await ExplorationTrial(
      SavingApp.self, ["{ perform: 'another order each time' }"])
    #expect(trial.result.obstacle == nil)
    #expect(trial.result.counts.stepsWithReorderedChanges == [1])
    #expect(trial.result.counts.crashPoints > 0)
    #expect(trial.result.complaint?.contains("step 1 (perform another order") == true)
    #expect(trial.result.text.contains("NOT THE SAME when repeated, not complete"))
  }

  @Test(arguments: ["createFile", "a folder with a random name"])
  func `exploration of equal changes is complete`(_ kind: String) async throws {
    let trial = try await ExplorationTrial(SavingApp.self, ["{ perform: '\(kind)' }"])
    #expect(trial.result.counts.stepsWithReorderedChanges == [])
    #expect(trial.result.complaint == nil)
    #expect(trial.result.text.contains(", complete"))
  }

  /// Performs a save. Returns the number of recorded changes, and whether the kit saw all changes.
  private func record(_ kind: String) async throws -> (changes: Int, hasSeenAll: Bool) {
    let story = try await AppStory(
      SavingApp.self, ["{ relaunch: {} }", "{ perform: '\(kind)' }"])
    var run = try story.runner.beginRunInDirectory(story.scenario, story.variant)
    defer { run.endApp() }
    try await run.perform(story.scenario.steps[0])
    let before = try run.saved()
    try await run.perform(story.scenario.steps[1])
    run.endApp()
    // On Linux, Foundation's `replaceItemAt` loses data, which is a finding.
    #expect(RuleList.findings(in: run.transcript) == [] || kind == "replaceItemAt")
    let recording = try #require(run.latestRecording)
    return (recording.changes.count, try recording.isComplete && before.isReplayable(recording))
  }
}
#endif
