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
    runner.isOnDisk = true
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

  /// How much work steps are, found by halving.
  private func work(_ steps: [String], _ other: String = "") async throws -> Int {
    var (low, high) = (0, 100_000)
    while low < high {
      let middle = (low + high) / 2
      let isEnough = try await failure(steps, Scenario.RunLimits(work: middle), other) == nil
      (low, high) = isEnough ? (low, middle) : (middle + 1, high)
    }
    return low
  }

  @Test func `is met before items are made, not after`() async throws {
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
    // What is there took less than the limit, and the next copy would have taken more.
    #expect((250...1000).contains(transcript.lastTree.amount.items))
  }

  @Test func `of work holds if nobody sets one`() async throws {
    // So that the test itself stays small, a hundredth of it is tried.
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
  func `charges a step and each item that it makes`(step: String, items: Int) async throws {
    let before = ["{ createDirectory: 'tmp/e' }", "{ save: 'tmp/e/f', size: 1 }"]
    let price = try await work(before + [step]) - work(before)
    #expect(price == 20 * (1 + items))
  }

  @Test(
    arguments: [
      "{ backup: 'a' }", "{ updateApp: '2' }", "{ offload: {} }", "{ reinstall: {} }",
      "{ purge: 'lowStorage' }",
    ])
  func `charges each item that a step looks at`(step: String) async throws {
    let before = (1...7).map { "{ save: 'tmp/\($0)', size: 1 }" }
    let price = try await work(before + [step]) - work(before)
    #expect(price == 20 + (try await firstCount()) + 7)
  }

  @Test(arguments: ["expectFiles: { absent: ['tmp/*.txt'] }", "expectBackup: { lacks: ['tmp/*'] }"])
  func `charges each item that an assertion looks at`(assertion: String) async throws {
    let before = (1...7).map { "{ save: 'tmp/\($0)', size: 1 }" } + ["{ backup: 'b' }"]
    let price = try await work(before + ["{ \(assertion) }"]) - work(before)
    // It looks at what is in the directory, and not at the whole container.
    #expect(price >= 20 && price <= 20 + 8)
    let others = before + ["{ createDirectory: 'Documents/a' }"]
    #expect(try await work(others + ["{ \(assertion) }"]) - work(others) == price)
  }

  @Test func `charges each item that a restore makes`() async throws {
    let before = ["{ save: 'Documents/f', size: 1 }", "{ backup: 'b' }"]
    let price = try await work(before + ["{ restore: 'b' }"]) - work(before)
    #expect(price == 20 * (1 + (try await firstCount()) + 1))
  }

  @Test func `charges bytes that are copied`() async throws {
    let text = String(repeating: "x", count: 100_000)
    let before = ["{ save: 'tmp/a', contents: '\(text)' }"]
    let price = try await work(before + ["{ copy: 'tmp/a', to: 'tmp/b' }"]) - work(before)
    #expect(price >= 20 * 2 + 10)
    #expect(price < 20 * 2 + 20)
  }

  @Test func `grows with the number of steps, in a straight line`() async throws {
    for count in [10, 20, 40] {
      let price = try await work((0..<count).map { "{ save: 'tmp/\($0)', size: 1 }" })
      #expect(price == 40 * count)
    }
  }

  @Test func `stops a copy bomb before the copies that take longest`() async throws {
    let transcript = try await transcript(Self.doubling, Scenario.RunLimits(work: 10_000))
    let made = transcript.entries.reduce(0) { sum, entry in
      if case .changes(let changes) = entry.event { sum + changes.count } else { sum }
    }
    #expect(made <= 10_000 / 20 + transcript.entries.count)
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
    let failure = try await transcript(
      steps, Scenario.RunLimits(bytes: 100_000), actions: files
    ).failure
    #expect(failure.map { "\($0.step)" } == (count == 0 ? nil : "step 2"))
    #expect(count == 0 || failure?.message.contains("the limit of a run is") == true)
  }

  @Test func `of bytes is for what is there, not for what was`() async throws {
    let step = ["{ save: 'tmp/f', contents: 'some text' }", "{ remove: 'tmp/f' }"]
    let many = Array(repeating: step, count: 50).flatMap(\.self)
    let limits = Scenario.RunLimits(bytes: 20_000)
    #expect(try await failure(many, limits) == nil)
    let purged = "{ save: 'tmp/f', contents: 'some text' }"
    let purges = Array(repeating: [purged, "{ purge: 'criticalStorage' }"], count: 20)
    #expect(try await failure(purges.flatMap(\.self), limits) == nil)
  }

  @Test func `is no failure that a step may ask for`() async throws {
    let steps = ["{ save: 'tmp/f', size: 1, throws: true }"]
    let failure = try await failure(steps, Scenario.RunLimits(work: 1))
    #expect(failure?.hasPrefix("step 1: with this step the run would take 20 units") == true)
  }

  @Test func `is named at a step of the app's start`() async throws {
    let other = "launch: [{ createDirectory: 'tmp/a' }]"
    let failure = try await failure(
      ["{ save: 'tmp/f', size: 1 }"], Scenario.RunLimits(work: 1), other)
    #expect(failure?.hasPrefix("launch step 1") == true)
  }

  @Test func `of bytes is met before a copy is made`() async throws {
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
    #expect(failure?.hasPrefix("step 5: files and backups would take ") == true)
    #expect(try await self.failure(steps, Scenario.RunLimits(bytes: 300_000)) == nil)
  }

  @Test func `breaks the run off, which is never green nor recorded`() async throws {
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
  func `that is none is refused`(words: String, reason: String) {
    var limits = Scenario.RunLimits()
    let error = #expect(throws: RunError.self) { try limits.set(words) }
    #expect(error?.description.contains(reason) == true)
    #expect(limits == Scenario.RunLimits())
  }

  @Test func `is set by its name`() throws {
    var limits = Scenario.RunLimits()
    for words in ["work=1", "bytes=2", "searched=3"] { try limits.set(words) }
    #expect(limits == Scenario.RunLimits(work: 1, bytes: 2, searched: 3))
  }
}
