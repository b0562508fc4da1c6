import BackupContainer
import BackupDiagnostics
import BackupFileTree
import Foundation
import Testing
import TrialSupport

@testable import BackupScenarios
@testable import BackupVerdicts

/// Scenario files that take more of the machine than a run may.
@Suite struct `A limit of a run` {
  /// What happens in a run with these limits.
  private func transcript(
    _ steps: [String], _ limits: Scenario.RunLimits, _ other: String = "",
    actions: AppActions = AppActions()
  ) async throws -> Transcript {
    var runner = ScenarioRunner(actions: actions)
    runner.limits = limits
    return try await Trial.transcript(steps, other, runner: runner)
  }

  /// How a run with these limits ends: `step 2: message`, nil at its end.
  private func failure(
    _ steps: [String], _ limits: Scenario.RunLimits, _ other: String = ""
  ) async throws -> String? {
    try await transcript(steps, limits, other).failure.map { "\($0.step): \($0.message)" }
  }

  /// How many items a new container has.
  private func firstCount() async throws -> Int {
    try await Trial.transcript(["{ backup: 'a' }"]).lastTree.amount.items
  }

  /// Pairs of steps, each of which doubles what is in a directory.
  private static let doubling =
    ["{ createDirectory: 'Documents/a' }", "{ save: 'Documents/a/f', contents: '12345678' }"]
    + (0..<40).flatMap {
      ["{ copy: 'Documents/a', to: 'tmp/b' }", "{ move: 'tmp/b', to: 'Documents/a/\($0)' }"]
    }

  @Test func `is met before items are made, not after`() async throws {
    let transcript = try await transcript(Self.doubling, Scenario.RunLimits(items: 1000))
    let failure = try #require(transcript.failure)
    #expect(failure.message.hasPrefix("the container would have 1"))
    #expect(failure.message.contains(", and the limit of a run is 1000, for a scenario file may"))
    #expect(
      failure.message.contains("scenario.run(limits: Scenario.RunLimits(items: …)) in a test"))
    #expect(failure.message.hasSuffix("--limit items=… on the command line"))
    #expect(failure.step.position.line > 2)
    #expect((500...1000).contains(transcript.lastTree.amount.items))
  }

  @Test func `of items holds where nobody sets one`() async throws {
    var steps = ["{ createDirectory: 'tmp/a' }"]
    for number in 0..<50 {
      steps += ["{ copy: 'tmp/a', to: 'tmp/b' }", "{ move: 'tmp/b', to: 'tmp/a/\(number)' }"]
    }
    // So that the test itself stays small, a tenth of it is tried.
    var limits = Scenario.RunLimits()
    #expect(limits.items == 100_000)
    limits.items /= 10
    let failure = try await failure(steps, limits)
    #expect(failure?.contains("the limit of a run is 10000") == true)
  }

  @Test(
    arguments: [
      "{ save: 'tmp/f', size: 1 }", "{ save: 'tmp/f', contents: 'x' }",
      "{ link: 'tmp/l', to: 'x' }",
      "{ createDirectory: 'tmp/d' }", "{ copy: 'tmp/e', to: 'tmp/c' }",
    ])
  func `of items is met by one more, and not before`(step: String) async throws {
    let count = try await firstCount() + 1
    let steps = ["{ createDirectory: 'tmp/e' }", step]
    #expect(try await failure(steps, Scenario.RunLimits(items: count + 1)) == nil)
    let message = try await failure(steps, Scenario.RunLimits(items: count))
    #expect(
      message?.hasPrefix("step 2: the container would have \(count + 1) items, and the limit")
        == true)
  }

  @Test func `counts the directories that are made on the way`() async throws {
    let count = try await firstCount()
    let step = "{ createDirectory: 'tmp/a/b/c' }"
    #expect(try await failure([step], Scenario.RunLimits(items: count + 3)) == nil)
    #expect(try await failure([step], Scenario.RunLimits(items: count + 2)) != nil)
  }

  @Test(arguments: [0, 5]) func `counts what the app's own code has made`(count: Int) async throws {
    let files: AppActions = [
      "make": { action in
        for number in 0..<count {
          try Data(repeating: 1, count: 30_000).write(
            to: action.container.temporary.appendingPathComponent("\(number)"))
        }
      }
    ]
    let steps = ["{ perform: 'make' }", "{ save: 'tmp/f', contents: 'x' }"]
    let items = try await firstCount() + 5
    let limits = [Scenario.RunLimits(items: items), Scenario.RunLimits(bytes: 100_000)]
    for limit in limits {
      let failure = try await transcript(steps, limit, actions: files).failure
      #expect(failure.map { "\($0.step)" } == (count == 0 ? nil : "step 2"))
      #expect(count == 0 || failure?.message.contains("the limit of a run is") == true)
    }
  }

  @Test func `is for what is there, not for what was`() async throws {
    let step = ["{ save: 'tmp/f', contents: 'some text' }", "{ remove: 'tmp/f' }"]
    let many = Array(repeating: step, count: 50).flatMap(\.self)
    let limits = Scenario.RunLimits(items: try await firstCount() + 1, bytes: 20_000)
    #expect(try await failure(many, limits) == nil)
    let purged = "{ save: 'tmp/f', contents: 'some text' }"
    let purges = Array(repeating: [purged, "{ purge: 'criticalStorage' }"], count: 20)
    #expect(try await failure(purges.flatMap(\.self), limits) == nil)
  }

  @Test func `is no failure that a step may ask for`() async throws {
    let steps = ["{ save: 'tmp/f', size: 1, throws: true }"]
    let failure = try await failure(steps, Scenario.RunLimits(items: 1))
    #expect(failure?.hasPrefix("step 1: the container would have") == true)
  }

  @Test func `is named at a step of the app's start`() async throws {
    let other = "launch: [{ createDirectory: 'tmp/a' }]"
    let failure = try await failure(
      ["{ save: 'tmp/f', size: 1 }"], Scenario.RunLimits(items: 1), other)
    #expect(failure?.hasPrefix("launch step 1") == true)
  }

  @Test func `of bytes is met before a copy is made`() async throws {
    let text = String(repeating: "x", count: 30_000)
    let steps = [
      "{ save: 'tmp/a', contents: '\(text)' }", "{ copy: 'tmp/a', to: 'tmp/b' }",
      "{ append: 'tmp/b', contents: '\(text)' }", "{ copy: 'tmp/b', to: 'tmp/c' }",
    ]
    let failure = try await failure(steps, Scenario.RunLimits(bytes: 120_000))
    #expect(failure?.hasPrefix("step 4: files and what is kept of backups would take 1") == true)
    #expect(failure?.contains("the limit of a run is 120000") == true)
    #expect(try await self.failure(steps, Scenario.RunLimits(bytes: 200_000)) == nil)
  }

  @Test func `of bytes is not met by files that are made by their size`() async throws {
    let steps =
      ["{ save: 'tmp/a', size: '900 GB' }"] + (0..<5).map { "{ copy: 'tmp/a', to: 'tmp/\($0)' }" }
    #expect(try await failure(steps, Scenario.RunLimits(bytes: 100_000)) == nil)
  }

  @Test func `of bytes is met by backups that are kept for a restore`() async throws {
    let text = String(repeating: "x", count: 30_000)
    let steps =
      ["{ save: 'Documents/a', contents: '\(text)' }", "{ backup: 'never restored' }"]
      + (1...4).map { "{ backup: '\($0)' }" } + (1...4).map { "{ restore: '\($0)' }" }
    let failure = try await failure(steps, Scenario.RunLimits(bytes: 120_000))
    #expect(failure?.hasPrefix("step 5: files and what is kept of backups") == true)
    #expect(try await self.failure(steps, Scenario.RunLimits(bytes: 300_000)) == nil)
  }

  @Test(
    arguments: ["{ backup: 'a' }", "{ updateApp: '2' }", "{ restore: 'first' }"])
  func `of items that the system's steps are about is met by one more step`(
    step: String
  ) async throws {
    let steps = ["{ backup: 'first' }", step, step]
    let count = try await firstCount()
    #expect(try await failure(steps, Scenario.RunLimits(listed: 3 * count)) == nil)
    let message = try await failure(steps, Scenario.RunLimits(listed: 3 * count - 1))
    #expect(message?.hasPrefix("step 3: backups, updates and restores would be about") == true)
  }

  @Test func `of time is met by the kit's steps and not by the app's own code`() async throws {
    let seconds = Locked(0)
    var runner = ScenarioRunner(actions: ["wait": { _ in seconds.withLock { $0 += 100 } }])
    runner.uptime = { .seconds(seconds.withLock { $0 }) }
    runner.limits.seconds = 10
    let steps = ["{ perform: 'wait' }", "{ save: 'tmp/a', size: 1 }", "{ perform: 'wait' }"]
    #expect(try await Trial.transcript(steps, runner: runner).failure == nil)
    // Each look at the clock takes a second now.
    runner.uptime = {
      .seconds(
        seconds.withLock { seconds in
          seconds += 1
          return seconds
        })
    }
    let saves = (0..<20).map { "{ save: 'tmp/\($0)', size: 1 }" }
    let failure = try #require(try await Trial.transcript(saves, runner: runner).failure)
    #expect(failure.message.hasPrefix("the steps before this one took 11 seconds, and the limit"))
    #expect(failure.message.contains("Scenario.RunLimits(seconds: …)"))
  }

  @Test func `of time is met by a story's own steps, and not while others go on`() async throws {
    let seconds = Locked(0)
    var runner = ScenarioRunner(actions: [:])
    runner.uptime = { .seconds(seconds.withLock { $0 }) }
    runner.limits.seconds = 10
    let scenario = try Trial.scenario(["{ save: 'tmp/a', size: 1 }", "{ save: 'tmp/b', size: 1 }"])
    var story = try runner.steppedRun(scenario, scenario.variants[0])
    try await story.perform(scenario.steps[0])
    var copy = try story.saved()
    seconds.withLock { $0 += 100 }
    try await copy.perform(scenario.steps[1])
    #expect(copy.transcript.lastTree.paths.contains { $0.string == "tmp/b" })
  }

  @Test func `breaks the run off, which is never green nor recorded`() async throws {
    var suite = ScenarioSuite(goldens: nil, recordMode: .all)
    suite.runner.limits.items = 1
    let result = try #require(
      await suite.run(try Trial.scenario(["{ save: 'tmp/f', size: 1 }", "{ backup: 'a' }"])))
    #expect(result.verdict == .error)
    #expect(result.problems.map(\.kind) == [.brokenOff])
    #expect(result.problems.map(\.position.line) == [2])
  }

  @Test(
    arguments: [
      ("item=5", "there is no limit 'item'; did you mean 'items'?"), ("items", "sets no limit"),
      ("items=", "sets no limit"), ("bytes=0", "sets no limit"), ("seconds=-1", "sets no limit"),
      ("listed=1e6", "expected listed= and a whole number from 1 on"), ("=5", "there is no limit"),
    ])
  func `that is none is refused`(words: String, reason: String) {
    var limits = Scenario.RunLimits()
    let error = #expect(throws: RunError.self) { try limits.set(words) }
    #expect(error?.description.contains(reason) == true)
    #expect(limits == Scenario.RunLimits())
  }

  @Test func `is set by its name`() throws {
    var limits = Scenario.RunLimits()
    for words in ["items=1", "bytes=2", "listed=3", "seconds=4"] { try limits.set(words) }
    #expect(limits == Scenario.RunLimits(items: 1, bytes: 2, listed: 3, seconds: 4))
  }
}
