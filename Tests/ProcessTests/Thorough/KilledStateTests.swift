#if os(macOS) || os(Linux)
import TestSupport
import Testing

@testable import BackupContainer
@testable import BackupExploration
@testable import BackupScenarios
@testable import BackupTesting

/// Repeating the recorded changes before a crash point has the same result as a kill at that point.
@Suite(.enabled(if: TapTrial.isTapAvailable, "nobody sees there what an app's code changes"))
struct KilledStateTests {
  /// The seeded apps that save the same bytes in each process. The other apps save JSON, whose keys
  /// have a different order in each process.
  private static let apps = (SeededApp.wrong + SeededApp.right).filter { seeded in
    !["Converting", "Retitl", "Unlisting"].contains(where: seeded.testDescription.hasPrefix)
  }

  @Test(arguments: Thoroughness.every(8, of: apps))
  func `repeating the changes before a kill has the same result as the kill`(
    _ seeded: SeededApp
  ) async throws {
    let story = try await seeded.story()
    let host = try #require(story.runner.host as? ProcessHost)
    let killing = KillingHost(host)
    var runner = story.runner
    runner.host = killing
    var run = try runner.beginRunInDirectory(story.scenario, story.variant)
    for step in story.scenario.steps {
      var before = try run.saved()
      run.endApp()
      before.endApp()
      run = before
      try await run.perform(step)
      let after = try run.saved()
      run.endApp()
      if let recording = run.latestRecording, recording.isComplete, step.runsCode {
        try await compare(recording, killing, from: before, in: step)
      }
      run = after
      try run.resetContainer()
    }
  }

  /// Kills the app before each change of a step. Compares the result with a repetition of the
  /// recorded changes before the kill.
  private func compare(
    _ recording: Recording, _ host: KillingHost, from before: ScenarioRun, in step: Scenario.Step
  ) async throws {
    let container = try #require(host.container)
    for number in 1... {
      try before.resetContainer()
      var killed = before
      defer { killed.endApp() }
      let isKilled = await host.killing(before: number) {
        do throws(Transcript.Failure) {
          try await killed.perform(step)
          return false
        } catch {
          #expect(error.message.contains("signal 9"), "\(error)")
          return true
        }
      }
      killed.endApp()
      let count = try #require(killed.latestRecording).changes.count
      let afterKill = DiskState(try #require(try container.replayed([])))
      try before.resetContainer()
      let replayed = try #require(try container.replayed(Array(recording.changes.prefix(count))))
      #expect(
        afterKill == DiskState(replayed), "before change \(number) of \(step.reference.summary)")
      guard isKilled else {
        #expect(count == recording.changes.count)
        return
      }
    }
  }
}
#endif
