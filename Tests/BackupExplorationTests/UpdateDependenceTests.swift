import BackupScenarios
import BackupVerdicts
import Testing
import TrialSupport

@testable import BackupExploration
@testable import BackupExplorationReports

/// That an update keeps marks, groups and extensions has been observed, but no source says it.
@Suite struct UpdateDependenceTests {
  private static let marked =
    "{ createDirectory: 'Documents/Films' }, { exclude: 'Documents/Films' }"
  private static let film = "{ save: 'Documents/Films/1', size: 9 }"
  private static let offline = "files: { 'Documents/Films/**': 'offline' }"
  private static let rest = ["{ backup: 'b' }", "{ read: 'Documents/a', ifMissing: 'skip' }"]

  private func dependences(
    _ steps: [String], _ other: String, without known: [UpdateDependence] = []
  ) async throws -> [UpdateDependence] {
    var explored = try await ExplorationTrial.explored(steps, other)
    #expect(explored.isExplored && !explored.isWrong)
    return await UpdateDependence.all(
      in: &explored, Scenario.ExplorationBounds(), on: ExplorationStage(),
      without: Set(known.map(\.key)))
  }

  @Test func `an app that marks only after it saves depends on marks being kept, once`()
    async throws
  {
    let steps = [Self.marked, Self.film] + Self.rest
    let found = try await dependences(steps, Self.offline)
    #expect(found.map(\.key.loss) == [.marks])
    #expect(
      found.first?.text.hasPrefix(
        "advice (unverified): com.example.app: no source says that an update of the app keeps")
        == true)
    #expect(found.first?.text.contains("(updated before step") == true)
    #expect(try await dependences(steps, Self.offline, without: found).isEmpty)
  }

  @Test(arguments: ["marks", "groups"])
  func `what a scenario says that updates keep is tried, and no advice`(part: String) async throws {
    let key = "explore: { updatesKeep: '\(part)', reason: 'seen in all updates' }"
    var explored = try await ExplorationTrial.explored(
      [Self.marked, Self.film] + Self.rest, "\(Self.offline), \(key)")
    let found = await UpdateDependence.all(
      in: &explored, Scenario.ExplorationBounds(), on: ExplorationStage())
    let isNeeded = part == "marks"
    #expect(found.isEmpty == isNeeded)
    let messages = explored.problems(for: .tool).map(\.message)
    #expect(
      messages
        == (isNeeded
          ? []
          : [
            "nothing fails here if an update of the app does not keep the contents of its "
              + "groups' containers; remove \"groups\" from 'updatesKeep'"
          ]))
  }

  @Test func `an app that marks at each start depends on nothing`() async throws {
    let launch = "launch: [\(Self.marked)]"
    #expect(
      try await dependences([Self.film] + Self.rest, "\(Self.offline), \(launch)").isEmpty)
  }

  @Test func `an update that the scenario has itself is tried too`() async throws {
    let steps = [
      Self.marked, Self.film, "{ updateApp: '2.0' }", "{ relaunch: {} }", "{ backup: 'b' }",
    ]
    #expect(try await dependences(steps, Self.offline).map(\.key.loss) == [.marks])
  }

  @Test(arguments: [
    ("group.com.example.app:/note", "groups: ['group.com.example.app']", UpdateLoss.groups),
    ("com.example.app.share:/Documents/note", "extensions: ['com.example.app.share']", .extensions),
  ])
  func `an app that reads what it keeps beside its container depends on that being kept`(
    path: String, key: String, loss: UpdateLoss
  ) async throws {
    let steps = ["{ save: '\(path)', size: 9 }", "{ backup: 'b' }"]
    let other = "app: { bundleIdentifier: 'com.example.app', \(key) }"
    #expect(try await dependences(steps + ["{ read: '\(path)' }"], other).map(\.key.loss) == [loss])
    #expect(
      try await dependences(steps + ["{ read: '\(path)', ifMissing: 'skip' }"], other).isEmpty)
  }
}
