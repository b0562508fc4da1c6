import BackupContainer
import BackupFileTree
import BackupJSON5
import BackupRules
import TestSupport
import Testing
import TrialSupport

@testable import BackupExploration
@testable import BackupExplorationReports
@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct `Exploring a scenario` {
  let critical = "files: { 'Documents/**': 'critical' }"
  /// Saves a new file of the user.
  let save = "{ save: 'Documents/a', contents: 'old' }"
  /// Declares files that the app can download again.
  let offline = "files: { 'Documents/**': 'offline' }"

  @Test func `an injected update keeps the app's version if some steps are for one version only`()
    async throws
  {
    let steps = [
      "{ save: 'Documents/a', contents: 'x', app: '1.0' }", "{ read: 'Documents/a' }",
      "{ backup: 'b' }",
    ]
    #expect(try await ExplorationTrial.found(steps, critical) == [])
  }

  @Test(arguments: [1, 2])
  func `a stored path of the container is the same value in another container`(depth: Int)
    async throws
  {
    let steps = [
      "{ save: 'Documents/a', contents: '{container}/Documents/x' }", "{ backup: 'b' }",
    ]
    #expect(try await ExplorationTrial.found(steps, critical) { $0.depth = depth } == [])
  }

  @Test func `names a step that fails because of a remnant of a killed save`() async throws {
    let steps = [
      "{ createDirectory: 'Library/Queue' }", "{ save: 'Library/Queue/a', contents: 'x' }",
      "{ move: 'Library/Queue/a', to: 'Documents/a', over: true }", "{ backup: 'b' }",
      "{ createDirectory: 'Library/New' }",
      "{ move: 'Library/New', to: 'Library/Queue', over: true }",
    ]
    let stopped = try await ExplorationTrial.explored(steps, critical).counts.stoppedTraces
    #expect(Set(stopped.map(\.step.summary)) == ["move Library/New to Library/Queue"])
  }

  @Test func `does not compare the ends of traces with different numbers of events`() async throws {
    let steps = [
      "{ createDirectory: 'Library/Caches/T' }",
      "{ save: 'Documents/a', how: 'inPlace', contents: 'one two three' }", "{ relaunch: {} }",
      "{ offload: {} }", "{ reinstall: {} }",
      "{ exclude: 'Documents/a', using: 'extendedAttribute', mayThrow: true }",
    ]
    #expect(
      try await ExplorationTrial.found(steps, "\(critical), backups: 'off'") { $0.depth = 2 } == [])
  }

  /// A trace injects its second event at each later point, until it reaches the node of an earlier
  /// trace. Without this limit, twice as many steps would have four times as many traces.
  @Test func `has about twice as many traces of two events for twice as many steps`() async throws {
    func traceCount(_ saves: Int) async throws -> Int {
      let steps = (1...saves).flatMap {
        ["{ save: 'Documents/\($0)', size: \($0) }", "{ backup: 'b\($0)' }"]
      }
      let result = try await ExplorationTrial.explored(steps, critical) { $0.depth = 2 }
      #expect(!result.hasError && result.counts.isWithinLimits)
      return result.counts.traces
    }
    let (few, many) = (try await traceCount(4), try await traceCount(8))
    #expect(many < few * 9 / 4)
  }

  private let widget =
    "app: { groups: ['group.x'], extensions: ['com.example.app.w'] }, files: { '**': 'critical', "
    + "'group.x:/**': 'critical' }, launch: [{ save: 'Documents/started', contents: '1' }]"

  @Test func `finds a widget's save that is not atomic, and accepts one that is`() async throws {
    func steps(_ saveKey: String) -> [String] {
      [
        "{ save: 'group.x:/a', contents: 'old', in: 'com.example.app.w' }",
        "{ save: 'group.x:/a', contents: 'new'\(saveKey), in: 'com.example.app.w' }",
        "{ save: 'group.x:/b', contents: 'x', in: 'com.example.app.w' }",
        "{ save: 'Documents/a', contents: 'x' }", "{ backup: 'b' }",
      ]
    }
    #expect(try await ExplorationTrial.found(steps(""), widget) == [])
    #expect(
      try await ExplorationTrial.found(steps(", how: 'deleteFirst'"), widget)
        == ["user-data-lost group.x:/a: 2.kill(2~create)"])
  }

  @Test func `does not start the app before a step of its widget`() async throws {
    let launch = "launch: [{ read: 'group.x:/Library/Caches/a', ifMissing: 'recreate', size: 1 }]"
    let keys = "app: { groups: ['group.x'], extensions: ['com.example.app.w'] }, \(launch)"
    let steps = [
      "{ relaunch: {} }", "{ read: 'group.x:/Library/Caches/a', in: 'com.example.app.w' }",
    ]
    #expect(
      try await ExplorationTrial.found(steps, keys).map { $0.prefix { $0 != ":" } }
        == ["exists-before-use group.x"])
  }

  @Test func `finds a save in place that a kill cuts short`() async throws {
    let saveInPlace = "{ save: 'Documents/a', contents: 'newer', how: 'inPlace' }"
    #expect(
      try await ExplorationTrial.found([save, saveInPlace], critical)
        == ["user-data-lost Documents/a: 2.kill(2~write)"])
    #expect(
      try await ExplorationTrial.found([save, save], critical) == [])
  }

  @Test func `finds a read of a purged file without a check`() async throws {
    let steps = [
      "{ save: 'Library/Caches/a', size: 1 }", "{ backup: 'b' }", "{ read: 'Library/Caches/a' }",
    ]
    #expect(
      try await ExplorationTrial.found(steps)
        == ["exists-before-use Library/Caches/a: 2.idle"])
    let careful = steps.dropLast() + ["{ read: 'Library/Caches/a', ifMissing: 'skip' }"]
    #expect(try await ExplorationTrial.found(Array(careful)) == [])
  }

  @Test func `finds a stored path of a former container`() async throws {
    let steps = [
      save, "{ link: 'Documents/l', to: 'Documents/a', absolute: true }", "{ backup: 'b' }",
      "{ read: 'Documents/l' }",
    ]
    #expect(
      try await ExplorationTrial.found(steps).map { $0.prefix { $0 != ":" } }
        == ["stale-container-path Documents/l"])
  }

  @Test(arguments: [1, 2])
  func `accepts a mark after each save, as in Apple's code, because a retry sets it`(depth: Int)
    async throws
  {
    let steps = [save, "{ exclude: 'Documents/a' }", "{ backup: 'b' }"]
    #expect(try await ExplorationTrial.found(steps, offline) { $0.depth = depth } == [])
  }

  @Test(arguments: [
    [
      "{ createDirectory: 'Documents/D' }", "{ exclude: 'Documents/D' }",
      "{ save: 'Documents/D/a', size: 1 }", "{ backup: 'b' }",
    ],
    [
      "{ save: 'tmp/a', size: 1 }", "{ exclude: 'tmp/a' }", "{ move: 'tmp/a', to: 'Documents/a' }",
      "{ backup: 'b' }",
    ],
  ])
  func `accepts a mark on the directory or on the draft of a file`(steps: [String]) async throws {
    let result = try await ExplorationTrial.explored(steps, offline)
    #expect(result.counterexamples.isEmpty)
    #expect(result.counts.crashPoints > 2)
  }

  @Test func `injects no event that the scenario excludes, and says why it explores nothing`()
    async throws
  {
    let steps = [save, "{ save: 'Documents/a', contents: 'newer', how: 'inPlace' }"]
    let without = "explore: { without: 'kill', reason: 'a trial' }"
    #expect(try await ExplorationTrial.found(steps, "\(critical), \(without)") == [])
    let withoutAll = "explore: { without: 'all', reason: 'a trial' }"
    let result = try await ExplorationTrial.explored(steps, "\(critical), \(withoutAll)")
    #expect(result.obstacle == "its 'explore' excludes it: a trial")
    let code = try await ExplorationTrial.explored(["{ perform: 'save' }"])
    #expect(code.obstacle?.contains("runs the app's own code") == true)
  }

  @Test func `says that it was cancelled, and does not pass`() async throws {
    let scenario = try Trial.scenario([save, "{ backup: 'b' }", save])
    let result = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await ExploredScenario(scenario, Scenario.ExplorationBounds())
    }.value
    #expect(result.counts.reachedLimit == .cancellation && result.counts.traces == 0)
    #expect(result.text.contains("0 traces, INCOMPLETE because the exploration was cancelled"))
    #expect([result].summary().contains("1 INCOMPLETE because the exploration was cancelled"))
    #expect(result.complaint == "INCOMPLETE after 0 traces: the exploration was cancelled")
    #expect(!ExplorationReport([result], skippedScenarioCount: 0).isGreen)
  }

  @Test func `reports the smallest scenario, which fails in an ordinary run too`() async throws {
    let steps = [
      "{ save: 'Library/Caches/x', size: 5 }", save, "{ backup: 'b' }", "{ purge: 'lowStorage' }",
      "{ createDirectory: 'Documents/D' }",
      "{ save: 'Documents/a', contents: 'newer', how: 'deleteFirst' }", "{ backup: 'c' }",
    ]
    let result = try await ExplorationTrial.explored(steps, critical)
    let example = try #require(result.counterexamples.first)
    #expect(example.finding.rule == "user-data-lost" && example.stepCount == 2)
    let scenario = try Scenario(text: example.text)
    let transcript = try await ScenarioRunner().run(scenario, scenario.variants[0])
    #expect(transcript.failure == nil)
    #expect(
      RuleList.findings(in: transcript).map(\.line) == ["user-data-lost error 2 Documents/a"])
  }
}
