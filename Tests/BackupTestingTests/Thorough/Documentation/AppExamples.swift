import BackupExploring
import BackupTesting
import Foundation
import Testing

/// The documentation's examples of apps that run in their own process.
@Suite(.disabled("these show that the examples compile")) struct AppExamples {
  enum CinemaApp: AppUnderTest {
    static let actions: AppActions = [
      "downloadMovie": { action in
        try MovieStore(root: action.container.url)
          .save(Data(count: 700), id: action.argument("id"))
      }
    ]
  }

  enum CheckedCinema: AppUnderTest {
    static let actions: AppActions = [
      "showMovies": { _ in }
    ]

    static func check(_ launch: AppLaunch) async throws {
      let index = launch.container.documents.appending(path: "movies.json")
      guard let data = try? Data(contentsOf: index) else { return }
      for name in try JSONDecoder().decode([String].self, from: data) {
        _ = try Data(contentsOf: launch.container.applicationSupport.appending(path: name))
      }
    }
  }

  enum MigratingCinema: AppUnderTest {
    static let actions: AppActions = [
      "showMovies": { _ in }
    ]

    static func launch(_ launch: AppLaunch) async throws {
      guard launch.appVersion != "1.0" else { return }
      let files = FileManager.default
      let old = launch.container.documents.appending(path: "movies.json")
      guard files.fileExists(atPath: old.path) else { return }
      let folder = launch.container.applicationSupport
      try files.createDirectory(at: folder, withIntermediateDirectories: true)
      try files.moveItem(at: old, to: folder.appending(path: "movies.json"))
    }
  }

  @Test(arguments: try Scenario.all())
  func `the app survives`(_ scenario: Scenario) async {
    await scenario.run(CinemaApp.self)
  }

  @Test(arguments: try Scenario.all())
  func `the app survives at every moment`(_ scenario: Scenario) async {
    await scenario.explore(CinemaApp.self)
  }

  @Test(.disabled("exploring takes its time"), arguments: try Scenario.all())
  func `the app survives two events`(_ scenario: Scenario) async {
    await scenario.explore(CinemaApp.self, bounds: Scenario.ExplorationBounds(depth: 2))
  }

  @Test(arguments: try Scenario.all())
  func `the app survives what a folder holds`(_ scenario: Scenario) async {
    await scenario.run(CinemaApp.self, options: Scenario.RunOptions(allowsBackups: true))
  }

  @Test(.container) func `a download survives a kill`() async throws {
    let container = try FakeContainer.current
    let app = try await container.launch(CinemaApp.self)
    try await app.perform("downloadMovie", with: ["id": 7])
    try app.kill()
  }

  @Test(.container) func `launched again`() async throws {
    let container = try FakeContainer.current
    let app = try await container.launch(CinemaApp.self)
    try app.kill()
    let next = try await container.launch(CinemaApp.self)
    #expect(!next.hasEnded)
  }
}

/// The documentation's examples of the standard suite with an app in its own process.
@Suite struct StandardAppExamples {
  enum CinemaApp: AppUnderTest {
    static let bundleIdentifier = "com.example.cinema"
    static let files: KeyValuePairs<String, DataClass> = ["Documents/**": .critical]
    static let actions: AppActions = [
      "save.critical": { action in
        try Data("[]".utf8).write(to: action.container.documents.appending(path: "list.json"))
      }
    ]
  }

  @Test(arguments: try StandardSuite.scenarios(for: CinemaApp.self))
  func `the app is right`(_ scenario: Scenario) async {
    await StandardSuite.run(scenario, for: CinemaApp.self)
  }

  @Test(
    .disabled("exploring takes its time"),
    arguments: try StandardSuite.scenarios(for: CinemaApp.self))
  func `at every moment`(_ scenario: Scenario) async {
    await StandardSuite.explore(scenario, for: CinemaApp.self)
  }

  @Test(.disabled("each is a case of the first test")) func `one after another`() async throws {
    for scenario in try StandardSuite.scenarios(for: CinemaApp.self) {
      await StandardSuite.run(scenario, for: CinemaApp.self)
    }
  }

  @Test func `the whole suite`() async throws {
    let report = try await StandardSuite.run(for: CinemaApp.self)
    #expect(report.lines.allSatisfy { $0.isKept })
  }

  @Test func `places of the container`() {
    let actions: AppActions = [
      "look": { action in
        let list = action.container.documents.appending(path: "list.json")
        _ = list
      }
    ]
    #expect(actions.names == ["look"])
  }
}
