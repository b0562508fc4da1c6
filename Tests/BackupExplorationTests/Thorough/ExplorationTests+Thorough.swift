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

extension `Exploring a scenario` {
  @Test func `finds nothing in a Realm file that is saved in place`() async throws {
    let realm = "{ save: 'Documents/a.realm', size: '4 KB', how: 'inPlace' }"
    #expect(try await ExplorationTrial.found([realm, realm], critical) == [])
  }

  @Test func `finds a file that is removed before its new version is moved to its path`()
    async throws
  {
    let steps = [
      save, "{ save: 'tmp/a', contents: 'new' }", "{ remove: 'Documents/a' }",
      "{ move: 'tmp/a', to: 'Documents/a' }",
    ]
    #expect(
      try await ExplorationTrial.found(steps, critical)
        == ["user-data-lost Documents/a: 4.kill(1~rename)"])
  }

  @Test func `finds a file that a purge can delete before the app moves it to a safe place`()
    async throws
  {
    let steps = [
      "{ save: 'Library/Caches/a', size: 1 }", "{ kill: {} }",
      "{ move: 'Library/Caches/a', to: 'Documents/a', ifMissing: 'skip' }",
    ]
    let found = try await ExplorationTrial.found(steps, "files: { '**': 'critical' }")
    #expect(found.map { $0.prefix { $0 != ":" } } == ["user-data-purgeable Library/Caches/a"])
  }

  @Test func `finds an unchecked read of a keychain item that a new device lacks`()
    async throws
  {
    let set = "{ setKeychainItem: 't', accessibility: 'thisDeviceOnly' }"
    let (backup, read) = ("{ backup: 'b' }", "{ readKeychainItem: 't' }")
    #expect(
      try await ExplorationTrial.found([set, backup, read])
        == ["exists-before-use: 2.newDevice"])
    #expect(
      try await ExplorationTrial.found([
        set, backup, "{ readKeychainItem: 't', ifMissing: 'skip' }",
      ])
        == [])
    // If the app moves to a new device before step 2, the backup of that device has no item.
    let (restore, copy) = ("{ restore: { label: 'c', to: 'sameDevice' } }", "{ backup: 'c' }")
    #expect(
      try await ExplorationTrial.found([set, copy, restore, read])
        == ["exists-before-use: 2.newDevice"])
  }

  @Test func `finds files without their key on a new device, and values of the old device`()
    async throws
  {
    let sealed = "{ save: 'Documents/a', size: 99, sealedWith: 'k' }"
    let (set, read) = ("{ setKeychainItem: 'k' }", "{ read: 'Documents/a' }")
    #expect(
      try await ExplorationTrial.found([set, sealed, "{ backup: 'b' }", read])
        == ["sealed-file-unreadable Documents/a: 3.newDevice"])
    let token = "defaults: { k: 'device' }, backups: 'local-encrypted'"
    let use = "{ readKeychainItem: 'k', ifMissing: 'skip' }"
    #expect(
      try await ExplorationTrial.found([set, "{ backup: 'b' }", use], token)
        == ["value-of-other-device: 2.newDevice"])
    #expect(try await ExplorationTrial.found([set, "{ backup: 'b' }", set, use], token) == [])
  }

  @Test func `finds nothing in an app that makes a key once and encrypts files with it`()
    async throws
  {
    let launch = "launch: [{ readKeychainItem: 'k', ifMissing: 'recreate', ifLocked: 'wait' }]"
    let sealed = ["a", "b"].map { "{ save: 'Documents/\($0)', size: 99, sealedWith: 'k' }" }
    let read = ["{ read: 'Documents/a', ifMissing: 'skip' }"]
    #expect(
      try await ExplorationTrial.found(
        sealed + ["{ backup: 'b' }"] + sealed + read,
        "\(critical), \(launch), backups: 'local-encrypted'"
      ) { $0.depth = 2 } == [])
    // After a kill, the app sets another key, which encrypts the same data to other bytes.
    let findings = try await ExplorationTrial.found(
      ["{ setKeychainItem: 'k' }"] + sealed, "\(critical), backups: 'local-encrypted'"
    ) { $0.depth = 2 }
    #expect(findings.filter { !$0.hasPrefix("sealed") } == [])
  }

  @Test(arguments: [[], ["{ backup: 'b' }", "{ restore: 'b' }"]])
  func `finds a launch that loses the user's file, even if no step starts the app after the save`(
    laterSteps: [String]
  ) async throws {
    let launch = "\(critical), launch: [{ remove: 'Documents/a', ifMissing: 'skip' }]"
    let found = try await ExplorationTrial.found([save] + laterSteps, launch)
    #expect(found.map { $0.prefix { $0 != ":" } } == ["user-data-lost Documents/a"], "\(found)")
  }

  @Test func `does not start the app between a kill step and the 'place' steps after it`()
    async throws
  {
    let launch = "launch: [{ read: 'Documents/a', ifMissing: 'skip' }]"
    func pointCount(_ steps: String...) async throws -> Int {
      try await ExplorationTrial.explored([save] + steps, launch).counts.quiescentPoints
    }
    let (kill, place) = ("{ kill: {} }", "{ place: 'Documents/b', size: 1 }")
    let countWithoutPlace = try await pointCount(kill)
    #expect(try await pointCount(kill, place, place) == countWithoutPlace)
    #expect(try await pointCount(place, kill) == countWithoutPlace + 1)
    #expect(try await pointCount(kill, "{ backup: 'b' }") == countWithoutPlace + 1)
  }

  @Test func `does not blame an app that is killed again while it repeats an interrupted step`()
    async throws
  {
    let steps = [save, "{ save: 'Documents/b', contents: 'more' }", "{ backup: 'b' }"]
    #expect(try await ExplorationTrial.found(steps, critical) { $0.depth = 2 } == [])
  }

  @Test func `kills the app in a start that a step causes, and in the start at the end`()
    async throws
  {
    let steps = ["{ updateApp: '2.0' }", "{ relaunch: {} }", "{ backup: 'b' }"]
    let write = "{ save: 'Documents/b', contents: 'newer', how: 'inPlace' }"
    let result = try await ExplorationTrial.explored(
      [save] + steps, "\(critical), launch: [\(write)]")
    let killedSteps = Set(result.firstEvents.filter { $0.crashPoint != nil }.map(\.stepNumber))
    #expect(killedSteps == [3, 5])
    #expect(result.text.contains("from step 3 on"))
  }

  @Test func `does not start an offloaded app at the end`() async throws {
    let launch = "launch: [{ read: 'Documents/a', ifMissing: 'skip' }]"
    let result = try await ExplorationTrial.explored([save, "{ offload: {} }"], launch)
    #expect(result.obstacle == nil && result.counts.isWithinLimits)
  }

  @Test func `kills the app earlier in a killed step, and writes a valid scenario`() async throws {
    let killedStep =
      "{ save: 'Documents/a', contents: 'x', how: 'deleteFirst', killed: { before: 'write' } }"
    let steps = [save, "{ backup: 'b' }", "{ read: 'Documents/a' }", killedStep, save]
    let result = try await ExplorationTrial.explored(
      steps, "\(offline), launch: [{ read: 'Documents/a', ifMissing: 'skip' }]")
    for example in result.counterexamples { _ = try Scenario(text: example.text) }
    let plan = try #require(Plan(try Trial.scenario([killedStep])))
    let point = Scenario.InterruptionPoint(kind: .create, path: nil)
    #expect(
      plan.steps(of: .killed(0, point), before: 0).map(\.fileValue.singleLineText) == [
        "{ save: \"Documents/a\", contents: \"x\", how: \"deleteFirst\", killed: { before: \"create\" } }"
      ])
  }

  @Test func `kills the app in a step that must fail, and then expects no failure`() async throws {
    let append = "{ append: 'Documents/a', size: 1, throws: 'noSuchFile' }"
    let steps = ["{ save: 'tmp/a', size: 1 }", append, save, "{ exclude: 'Documents/a' }"]
    let result = try await ExplorationTrial.explored(steps, critical) { $0.depth = 2 }
    #expect(result.obstacle == nil && result.earlyStopReason == nil && !result.hasFailed)
    for example in result.counterexamples { _ = try Scenario(text: example.text) }
    let plan = try #require(Plan(try Trial.scenario([append])))
    let point = Scenario.InterruptionPoint(kind: .write, path: nil)
    let killed = plan.steps(of: .killed(0, point), before: 0)
    #expect(
      killed.map(\.fileValue.singleLineText) == [
        "{ append: \"Documents/a\", size: 1, killed: { before: \"write\" } }"
      ])
    #expect(killed.map(\.mustFail) == [false])
  }

  @Test func `reports a kill in a step that must fail if no event is injected`() async throws {
    let steps = [
      "{ createDirectory: 'Documents/d' }", "{ save: 'Documents/d/a', size: 3 }",
      "{ save: 'Documents/d/b', size: 3 }", "{ save: 'Library/Caches/e', size: 1 }",
      "{ backup: 'b' }",
      "{ copy: 'Documents/d', to: 'Library/Caches/e', throws: 'fileExists' }",
    ]
    let result = try await ExplorationTrial.explored(
      steps, "files: { 'Library/Caches/e': 'cached', 'Library/Caches/e/**': 'critical' }"
    ) { $0.depth = 2 }
    let example = try #require(result.counterexamples.first)
    #expect(example.reproduction == .shown && result.counterexamples.count == 1)
    #expect(example.token == "trial:5.idle+6.kill(3~create)")
  }

  @Test func `keeps to the limits of a run`() async throws {
    let limits = Scenario.RunLimits(work: 300)
    let steps = (1...9).map { "{ save: 'Documents/\($0)', size: 1 }" }
    let explored = await ExploredScenario(
      try Trial.scenario(steps), Scenario.ExplorationBounds(), on: ExplorationStage(limits: limits))
    #expect(explored.hasFailed)
    #expect(explored.obstacle?.contains("the limit of a run is 300") == true)
  }

  @Test func `lets the app run before a backup is checked`() async throws {
    let launch = "launch: [{ read: 'Documents/a', ifMissing: 'skip' }]"
    let steps = [save, "{ exclude: 'Documents/a' }", "{ backup: 'b' }", "{ backup: 'c' }"]
    // A restored container lacks the marked files. If the app creates them again, it marks them.
    #expect(try await ExplorationTrial.found(steps, offline) == [])
    #expect(try await ExplorationTrial.explored(steps, "\(offline), \(launch)").obstacle == nil)
  }

  @Test func `begins after the last update of the app, or at the step in 'from'`() async throws {
    let saveInPlace = "{ save: 'Documents/a', contents: 'newer', how: 'inPlace' }"
    #expect(
      try await ExplorationTrial.found([save, saveInPlace, "{ updateApp: '2' }"], critical) == [])
    let from = "explore: { from: 3, reason: 'a trial' }"
    #expect(
      try await ExplorationTrial.found(
        [save, saveInPlace, "{ backup: 'b' }"], "\(critical), \(from)")
        == [])
  }

  @Test func `says that the time has run out`() async throws {
    let result = try await ExplorationTrial.explored([save, "{ backup: 'b' }", save]) {
      $0.duration = .zero
    }
    #expect(result.counts.reachedLimit == .time)
    #expect(result.counts.traces == 0)
    #expect(result.text.contains("0 traces, INCOMPLETE because the time limit was reached"))
    #expect([result].summary().contains("1 INCOMPLETE because the time limit was reached"))
    #expect(
      result.complaint == "INCOMPLETE after 0 traces: the time limit was reached "
        + "(raise 'duration' or --seconds)")
  }

  @Test func `reports its progress after each trace`() async throws {
    let reportedCounts = Locked<[Int]>([])
    var stage = ExplorationStage()
    stage.reportProgress = { _, counts in reportedCounts.withLock { $0.append(counts.traces) } }
    let explored = await ExploredScenario(
      try Trial.scenario([save, "{ backup: 'b' }", save]), Scenario.ExplorationBounds(), on: stage)
    #expect(reportedCounts.withLock { $0 } == Array(1...explored.counts.traces))
  }

  @Test func `ends if its states take too much memory, and says so`() async throws {
    var stage = ExplorationStage()
    // The limit is negative, because a small search may need no more memory than the process has.
    stage.memoryGrowthLimit = -1
    let scenario = try Trial.scenario([save, "{ backup: 'b' }"])
    let result = await ExploredScenario(scenario, Scenario.ExplorationBounds(), on: stage)
    #expect(result.counts.reachedLimit == .memory)
    #expect(result.text.contains("INCOMPLETE because the search took more than 2 GB of memory"))
  }

  @Test(arguments: [(0, 1), (2, 2), (9, 2)])
  func `replaces an invalid depth by the nearest valid one`(depth: Int, validDepth: Int) {
    #expect(Scenario.ExplorationBounds(depth: depth).clamped.depth == validDepth)
  }

  @Test func `says that the budget has run out`() async throws {
    let steps = [save, "{ backup: 'b' }", save]
    let result = try await ExplorationTrial.explored(steps) { $0.budget = 3 }
    #expect(!result.counts.isWithinLimits && result.counts.traces == 3)
    #expect(
      result.text.contains("3 traces, INCOMPLETE because the limit on traces was reached"))
    #expect([result].summary().contains("1 INCOMPLETE because the limit on traces was reached"))
    // The counts leave out the points that the exploration did not reach.
    #expect(result.counts.quiescentPoints == 1 && result.counts.crashPoints == 0)
  }

  @Test func `reports a problem under the newest system, even if the oldest has none`()
    async throws
  {
    let steps = [
      save, "{ exclude: 'Documents/a' }", "{ backup: 'b' }", save, "{ exclude: 'Documents/a' }",
      "{ backup: 'c' }",
    ]
    let readOnNewest =
      "{ read: 'Documents/a', ifMissing: 'recreate', contents: 'new', on: 'newest' }"
    let onOldest = try await ExplorationTrial.explored(steps, "\(offline), system: '5.1'")
    #expect(onOldest.counterexamples.isEmpty)
    #expect(
      try await ExplorationTrial.found(
        steps + [readOnNewest], "\(offline), system: ['5.1', 'newest']")
        == ["reapply-on-save Documents/a: 6.newDevice"])
  }
}
