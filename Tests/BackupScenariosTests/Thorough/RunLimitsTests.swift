import BackupContainer
import BackupDiagnostics
import BackupFileTree
import Foundation
import Testing
import TrialSupport

@testable import BackupScenarios
@testable import BackupVerdicts

/// A run stops before it takes more work or bytes than its limits allow.
@Suite struct `A limit of a run` {
  /// Returns the transcript of a run with these limits.
  private func transcript(
    _ steps: [String], _ limits: Scenario.RunLimits, _ other: String = "",
    actions: AppActions = AppActions()
  ) async throws -> Transcript {
    var runner = ScenarioRunner(actions: actions)
    runner.alwaysUsesDirectory = true
    runner.limits = limits
    return try await Trial.transcript(steps, other, runner: runner)
  }

  /// Returns the failure of a run with these limits, such as `step 2: message`; nil if it succeeds.
  private func failure(
    _ steps: [String], _ limits: Scenario.RunLimits, _ other: String = ""
  ) async throws -> String? {
    try await transcript(steps, limits, other).failure.map { "\($0.step): \($0.message)" }
  }

  /// Returns the number of items in a new container.
  private func newContainerCount() async throws -> Int {
    try await Trial.transcript(["{ backup: 'a' }"]).lastTree.amount.itemCount
  }

  /// Pairs of steps. Each pair doubles the items in a directory.
  private static let doubling =
    ["{ createDirectory: 'Documents/a' }", "{ save: 'Documents/a/f', contents: '12345678' }"]
    + (0..<40).flatMap {
      ["{ copy: 'Documents/a', to: 'tmp/b' }", "{ move: 'tmp/b', to: 'Documents/a/\($0)' }"]
    }

  /// Returns the work of steps, which a binary search finds.
  private func work(_ steps: [String], _ other: String = "") async throws -> Int {
    var (low, high) = (0, 100_000)
    while low < high {
      let middle = (low + high) / 2
      let isEnough = try await failure(steps, Scenario.RunLimits(work: middle), other) == nil
      (low, high) = isEnough ? (low, middle) : (middle + 1, high)
    }
    return low
  }

  @Test func `stops the run before it creates too many items`() async throws {
    let transcript = try await transcript(Self.doubling, Scenario.RunLimits(work: 20_000))
    let failure = try #require(transcript.failure)
    #expect(failure.message.hasPrefix("with this step the run would take "))
    #expect(failure.message.contains("(an item created counts 20, an item examined counts 1)"))
    #expect(
      failure.message.contains(", and the limit of a run is 20000, which protects"))
    #expect(
      failure.message.contains("scenario.run(options: .init(limits: .init(work: …))) in a test"))
    #expect(failure.message.hasSuffix("--limit work=… on the command line"))
    #expect(failure.step.position.line > 2)
    // The existing items took less than the limit, and the next copy would have taken more.
    #expect((250...1000).contains(transcript.lastTree.amount.itemCount))
  }

  @Test func `of work has a default`() async throws {
    // The test tries only a hundredth of the default, so that it stays fast.
    var limits = Scenario.RunLimits()
    #expect(limits.work == 1_000_000)
    limits.work /= 100
    let failure = try await failure(Self.doubling, limits)
    #expect(failure?.contains("the limit of a run is 10000") == true)
  }

  @Test(
    arguments: [
      ("{ save: 'tmp/f', size: 1 }", 1), ("{ save: 'tmp/f', contents: 'x' }", 1),
      ("{ link: 'tmp/l', to: 'x' }", 1), ("{ createDirectory: 'tmp/d' }", 1),
      ("{ createDirectory: 'tmp/a/b/c' }", 3), ("{ copy: 'tmp/e', to: 'tmp/c' }", 2),
      ("{ move: 'tmp/e', to: 'tmp/c' }", 0), ("{ remove: 'tmp/e' }", 0),
    ])
  func `counts a step and each item that it creates`(step: String, items: Int) async throws {
    let before = ["{ createDirectory: 'tmp/e' }", "{ save: 'tmp/e/f', size: 1 }"]
    let cost = try await work(before + [step]) - work(before)
    #expect(cost == 20 * (1 + items))
  }

  @Test(
    arguments: [
      "{ backup: 'a' }", "{ updateApp: '2' }", "{ offload: {} }", "{ reinstall: {} }",
      "{ purge: 'lowStorage' }",
    ])
  func `counts each item that a step examines`(step: String) async throws {
    let before = (1...7).map { "{ save: 'tmp/\($0)', size: 1 }" }
    let cost = try await work(before + [step]) - work(before)
    #expect(cost == 20 + (try await newContainerCount()) + 7)
  }

  @Test(arguments: ["expectFiles: { absent: ['tmp/*.txt'] }", "expectBackup: { lacks: ['tmp/*'] }"])
  func `counts each item that an assertion examines`(assertion: String) async throws {
    let before = (1...7).map { "{ save: 'tmp/\($0)', size: 1 }" } + ["{ backup: 'b' }"]
    let cost = try await work(before + ["{ \(assertion) }"]) - work(before)
    // It examines the items in the directory, and not the whole container.
    #expect(cost >= 20 && cost <= 20 + 8)
    let stepsWithMoreItems = before + ["{ createDirectory: 'Documents/a' }"]
    #expect(
      try await work(stepsWithMoreItems + ["{ \(assertion) }"]) - work(stepsWithMoreItems) == cost)
  }

  @Test func `counts each item that a restore creates`() async throws {
    let before = ["{ save: 'Documents/f', size: 1 }", "{ backup: 'b' }"]
    let cost = try await work(before + ["{ restore: 'b' }"]) - work(before)
    #expect(cost == 20 * (1 + (try await newContainerCount()) + 1))
  }

  @Test func `counts copied bytes`() async throws {
    let text = String(repeating: "x", count: 100_000)
    let before = ["{ save: 'tmp/a', contents: '\(text)' }"]
    let cost = try await work(before + ["{ copy: 'tmp/a', to: 'tmp/b' }"]) - work(before)
    #expect(cost >= 20 * 2 + 10)
    #expect(cost < 20 * 2 + 20)
  }

  @Test func `of work is used linearly in the number of steps`() async throws {
    for count in [10, 20, 40] {
      let cost = try await work((0..<count).map { "{ save: 'tmp/\($0)', size: 1 }" })
      #expect(cost == 40 * count)
    }
  }

  @Test func `stops a copy bomb before the copies that take longest`() async throws {
    let transcript = try await transcript(Self.doubling, Scenario.RunLimits(work: 10_000))
    let changeCount = transcript.entries.reduce(0) { sum, entry in
      if case .changes(let changes) = entry.event { sum + changes.count } else { sum }
    }
    #expect(changeCount <= 10_000 / 20 + transcript.entries.count)
  }

  @Test(arguments: [0, 5]) func `counts the files that the app's own code created`(count: Int)
    async throws
  {
    let files: AppActions = [
      "make": { action in
        for number in 0..<count {
          try Data(repeating: 1, count: 30_000).write(
            to: action.container.temporary.appendingPathComponent("\(number)"))
        }
      }
    ]
    let steps = ["{ perform: 'make' }", "{ save: 'tmp/f', contents: 'x' }"]
    let failure = try await transcript(
      steps, Scenario.RunLimits(bytes: 100_000), actions: files
    ).failure
    #expect(failure.map { "\($0.step)" } == (count == 0 ? nil : "step 2"))
    #expect(count == 0 || failure?.message.contains("the limit of a run is") == true)
  }

  @Test func `of bytes counts only existing files`() async throws {
    let step = ["{ save: 'tmp/f', contents: 'some text' }", "{ remove: 'tmp/f' }"]
    let manySaves = Array(repeating: step, count: 50).flatMap(\.self)
    let limits = Scenario.RunLimits(bytes: 20_000)
    #expect(try await failure(manySaves, limits) == nil)
    let purged = "{ save: 'tmp/f', contents: 'some text' }"
    let purges = Array(repeating: [purged, "{ purge: 'criticalStorage' }"], count: 20)
    #expect(try await failure(purges.flatMap(\.self), limits) == nil)
  }

  @Test func `is no failure that a step can require`() async throws {
    let steps = ["{ save: 'tmp/f', size: 1, throws: true }"]
    let failure = try await failure(steps, Scenario.RunLimits(work: 1))
    #expect(failure?.hasPrefix("step 1: with this step the run would take 20 units") == true)
  }

  @Test func `is reported at a launch step`() async throws {
    let other = "launch: [{ createDirectory: 'tmp/a' }]"
    let failure = try await failure(
      ["{ save: 'tmp/f', size: 1 }"], Scenario.RunLimits(work: 1), other)
    #expect(failure?.hasPrefix("launch step 1") == true)
  }

  @Test func `of bytes stops the run before a copy`() async throws {
    let text = String(repeating: "x", count: 30_000)
    let steps = [
      "{ save: 'tmp/a', contents: '\(text)' }", "{ copy: 'tmp/a', to: 'tmp/b' }",
      "{ append: 'tmp/b', contents: '\(text)' }", "{ copy: 'tmp/b', to: 'tmp/c' }",
    ]
    let failure = try await failure(steps, Scenario.RunLimits(bytes: 120_000))
    #expect(failure?.hasPrefix("step 4: files and backups would take 1") == true)
    #expect(failure?.contains("the limit of a run is 120.0 KB") == true)
    #expect(try await self.failure(steps, Scenario.RunLimits(bytes: 200_000)) == nil)
  }

  @Test func `of bytes does not count files that have only a size`() async throws {
    let steps =
      ["{ save: 'tmp/a', size: '900 GB' }"] + (0..<5).map { "{ copy: 'tmp/a', to: 'tmp/\($0)' }" }
    #expect(try await failure(steps, Scenario.RunLimits(bytes: 100_000)) == nil)
  }

  @Test func `of bytes counts backups that are kept for a restore`() async throws {
    let text = String(repeating: "x", count: 30_000)
    let steps =
      ["{ save: 'Documents/a', contents: '\(text)' }", "{ backup: 'never restored' }"]
      + (1...4).map { "{ backup: '\($0)' }" } + (1...4).map { "{ restore: '\($0)' }" }
    let failure = try await failure(steps, Scenario.RunLimits(bytes: 120_000))
    #expect(failure?.hasPrefix("step 5: files and backups would take ") == true)
    #expect(try await self.failure(steps, Scenario.RunLimits(bytes: 300_000)) == nil)
  }

  @Test func `makes the result an error, which is not recorded`() async throws {
    var suite = ScenarioSuite(goldens: nil, recordMode: .all)
    suite.runner.limits.work = 1
    let result = try #require(
      await suite.run(try Trial.scenario(["{ save: 'tmp/f', size: 1 }", "{ backup: 'a' }"])))
    #expect(result.verdict == .error)
    #expect(result.problems.map(\.kind) == [.brokenOff])
    #expect(result.problems.map(\.position.line) == [2])
  }

  @Test(
    arguments: [
      ("wor=5", "unknown limit 'wor'; did you mean 'work'?"), ("work", "is not a limit"),
      ("work=", "is not a limit"), ("bytes=0", "is not a limit"), ("searched=-1", "is not a limit"),
      ("work=1e6", "expected work= and a whole number of at least 1"), ("=5", "unknown limit"),
    ])
  func `that is invalid is refused`(text: String, reason: String) {
    var limits = Scenario.RunLimits()
    let error = #expect(throws: RunError.self) { try limits.set(text) }
    #expect(error?.description.contains(reason) == true)
    #expect(limits == Scenario.RunLimits())
  }

  @Test func `is set by its name`() throws {
    var limits = Scenario.RunLimits()
    for text in ["work=1", "bytes=2", "searched=3"] { try limits.set(text) }
    #expect(limits == Scenario.RunLimits(work: 1, bytes: 2, searched: 3))
  }
}
