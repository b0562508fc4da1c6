import Foundation
import Testing

@testable import BackupTesting
@testable import BackupVerdicts

/// Tests that only a ``TestRun`` runs.
@Suite(.enabled(if: TestRun.isOne), .serialized) struct RunFixtures {
  @Test func `a wrong shelf`() async throws {
    let app = ShelfApp<OwnPlace, MarksLists>.self
    let scenario = try #require(
      try StandardSuite.scenarios(for: app).first { $0.id == "critical" })
    await StandardSuite.run(scenario, for: app)
  }

  @Test func `a save`() async throws {
    let trial = try await AppTrial(HabitsApp.self, ["{ perform: 'save' }"])
    #expect(trial.failure == nil && trial.errors.isEmpty)
  }

  @Test func `an explored save`() async throws {
    let saves = (1...2).map { "{ perform: 'always', with: { id: '\($0)' } }" }
    let head = "files: { 'Library/**': 'offline' },"
    let trial = try await AppTrial(
      FolderApp.self, saves + ["{ backup: 'night' }"], head: head, exploring: true)
    #expect(trial.errors.isEmpty)
  }

  @Test func `a file in the home`() throws {
    let files = FileManager.default
    let folder = files.homeDirectoryForCurrentUser.appendingPathComponent("Documents")
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("a")
    try Data().write(to: file)
    try files.removeItem(at: folder)
  }

  @Test func `two runs outside of a test`() async throws {
    let app = ShelfApp<OwnPlace, Faultless>.self
    let scenario = try #require(try StandardSuite.scenarios(for: app).first)
    await Task.detached {
      await StandardSuite.run(scenario, for: app)
      await StandardSuite.run(scenario, for: app)
    }.value
  }
}
