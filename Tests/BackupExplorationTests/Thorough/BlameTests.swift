import BackupRules
import BackupScenarios
import Testing
import TrialSupport

/// Exploration reports each problem once, and blames an event only for problems that it causes.
@Suite struct `Exploration blames` {
  private let offline = "files: { 'Library/Application Support/**': 'offline' }"
  private let makeSupport = "{ createDirectory: '\(support)' }"

  private func save(_ path: String) -> String { "{ save: '\(path)', size: 9 }" }
  private func exclude(_ path: String) -> String { "{ exclude: '\(path)' }" }

  // MARK: Problems without an event

  @Test func `a scenario that also fails in an ordinary run`() async throws {
    let steps = [makeSupport, save("\(support)/x"), "{ backup: 'A' }"]
    #expect(try await Trial.findings(steps, offline).map(\.severity) == [.error])
    let explored = try await ExploredRun(steps, offline)
    #expect(!explored.isGreen)
    let marked = [makeSupport, save("\(support)/x"), exclude("\(support)/x"), "{ backup: 'A' }"]
    #expect(try await ExploredRun(marked, offline).isGreen)
  }

  @Test func `a scenario that fails in an ordinary run only under its older system`() async throws {
    let steps = [
      makeSupport, save("\(support)/x"),
      "{ exclude: '\(support)/x', using: 'extendedAttribute', on: '5.0.1' }",
      "{ exclude: '\(support)/x', on: '26' }", "{ backup: 'A' }",
    ]
    let systems = "\(offline), system: ['5.0.1', '26']"
    #expect(try await ExploredRun(steps, systems, depth: 1).isExplored)
    let unmarkedOnOlder = [steps[0], steps[1], steps[3], steps[4]]
    #expect(try await !ExploredRun(unmarkedOnOlder, systems).isGreen)
  }

  @Test func `no kill for a problem that occurs without it`() async throws {
    // Each 'kill' ends a block, as an action of the app's own code would.
    let steps = [
      makeSupport, save("\(support)/a"), "{ kill: {} }", save("\(support)/b"), "{ kill: {} }",
      exclude("\(support)/a"), exclude("\(support)/b"), "{ backup: 'b' }",
    ]
    let explored = try await ExploredRun(steps, offline)
    #expect(explored.isExplored, "\(explored.obstacle)")
    #expect(explored.found.map(\.description) == [])
  }

  @Test(arguments: ["relaunch", "kill"])
  func `no event for a file that the app marks two activities later`(end: String) async throws {
    let steps = [
      makeSupport, save("\(support)/a"), "{ \(end): {} }", save("Documents/notes"),
      "{ \(end): {} }", exclude("\(support)/a"), "{ backup: 'b' }",
    ]
    #expect(try await ExploredRun(steps, offline).found.map(\.description) == [])
  }

  // MARK: Nodes that are not equal

  private let movie = [
    "{ save: 'Documents/movie.mp4', size: '1 KB' }",
    "{ exclude: 'Documents/movie.mp4', using: 'extendedAttribute' }", "{ backup: 'b' }",
    "{ restore: 'b', on: '26' }", "{ read: 'Documents/movie.mp4', on: '26' }",
  ]

  @Test func `an update of iOS between a backup and its restore, which changes the backup set`()
    async throws
  {
    let explored = try await ExploredRun(movie, "system: ['5.0.1', '26']")
    #expect(explored.isComplete)
    let errors = explored.found.filter { $0.finding.severity == .error }.map(\.subject.description)
    #expect(errors == ["exists-before-use Documents/movie.mp4"])
  }

  @Test func `only an event whose scenario file shows the problem too`() async throws {
    let explored = try await ExploredRun(
      movie, "system: ['5.0.1', '26']", replaying: "trial:4.updateSystem")
    let found = try #require(explored.found.first)
    let scenario = try Scenario(text: found.text)
    let transcript = try await ScenarioRunner().run(scenario, scenario.variants[0])
    #expect(transcript.failure == nil)
    let shown = RuleList.findings(in: transcript).map(ExploredRun.Subject.init)
    #expect(shown == [found.subject], "\(found.text)")
  }

  // MARK: One cause, one finding

  @Test(arguments: ["lowStorage", "criticalStorage"])
  func `two unchecked reads of a purged file only once`(purge: String) async throws {
    let read = "{ read: 'Library/Caches/a' }"
    let steps = [save("Library/Caches/a"), "{ purge: '\(purge)' }", read, read]
    #expect(try await Trial.verdicts(steps) == ["exists-before-use error 3 Library/Caches/a"])
    let unpurged = [save("Library/Caches/a"), "{ backup: 'b' }", read, read]
    #expect(try await ExploredRun(unpurged).subjects == ["exists-before-use Library/Caches/a"])
  }

  @Test func `two unchecked reads of a file in tmp only once`() async throws {
    let read = "{ read: 'tmp/a' }"
    let steps = [
      save("tmp/a"), "{ relaunch: {} }", read, "{ relaunch: {} }", read, "{ remove: 'tmp/a' }",
    ]
    #expect(try await Trial.verdicts(steps) == ["exists-before-use warning 3 tmp/a"])
  }

  // MARK: The budget

  @Test(arguments: [1, 3, 4])
  func `within the scenario's budget, under any number of systems`(budget: Int) async throws {
    let steps = [
      save("Documents/a"), "{ backup: 'b' }", save("Documents/a"), "{ backup: 'c' }",
      save("Documents/a"),
    ]
    for systems in ["'26'", "['18', '26']", "['5.1', '18', '26']"] {
      let explored = try await ExploredRun(steps, "system: \(systems)", budget: budget)
      #expect(explored.traceCount == budget, "\(systems)")
      #expect(!explored.isComplete, "\(systems)")
    }
  }
}
