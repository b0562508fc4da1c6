#if os(macOS) || os(Linux)
import BackupExploring
import BackupScenarios
import Foundation
import TestSupport
import Testing

@testable import BackupTesting
@testable import BackupVerdicts

/// Tests that only a ``TestRun`` runs.
@Suite(.enabled(if: TestRun.isCurrentProcess), .serialized) struct RunFixtures {
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

  @Test func `user defaults over a list that cannot be read`() async throws {
    let list = "Library/Preferences/com.example.app.plist"
    let trial = try await AppTrial(
      HabitsApp.self,
      ["{ place: '\(list)', contents: '{ a = b }' }", "{ perform: 'setDefault' }"])
    #expect(trial.failure == nil && trial.errors.isEmpty)
  }

  @Test func `an explored save`() async throws {
    let folder = try TestFolder([
      "Scenarios/x.json5": """
      { title: 'Saves', golden: { compare: false }, files: { 'Library/**': 'offline' }, steps: [
        { perform: 'always', with: { id: '1' } }, { perform: 'always', with: { id: '2' } },
        { backup: 'night' }] }
      """
    ])
    let scenario = try #require(try Scenario.all(in: folder.path + "/Scenarios").first)
    await scenario.explore(FolderApp.self)
  }

  @Test func `an explored crash`() async throws {
    let scenario = try #require(
      try StandardSuite.scenarios(for: HalfSaveApp.self).first { $0.id == "critical" })
    await StandardSuite.explore(scenario, for: HalfSaveApp.self)
  }

  @Test func `a file in the home`() throws {
    let files = FileManager.default
    let folder = URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent("Documents")
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

/// An app that crashes at a launch after only the first of its two files was saved.
enum HalfSaveApp: AppUnderTest {
  static let files: KeyValuePairs<String, DataClass> = ["Documents/**": .critical]

  static func launch(_ launch: AppLaunch) async throws {
    let documents = launch.container.documents
    if documents.file("list").isThere, !documents.file("items").isThere {
      fatalError("the list has no items")
    }
  }

  static let actions: AppActions = [
    "save.critical": { action in
      let documents = action.container.documents
      try Data("list".utf8).write(to: documents.file("list"))
      try Data("items".utf8).write(to: documents.file("items"))
    }
  ]
}
#endif
