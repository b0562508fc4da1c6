#if os(macOS) || os(Linux)
import BackupTesting
import Foundation
import TestSupport
import Testing

@testable import BackupExploring
@testable import BackupScenarios
@testable import BackupTesting
@testable import BackupVerdicts

/// An app like ``FolderApp`` that does not save atomically.
enum InPlaceFolderApp: AppUnderTest {
  static let actions: AppActions = [
    "always": { action in
      let folder = action.container.applicationSupport.appendingPathComponent("Movies")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try folder.excludeFromBackup()
      try Data(repeating: 7, count: 5000).write(to: folder.appendingPathComponent("1.mp4"))
    }
  ]
}

/// The order of explorations: scenarios that have changed since their last exploration go first.
struct ExplorationTurnsTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Writes a scenario that performs an action twice, and passes it to a closure. The closure runs
  /// with a new `TestProcess`.
  private func withScenario<Result>(
    _ action: String, _ body: (Scenario) async throws -> Result
  ) async throws -> Result {
    try folder.write(
      """
      { title: 'Movies', golden: { compare: false }, files: { 'Library/**': 'offline' }, steps: [
        { perform: '\(action)', with: { id: '1' } }, { perform: '\(action)', with: { id: '1' } },
      ] }
      """, to: "Scenarios/x.json5")
    let process = TestProcess(environment: [:], folder: folder.url)
    return try await TestProcess.$current.withValue(process) {
      let scenario = try #require(try Scenario.all(in: folder.path + "/Scenarios").first)
      return try await body(scenario)
    }
  }

  /// Runs the scenario, and returns whether its exploration would go first.
  private func goesFirst(_ action: String, _ app: (some AppUnderTest).Type) async throws -> Bool {
    try await withScenario(action) { scenario in
      let results = CollectedValues<ScenarioResult>()
      _ = await TestIssue.collecting {
        if let result = await scenario.run(app) { results.add(result) }
      }
      return try #require(results.values.first).hasChangedSinceExploration
    }
  }

  private func explore(_ action: String) async throws {
    try await withScenario(action) { scenario in
      _ = await TestIssue.collecting {
        await ExplorationSummary.$current.withValue(ExplorationSummary()) {
          _ = await scenario.explore(FolderApp.self)
        }
      }
    }
  }

  @Test func `a scenario goes first if it or its app has changed, or after a problem`() async throws
  {
    #expect(try await goesFirst("always", FolderApp.self))
    try await explore("always")
    #expect(try await !goesFirst("always", FolderApp.self))
    #expect(try await goesFirst("once", FolderApp.self))
    #expect(try await goesFirst("always", InPlaceFolderApp.self))
    try await explore("once")
    #expect(try await goesFirst("always", FolderApp.self))
  }

  @Test func `other scenarios wait until the first ones have ended, and no longer`() async throws {
    let turns = ExplorationTurns()
    let ended = CollectedValues<String>()
    // One scenario goes first, one is not explored, and two wait.
    for _ in 1...4 { await turns.begin() }
    await withTaskGroup { group in
      for _ in 1...2 {
        group.addTask {
          await turns.letOthersGoFirst()
          ended.add("other")
        }
      }
      await turns.end()
      ended.add("first")
      await turns.end()
    }
    #expect(ended.values == ["first", "other", "other"])
    // No other scenario is ahead, so this one does not wait.
    await turns.begin()
    await turns.letOthersGoFirst()
  }
}
#endif
