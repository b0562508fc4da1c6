import BackupTesting
import Foundation
import Testing

/// The documentation's examples of whole tests. They need scenarios of their own, or other tests
/// already run them.
@Suite(.disabled("these show that the examples compile")) struct TestExamples {
  /// A class in the bundle of the tests, which finds the bundle.
  private final class AnyClassOfTheTests {}

  @Test(arguments: try Scenario.all())
  func `the app survives`(_ scenario: Scenario) async {
    await scenario.run()
  }

  @Test(arguments: try Scenario.all(bundle: Bundle(for: AnyClassOfTheTests.self)))
  func `the app survives on a device`(_ scenario: Scenario) async {
    await scenario.run()
  }

  @Test(arguments: try Scenario.all())
  func `the app's own code survives`(_ scenario: Scenario) async {
    await scenario.run(actions: [
      "downloadMovie": { action in
        try MovieStore(root: action.container.url)
          .save(Data(count: 700), id: action.argument("id"))
      }
    ])
  }

  @Test(arguments: try Scenario.all())
  func `a file that is trusted may have more items`(_ scenario: Scenario) async {
    let limits = Scenario.RunLimits(work: 5_000_000)
    await scenario.run(options: Scenario.RunOptions(limits: limits))
  }

  @Test(.container(files: ["Documents/**": .critical]))
  func `the watchlist is backed up`() throws {
    let container = try FakeContainer.current
    try Data("[]".utf8).write(to: container.documents.appending(path: "list.json"))
    #expect(try container.backUp().contains("Documents/list.json"))
  }

  @Test(.container) func `a new app has nothing to back up`() throws {
    let container = try FakeContainer.current
    #expect(try container.backUp().files.isEmpty)
  }

  @Suite(.container(system: "18", files: ["Library/**": .offline])) struct MovieTests {
    @Test func `a new app is right`() throws {
      try FakeContainer.current.expectNoFindings()
    }
  }

  @Test func `actions are bound`() {
    var actions = AppActions()
    actions.bind("downloadMovie") { action in
      let id: Int = try action.argument("id")
      try MovieStore(root: action.container.url).save(Data(count: 700), id: id)
    }
    #expect(actions.names == ["downloadMovie"])
  }
}

/// The examples of the standard suite.
@Suite(.disabled("these show that the examples compile")) struct StandardSuiteExamples {
  @Test func `the app keeps what every app must keep`() async throws {
    var cinema = StandardApp(
      bundleIdentifier: "com.example.cinema", files: ["Documents/**": .critical])
    cinema.save(.critical) { action in
      try Data("[]".utf8).write(to: action.container.documents.appending(path: "list.json"))
    }
    try await StandardSuite.run(for: cinema)
  }

  @Test(arguments: try StandardSuite.scenarios(for: .cinema, systems: ["9", "26"]))
  func `the app is right`(_ scenario: Scenario) async {
    await StandardSuite.run(scenario, for: .cinema)
  }

  @Test func `the report says it`() async throws {
    let cinema = StandardApp.cinema
    for scenario in try StandardSuite.scenarios(for: cinema) {
      await StandardSuite.run(scenario, for: cinema)
    }
    let report = try await StandardSuite.run(for: cinema, systems: ["18", "26"])
    #expect(report.lines.allSatisfy { $0.isKept })
  }
}

extension StandardApp {
  /// The app of the examples.
  fileprivate static var cinema: StandardApp {
    var cinema = StandardApp(
      bundleIdentifier: "com.example.cinema",
      files: ["Documents/**": .critical, "Library/Caches/**": .cached])
    cinema.save(.critical) { action in
      try Data("[]".utf8).write(to: action.container.documents.appending(path: "list.json"))
    }
    cinema.load(.critical) { action in
      _ = try Data(contentsOf: action.container.documents.appending(path: "list.json"))
    }
    cinema.launch { action in
      let folder = action.container.applicationSupport
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    cinema.save(.offline) { action in
      try MovieStore(root: action.container.url).save(Data(count: 9), id: 1)
    }
    cinema.load(.offline) { action in
      let store = MovieStore(root: action.container.url)
      if try store.movie(1) == nil { try store.save(Data(count: 9), id: 1) }
    }
    cinema.delete(.temporary) { action in
      try FileManager.default.removeItem(at: action.container.temporary.appending(path: "part"))
    }
    return cinema
  }
}

@Suite(.recording(.never)) struct RecordedTests {}
