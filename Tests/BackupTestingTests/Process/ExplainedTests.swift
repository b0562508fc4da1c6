import BackupDiagnostics
import Foundation
import TestSupport
import Testing

@testable import BackupScenarios
@testable import BackupTesting
@testable import BackupVerdicts

/// What a test prints of the item that `BACKUP_TESTING_EXPLAIN` names.
@Suite struct ExplainedTests {
  private func explanation(of path: String?) async throws -> String? {
    let scenario = try Scenario(
      text: """
        {
          title: "A list is saved by the app's own code",
          steps: [{ perform: "saveList" }, { backup: "at night" }],
        }
        """)
    var actions = AppActions()
    actions.bind("saveList") { action in
      try "[]".write(
        to: action.container.documents.appending(path: "list.json"), atomically: true,
        encoding: .utf8)
    }
    let suite = ScenarioSuite(
      goldens: nil, recordMode: .never, runner: ScenarioRunner(actions: actions))
    let result = try #require(await suite.run(scenario))
    let environment = path.map { [ScenarioExplanation.variable: $0] } ?? [:]
    return TestProcess(environment: environment, folder: try TestFolder().url)
      .explanation(of: result)
  }

  @Test func `an item that the app's code saved is explained`() async throws {
    let text = try #require(await explanation(of: "Documents/list.json"))
    #expect(text.contains("backup \"at night\""))
    #expect(text.contains("included: neither the item nor a directory above it is marked"))
  }

  @Test func `nothing is said without the variable`() async throws {
    #expect(try await explanation(of: nil) == nil)
    #expect(try await explanation(of: "") == nil)
  }

  @Test func `a misspelt item gets the nearest one`() async throws {
    let text = try #require(await explanation(of: "Documents/lst.json"))
    #expect(text.hasPrefix("BACKUP_TESTING_EXPLAIN: "))
    #expect(text.contains("did you mean 'Documents/list.json'?"))
  }
}
