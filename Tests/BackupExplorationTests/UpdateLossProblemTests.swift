import BackupScenarios
import BackupVerdicts
import Testing
import TrialSupport

@testable import BackupExploration
@testable import BackupExplorationReports

/// Updates of apps have been observed to keep marks and the containers of groups and extensions.
///
/// No source says so. The kit gives advice to an app that depends on it.
@Suite struct UpdateLossProblemTests {
  private static let markedDirectory =
    "{ createDirectory: 'Documents/Films' }, { exclude: 'Documents/Films' }"
  private static let savedFilm = "{ save: 'Documents/Films/1', size: 9 }"
  private static let offline = "files: { 'Documents/Films/**': 'offline' }"
  private static let lastSteps = ["{ backup: 'b' }", "{ read: 'Documents/a', ifMissing: 'skip' }"]

  private func dependences(
    _ steps: [String], _ otherKeys: String, without known: [UpdateLossProblem] = []
  ) async throws -> [UpdateLossProblem] {
    var explored = try await ExplorationTrial.explored(steps, otherKeys)
    #expect(explored.isExplored && !explored.hasError)
    return await UpdateLossProblem.all(
      in: &explored, Scenario.ExplorationBounds(), on: ExplorationStage(),
      skipping: Set(known.map(\.key)))
  }

  @Test func `an app that marks its directory only once depends on updates that keep marks`()
    async throws
  {
    let steps = [Self.markedDirectory, Self.savedFilm] + Self.lastSteps
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
  func `a loss that a scenario rules out gives no advice, but a warning if nothing depends on it`(
    part: String
  ) async throws {
    let key = "explore: { updatesKeep: '\(part)', reason: 'seen in all updates' }"
    var explored = try await ExplorationTrial.explored(
      [Self.markedDirectory, Self.savedFilm] + Self.lastSteps, "\(Self.offline), \(key)")
    let found = await UpdateLossProblem.all(
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

  @Test func `an app that marks at each launch does not depend on updates`() async throws {
    let launch = "launch: [\(Self.markedDirectory)]"
    let steps = [Self.savedFilm] + Self.lastSteps
    #expect(try await dependences(steps, "\(Self.offline), \(launch)").isEmpty)
  }

  @Test func `an update step of the scenario may lose marks too`() async throws {
    let steps = [
      Self.markedDirectory, Self.savedFilm, "{ updateApp: '2.0' }", "{ relaunch: {} }",
      "{ backup: 'b' }",
    ]
    #expect(try await dependences(steps, Self.offline).map(\.key.loss) == [.marks])
  }

  @Test(arguments: [
    ("group.com.example.app:/note", "groups: ['group.com.example.app']", UpdateLoss.groups),
    ("com.example.app.share:/Documents/note", "extensions: ['com.example.app.share']", .extensions),
  ])
  func `an app that reads files in another container depends on updates that keep it`(
    path: String, key: String, loss: UpdateLoss
  ) async throws {
    let steps = ["{ save: '\(path)', size: 9 }", "{ backup: 'b' }"]
    let app = "app: { bundleIdentifier: 'com.example.app', \(key) }"
    #expect(try await dependences(steps + ["{ read: '\(path)' }"], app).map(\.key.loss) == [loss])
    #expect(
      try await dependences(steps + ["{ read: '\(path)', ifMissing: 'skip' }"], app).isEmpty)
  }
}
