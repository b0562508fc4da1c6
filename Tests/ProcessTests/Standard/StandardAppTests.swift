#if os(macOS) || os(Linux)
import BackupExploring
import Foundation
import TestSupport
import Testing

@testable import BackupDevice
@testable import BackupScenarios
@testable import BackupTesting
@testable import BackupVerdicts

/// The standard suite with an app that runs in a new process at each launch.
@Suite struct StandardAppTests {
  /// An app with a mistake, and the rule that reports it.
  struct WrongApp: Sendable, CustomTestStringConvertible {
    let app: any AppUnderTest.Type
    /// The id of the suite's scenario that shows the mistake.
    let scenario: String
    let rule: String
    var testDescription: String { "\(app)" }

    /// All wrong apps with files in one container.
    static func all<Place: ShelfPlace>(_ place: Place.Type) -> [WrongApp] {
      [
        WrongApp(
          app: ShelfApp<Place, MarksOnce>.self, scenario: "offline", rule: "reapply-on-save"),
        WrongApp(
          app: ShelfApp<Place, MarksLists>.self, scenario: "critical", rule: "user-data-excluded"),
        WrongApp(
          app: ShelfApp<Place, MarksSecrets>.self, scenario: "secret", rule: "secret-backed-up"),
        WrongApp(
          app: ShelfApp<Place, ReadsBlindly>.self, scenario: "cached", rule: "exists-before-use"),
        WrongApp(
          app: ShelfApp<Place, LeavesScratch>.self, scenario: "temporary",
          rule: "temporary-left-behind"),
      ]
    }
  }

  @Test func `a right app passes`() async throws {
    let app = ShelfApp<OwnPlace, Faultless>.self
    let scenarios = try StandardSuite.scenarios(for: app, systems: ["9"])
    #expect(scenarios.count == DataClass.allCases.count + 1)
    for scenario in scenarios {
      let result = try #require(await StandardSuite.run(scenario, for: app))
      #expect(result.verdict == .passed && result.problems.isEmpty, "\(scenario.id)")
    }
  }

  @Test(
    arguments: Thoroughness.every(
      3, of: WrongApp.all(OwnPlace.self) + WrongApp.all(GroupPlace.self)))
  func `a wrong app fails the scenario of its mistake`(_ wrong: WrongApp) async throws {
    let scenario = try #require(
      try StandardSuite.scenarios(for: wrong.app).first { $0.id == wrong.scenario })
    let results = CollectedValues<ScenarioResult>()
    var process = TestProcess.current
    process.printOutput = { _ in }
    let issues = await TestProcess.$current.withValue(process) {
      await TestIssue.collecting {
        if let result = await StandardSuite.run(scenario, for: wrong.app) { results.add(result) }
      }
    }
    #expect(!issues.isEmpty)
    let problems = try #require(results.values.first).problems
    #expect(Set(problems.map(\.kind)) == [.finding(rule: wrong.rule)], "\(problems)")
  }

  @Test func `an action that hangs is killed at its time limit`() async throws {
    let scenario = try #require(
      try StandardSuite.scenarios(for: HangingShelf.self).first { $0.id == "critical" })
    let issues = await TestIssue.collecting {
      await StandardSuite.run(scenario, for: HangingShelf.self, timeLimit: .milliseconds(500))
    }
    #expect(issues.contains { $0.text.contains("did not answer within 0.5 seconds") })
  }

  @Test func `the report on an app with other actions too says that it meets each requirement`()
    async throws
  {
    let scenarios = try StandardSuite.scenarios(for: SharedShelf.self)
    #expect(scenarios.map(\.id) == ["critical", "launch"])
    let report = try await StandardSuite.run(for: SharedShelf.self)
    #expect(report.lines.allSatisfy { $0.isKept } && !report.lines.isEmpty, "\(report)")
  }

  @Test func `an app without an action of the suite or with a misspelt action is refused`() {
    let idle = #expect(throws: RunError.self) {
      try StandardSuite.scenarios(for: IdleShelf.self)
    }
    #expect(idle?.code == .invalidApp)
    #expect(idle?.description.contains("IdleShelf") == true)
    let misspelt = #expect(throws: RunError.self) {
      try StandardSuite.scenarios(for: MisspeltShelf.self)
    }
    #expect(misspelt?.code == .invalidApp)
    #expect(misspelt?.description.contains("did you mean 'save.critical'?") == true)
  }
}

/// An app whose save never ends.
enum HangingShelf: AppUnderTest {
  static let bundleIdentifier = "com.example.shelf"
  static let files: KeyValuePairs<String, DataClass> = ["Documents/**": .critical]
  static let actions: AppActions = [
    "save.critical": { _ in try await Task.sleep(for: .seconds(600)) }
  ]
}

/// An app for scenario files that also has an action of the standard suite.
enum SharedShelf: AppUnderTest {
  static let files: KeyValuePairs<String, DataClass> = ["Documents/**": .critical]
  static let actions: AppActions = [
    "openShelf": { _ in },
    "save.critical": { action in
      try Data("[]".utf8).write(to: action.container.documents.appending(path: "list.json"))
    },
  ]
}

/// An app without an action of the standard suite.
enum IdleShelf: AppUnderTest {
  static let actions: AppActions = ["openShelf": { _ in }]
}

/// An app that misspells the name of an action of the suite.
enum MisspeltShelf: AppUnderTest {
  static let actions: AppActions = ["save.critcal": { _ in }]
}
#endif
