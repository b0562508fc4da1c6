import BackupApp
import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupRules
import BackupVerdicts
import Foundation
import Testing
import TrialSupport

@testable import BackupExploration
@testable import BackupExplorationReports
@testable import BackupScenarios

/// Explorations of the app's own code that end too early.
@Suite struct `Exploring code of the app's own` {
  /// Explores two `perform` steps. Their action saves a file and then calls `continuation`. The
  /// file is so large that saved containers have its data on disk.
  private static func explored(
    _ continuation: @escaping @Sendable (ActionCall) throws -> Void
  ) async throws -> ExploredScenario {
    let runner = ScenarioRunner(actions: [
      "save": { action in
        try Data(repeating: 1, count: 100_000)
          .write(to: action.container.documents.appendingPathComponent("a"))
        try continuation(action)
      }
    ])
    let scenario = try Trial.scenario(["{ perform: 'save' }", "{ perform: 'save' }"])
    return await Task {
      await ExploredScenario(scenario, Scenario.ExplorationBounds(), on: ExplorationStage(runner))
    }.value
  }

  /// The directory in which a fake device keeps saved containers.
  private static func archives(of device: URL) -> URL {
    device.appendingPathComponent("Archives", isDirectory: true)
  }

  @Test func `does not report a failure after the task was cancelled`() async throws {
    let result = try await Self.explored { action in
      guard action.launchCount > 1 else { return }
      withUnsafeCurrentTask { $0?.cancel() }
      throw CocoaError(.fileNoSuchFile)
    }
    #expect(result.counts.reachedLimit == .cancellation && result.counts.stoppedTraces.isEmpty)
    #expect(
      result.counterexamples.isEmpty && result.earlyStopReason == nil && result.obstacle == nil)
    #expect(result.complaint?.contains(": the exploration was cancelled") == true)
  }

  @Test func `says so if the saved copies take too much space`() async throws {
    let saveCount = Locked<UInt8>(0)
    var runner = ScenarioRunner(actions: [
      "save": { action in
        let byte = saveCount.withLock { count in
          count &+= 1
          return count
        }
        try Data(repeating: byte, count: 200_000)
          .write(to: action.container.documents.appendingPathComponent("a"))
      }
    ])
    runner.limits.bytes = 500_000
    let scenario = try Trial.scenario(Array(repeating: "{ perform: 'save' }", count: 4))
    let result = await ExploredScenario(
      scenario, Scenario.ExplorationBounds(), on: ExplorationStage(runner))
    #expect(result.counts.reachedLimit == .bytes)
    #expect(
      result.complaint == "INCOMPLETE after 0 traces: the limit 'bytes' was reached (save smaller "
        + "files, use fewer steps, or raise 'limits: .init(bytes:)' or --limit bytes); the saved "
        + "copies of the container take 600.0 KB, the recorded changes take 0 bytes, and each may "
        + "take 500.0 KB")
    let isGreen = ExplorationReport([result], skippedScenarioCount: 0).isGreen
    #expect(!isGreen)
  }

  @Test func `says so if a saved container is gone`() async throws {
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
    #expect(result.hasFailed && result.counterexamples.isEmpty && result.counts.isWithinLimits)
    let earlyStop = try #require(result.earlyStopReason)
    #expect(
      earlyStop.hasPrefix("one of the runs with injected events stopped early at "), "\(earlyStop)")
    #expect(
      earlyStop.contains(
        ": the container cannot be returned to its saved state: "), "\(earlyStop)")
  }

  @Test func `does not blame the app if the machine refuses a process`() async throws {
    let result = try await Self.explored { action in
      if action.launchCount > 1 { throw AppFailure("no process", because: EMFILE) }
    }
    #expect(
      result.counterexamples.isEmpty && result.earlyStopReason?.contains("no process") == true)
  }

  @Test func `reports what one iOS showed if the machine refuses an action under the next`()
    async throws
  {
    let runner = ScenarioRunner(actions: [
      "save": { action in
        if action.system.description != "9" { throw POSIXError(.EMFILE) }
      }
    ])
    let steps = [
      "{ save: 'Library/Caches/a', size: 1 }", "{ relaunch: {} }", "{ read: 'Library/Caches/a' }",
      "{ perform: 'save' }",
    ]
    let scenario = try Trial.scenario(
      steps, "system: ['9', '26'], explore: { without: ['updateSystem'], reason: 'the test' }")
    var stage = ExplorationStage(runner)
    stage.hasPassedWithoutEvents = true
    let result = await ExploredScenario(scenario, Scenario.ExplorationBounds(), on: stage)
    #expect(result.counterexamples.first?.finding.rule == "exists-before-use", "\(result.text)")
    #expect(
      result.earlyStopReason?.hasPrefix("the exploration under iOS 26") == true, "\(result.text)")
    #expect(result.hasFailed && result.machineFault != nil && result.counts.traces > 0)
  }

  @Test func `fails if the machine refuses any action or backup`() async throws {
    let scenario = try Trial.scenario([
      "{ save: 'Library/Caches/a', size: 9 }", "{ perform: 'save' }", "{ updateApp: '2.0' }",
    ])
    var refusedCall = 0
    var isRefused = true
    while isRefused {
      refusedCall += 1
      let callsUntilRefusal = Locked(refusedCall)
      @Sendable func refusesNextCall() -> Bool {
        callsUntilRefusal.withLock { calls in
          calls -= 1
          return calls == 0
        }
      }
      var runner = ScenarioRunner(actions: [
        "save": { action in
          if refusesNextCall() { throw POSIXError(.EMFILE) }
          try Data("a".utf8).write(to: action.container.documents.appendingPathComponent("a"))
        }
      ])
      runner.whenBackedUp = { _, _, _ throws(RunError) in
        if refusesNextCall() {
          throw RunError(unavailablePath: "a", reason: "cannot be read", isMachineFault: true)
        }
      }
      var stage = ExplorationStage(runner)
      stage.hasPassedWithoutEvents = true
      var result = await ExploredScenario(scenario, Scenario.ExplorationBounds(), on: stage)
      _ = await UpdateLossProblem.all(in: &result, Scenario.ExplorationBounds(), on: stage)
      isRefused = callsUntilRefusal.withLock { $0 <= 0 }
      #expect(result.hasFailed == isRefused, "number \(refusedCall): \(result.text)")
    }
    #expect(refusedCall > 20)
  }
}
