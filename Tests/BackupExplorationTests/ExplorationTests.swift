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
  /// The user's file, saved for the first time.
  let save = "{ save: 'Documents/a', contents: 'old' }"
  /// What can be made again, outside of Caches.
  let offline = "files: { 'Documents/**': 'offline' }"

  @Test func `an update keeps the version where steps are for some versions only`() async throws {
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

  @Test func `names a step that a remnant of a killed save makes fail`() async throws {
    let steps = [
      "{ createDirectory: 'Library/Queue' }", "{ save: 'Library/Queue/a', contents: 'x' }",
      "{ move: 'Library/Queue/a', to: 'Documents/a', over: true }", "{ backup: 'b' }",
      "{ createDirectory: 'Library/New' }",
      "{ move: 'Library/New', to: 'Library/Queue', over: true }",
    ]
    let stopped = try await ExplorationTrial.explored(steps, critical).counts.stopped
    #expect(Set(stopped.map(\.step.summary)) == ["move Library/New to Library/Queue"])
  }

  @Test func `compares no end with that of a trace with one more event`() async throws {
    let steps = [
      "{ createDirectory: 'Library/Caches/T' }",
      "{ save: 'Documents/a', how: 'inPlace', contents: 'one two three' }", "{ relaunch: {} }",
      "{ offload: {} }", "{ reinstall: {} }",
      "{ exclude: 'Documents/a', using: 'extendedAttribute', mayThrow: true }",
    ]
    #expect(
      try await ExplorationTrial.found(steps, "\(critical), backups: 'off'") { $0.depth = 2 } == [])
  }

  /// With two events, each trace that meets no other has as many traces of its own as the plan.
  @Test func `has about twice as many traces of two events for twice as many steps`() async throws {
    func traceCount(_ saves: Int) async throws -> Int {
      let steps = (1...saves).flatMap {
        ["{ save: 'Documents/\($0)', size: \($0) }", "{ backup: 'b\($0)' }"]
      }
      let result = try await ExplorationTrial.explored(steps, critical) { $0.depth = 2 }
      #expect(!result.isWrong && result.counts.isComplete)
      return result.counts.traces
    }
    let (few, many) = (try await traceCount(4), try await traceCount(8))
    #expect(many < few * 9 / 4)
  }

  private let widget =
    "app: { groups: ['group.x'], extensions: ['com.example.app.w'] }, files: { '**': 'critical', "
    + "'group.x:/**': 'critical' }, launch: [{ save: 'Documents/started', contents: '1' }]"

  @Test func `finds a widget's save that is no atomic one, and accuses none that is repeated`()
    async throws
  {
    func steps(_ way: String) -> [String] {
      [
        "{ save: 'group.x:/a', contents: 'old', in: 'com.example.app.w' }",
        "{ save: 'group.x:/a', contents: 'new'\(way), in: 'com.example.app.w' }",
        "{ save: 'group.x:/b', contents: 'x', in: 'com.example.app.w' }",
        "{ save: 'Documents/a', contents: 'x' }", "{ backup: 'b' }",
      ]
    }
    #expect(try await ExplorationTrial.found(steps(""), widget) == [])
    #expect(
      try await ExplorationTrial.found(steps(", how: 'deleteFirst'"), widget)
        == ["user-data-lost group.x:/a: 2.kill(2~create)"])
  }

  @Test func `starts no app before a widget's step`() async throws {
    let launch = "launch: [{ read: 'group.x:/Library/Caches/a', ifMissing: 'recreate', size: 1 }]"
    let keys = "app: { groups: ['group.x'], extensions: ['com.example.app.w'] }, \(launch)"
    let steps = [
      "{ relaunch: {} }", "{ read: 'group.x:/Library/Caches/a', in: 'com.example.app.w' }",
    ]
    #expect(
      try await ExplorationTrial.found(steps, keys).map { $0.prefix { $0 != ":" } }
        == ["exists-before-use group.x"])
  }

  @Test func `finds a save in place amid which the app is killed`() async throws {
    let again = "{ save: 'Documents/a', contents: 'newer', how: 'inPlace' }"
    #expect(
      try await ExplorationTrial.found([save, again], critical)
        == ["user-data-lost Documents/a: 2.kill(2~write)"])
    #expect(
      try await ExplorationTrial.found([save, save], critical) == [])
  }

  @Test func `finds a read that does not look, after whatever takes the file`() async throws {
    let steps = [
      "{ save: 'Library/Caches/a', size: 1 }", "{ backup: 'b' }", "{ read: 'Library/Caches/a' }",
    ]
    #expect(
      try await ExplorationTrial.found(steps)
        == ["exists-before-use Library/Caches/a: 2.idle"])
    let careful = steps.dropLast() + ["{ read: 'Library/Caches/a', ifMissing: 'skip' }"]
    #expect(try await ExplorationTrial.found(Array(careful)) == [])
  }

  @Test func `finds a path of a former container`() async throws {
    let steps = [
      save, "{ link: 'Documents/l', to: 'Documents/a', absolute: true }", "{ backup: 'b' }",
      "{ read: 'Documents/l' }",
    ]
    #expect(
      try await ExplorationTrial.found(steps).map { $0.prefix { $0 != ":" } }
        == ["stale-container-path Documents/l"])
  }

  @Test(arguments: [1, 2])
  func `does not accuse Apple's order, save and then mark, whose mark a retry sets`(depth: Int)
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
  func `accuses no right order`(steps: [String]) async throws {
    let result = try await ExplorationTrial.explored(steps, offline)
    #expect(result.counterexamples.isEmpty)
    #expect(result.counts.crashPoints > 2)
  }

  @Test func `leaves out what a scenario says, and is not silent on what is not explored`()
    async throws
  {
    let steps = [save, "{ save: 'Documents/a', contents: 'newer', how: 'inPlace' }"]
    let without = "explore: { without: 'kill', reason: 'a trial' }"
    #expect(try await ExplorationTrial.found(steps, "\(critical), \(without)") == [])
    let all = "explore: { without: 'all', reason: 'a trial' }"
    let result = try await ExplorationTrial.explored(steps, "\(critical), \(all)")
    #expect(result.obstacle == "its 'explore' excludes it: a trial")
    let code = try await ExplorationTrial.explored(["{ perform: 'save' }"])
    #expect(code.obstacle?.contains("runs the app's own code") == true)
  }

  @Test func `says that it was cancelled, and is not green`() async throws {
    let scenario = try Trial.scenario([save, "{ backup: 'b' }", save])
    let result = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await ExploredScenario(scenario, Scenario.ExplorationBounds())
    }.value
    #expect(result.counts.shortfall == .cancellation && result.counts.traces == 0)
    #expect(result.text.contains("0 traces, INCOMPLETE because the exploration was cancelled"))
    #expect([result].summary().contains("1 INCOMPLETE because the exploration was cancelled"))
    #expect(result.complaint == "INCOMPLETE after 0 traces: the exploration was cancelled")
    #expect(!ExplorationReport([result], leftOut: 0).isGreen)
  }

  @Test func `shows the smallest story, which an ordinary run on disk shows too`() async throws {
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
