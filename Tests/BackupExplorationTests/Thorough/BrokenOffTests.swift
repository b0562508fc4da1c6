import BackupApp
import BackupContainer
import BackupDiagnostics
import BackupVerdicts
import Foundation
import Testing
import TrialSupport

@testable import BackupExploration
@testable import BackupExplorationReports
@testable import BackupScenarios

/// Explorations that end before they are done.
@Suite struct `Exploring code of the app's own` {
  /// What exploring two saves comes to, of which each does something more.
  private static func explored(
    _ act: @escaping @Sendable (ActionCall) throws -> Void
  ) async throws -> ExploredScenario {
    let runner = ScenarioRunner(actions: [
      "save": { action in
        try Data("a".utf8).write(to: action.container.documents.appendingPathComponent("a"))
        try act(action)
      }
    ])
    let scenario = try Trial.scenario(["{ perform: 'save' }", "{ perform: 'save' }"])
    return await Task {
      await ExploredScenario(scenario, Scenario.ExplorationBounds(), on: ExplorationStage(runner))
    }.value
  }

  /// Where a device keeps containers.
  private static func archives(of device: URL) -> URL {
    device.appendingPathComponent("Archives", isDirectory: true)
  }

  @Test func `takes what fails since the task was cancelled for no mistake`() async throws {
    let result = try await Self.explored { action in
      guard action.launchCount > 1 else { return }
      withUnsafeCurrentTask { $0?.cancel() }
      throw CocoaError(.fileNoSuchFile)
    }
    #expect(result.counts.shortfall == .cancellation && result.counts.stopped.isEmpty)
    #expect(result.counterexamples.isEmpty && result.earlyStop == nil && result.obstacle == nil)
    #expect(result.complaint?.contains(": the exploration was cancelled") == true)
  }

  @Test func `ends with a sentence if the saved copies take too much`() async throws {
    let number = Locked<UInt8>(0)
    var runner = ScenarioRunner(actions: [
      "save": { action in
        let byte = number.withLock { number in
          number &+= 1
          return number
        }
        try Data(repeating: byte, count: 200_000)
          .write(to: action.container.documents.appendingPathComponent("a"))
      }
    ])
    runner.limits.bytes = 500_000
    let scenario = try Trial.scenario(Array(repeating: "{ perform: 'save' }", count: 4))
    let result = await ExploredScenario(
      scenario, Scenario.ExplorationBounds(), on: ExplorationStage(runner))
    #expect(result.counts.shortfall == .bytes)
    #expect(
      result.complaint == "INCOMPLETE after 0 traces: the limit 'bytes' was reached (save smaller "
        + "files, use fewer steps, or raise 'limits: .init(bytes:)' or --limit bytes); the saved "
        + "copies of the container take 600.0 KB, the recorded changes take 0 bytes, and each may "
        + "take 500.0 KB")
    let isGreen = ExplorationReport([result], leftOut: 0).isGreen
    #expect(!isGreen)
  }

  @Test func `ends with a sentence where a container that was kept is gone`() async throws {
    let result = try await Self.explored { action in
      guard action.launchCount > 1 else { return }
      var device = action.container.url
      while device.path != "/",
        !FileManager.default.fileExists(atPath: Self.archives(of: device).path)
      {
        device.deleteLastPathComponent()
      }
      guard device.path != "/" else { return }
      try FileManager.default.removeItem(at: Self.archives(of: device))
    }
    #expect(result.hasFailed && result.counterexamples.isEmpty && result.counts.isComplete)
    let earlyStop = try #require(result.earlyStop)
    #expect(
      earlyStop.hasPrefix("one of the runs with injected events stopped early at "), "\(earlyStop)")
    #expect(
      earlyStop.contains(
        ": the container cannot be returned to its saved state: "), "\(earlyStop)")
  }

  @Test func `takes a process that the machine refuses for no mistake`() async throws {
    let result = try await Self.explored { action in
      if action.launchCount > 1 { throw AppFailure("no process", because: EMFILE) }
    }
    #expect(result.counterexamples.isEmpty && result.earlyStop?.contains("no process") == true)
  }

  @Test func `says whatever the machine refuses, an action or a backup`() async throws {
    let scenario = try Trial.scenario([
      "{ save: 'Library/Caches/a', size: 9 }", "{ perform: 'save' }", "{ updateApp: '2.0' }",
    ])
    var number = 0
    var isRefused = true
    while isRefused {
      number += 1
      // How many are left until one is refused.
      let left = Locked(number)
      @Sendable func isNext() -> Bool {
        left.withLock { left in
          left -= 1
          return left == 0
        }
      }
      var runner = ScenarioRunner(actions: [
        "save": { action in
          if isNext() { throw POSIXError(.EMFILE) }
          try Data("a".utf8).write(to: action.container.documents.appendingPathComponent("a"))
        }
      ])
      runner.whenBackedUp = { _, _, _ throws(RunError) in
        if isNext() { throw RunError(path: "a", reason: "cannot be read", isMachineFault: true) }
      }
      var stage = ExplorationStage(runner)
      stage.hasPassed = true
      var result = await ExploredScenario(scenario, Scenario.ExplorationBounds(), on: stage)
      _ = await UpdateDependence.all(in: &result, Scenario.ExplorationBounds(), on: stage)
      isRefused = left.withLock { $0 <= 0 }
      #expect(result.hasFailed == isRefused, "number \(number): \(result.text)")
    }
    #expect(number > 20)
  }
}
