import Foundation
import TestSupport
import Testing

@testable import BackupDiagnostics
@testable import BackupScenarios
@testable import BackupTesting

/// A test finds its scenarios.
@Suite struct ScenarioAllTests {
  /// A valid scenario.
  private static let validScenario = "{ title: 'Right', steps: [{ backup: 'one' }] }"

  @Test func `scenarios are found beside the test's file, by id`() throws {
    let sandbox = try ScenarioSandbox([
      "b.json5": Self.validScenario,
      "a/c.json": "{\"title\": \"C\", \"steps\": [{\"backup\": \"one\"}]}",
    ])
    let found = try Scenario.all(filePath: sandbox.testFile)
    #expect(found.map(\.id) == ["a/c", "b"])
    #expect(found.map(\.file) == ["a/c.json", "b.json5"].map { "\(sandbox.scenarios)/\($0)" })
    #expect(try Scenario.all(in: "Scenarios/a", filePath: sandbox.testFile).map(\.id) == ["c"])
    #expect(try Scenario.all(in: "./a/../Scenarios", filePath: sandbox.testFile).count == 2)
  }

  @Test(arguments: ["Package.swift", "App.xcodeproj/project.pbxproj", ".git"])
  func `scenarios are found in a folder above the test's file, up to the project's folder`(
    mark: String
  ) throws {
    let sandbox = try ScenarioSandbox(["b.json5": Self.validScenario])
    try sandbox.folder.write("", to: mark)
    // A folder of tests may have the same name.
    try sandbox.folder.makeFolder("Tests/Scenarios")
    let file = "\(sandbox.folder.path)/Tests/Tests.swift"
    #expect(try Scenario.all(filePath: file).map(\.id) == ["b"])
    try sandbox.folder.write("", to: "Tests/Package.swift")
    let error = #expect(throws: RunError.self) { try Scenario.all(filePath: file) }
    #expect(
      error?.description.contains("Looked for: \(sandbox.folder.path)/Tests/Scenarios") == true)
  }

  @Test func `a filter selects scenarios, and one that selects none is an error`() throws {
    let sandbox = try ScenarioSandbox([
      "a/b.json5": Self.validScenario, "c.json5": Self.validScenario,
    ])
    #expect(try Scenario.all(in: sandbox.scenarios, matching: "a/*").map(\.id) == ["a/b"])
    let error = #expect(throws: RunError.self) {
      try Scenario.all(in: sandbox.scenarios, matching: "x/**")
    }
    #expect(error?.description.contains("there is no scenario that 'x/**' matches") == true)
  }

  @Test func `an empty folder and a missing one are errors`() throws {
    let sandbox = try ScenarioSandbox([:])
    let empty = #expect(throws: RunError.self) { try Scenario.all(in: sandbox.scenarios) }
    #expect(empty?.description.contains("there is no scenario, and a test of no scenario") == true)
    let missing = #expect(throws: RunError.self) {
      try Scenario.all(in: "NoSuch", filePath: sandbox.testFile)
    }
    #expect(missing?.description.contains("\(sandbox.folder.path)/NoSuch") == true)
  }

  @Test func `a file with mistakes fails at their lines, and the others run`() async throws {
    let sandbox = try ScenarioSandbox([
      "a.json5": "{\n  title: 'A',\n  stpes: [],\n}", "b.json5": Self.validScenario,
      "c.json5": "{ title: }",
    ])
    let scenarios = try Scenario.all(in: sandbox.scenarios)
    #expect(scenarios.map(\.id) == ["a", "b", "c"])
    let passed = CollectedValues<String>()
    let issues = await TestIssue.collecting {
      for scenario in scenarios {
        let result = await scenario.run(options: .init(recordMode: .never))
        if result != nil { passed.add(scenario.id) }
      }
    }
    #expect(passed.values == ["b"])
    let mistakes = issues.filter { $0.text.contains("unknown key") || $0.text.contains("Expected") }
    let places = mistakes.map { "\($0.sourceLocation.fileName):\($0.sourceLocation.line)" }
    #expect(places == ["a.json5:3", "c.json5:1"])
    #expect(!mistakes.contains { !$0.isFailure })
  }

  @Test func `a scenario is encoded as its id, so that one case can be run again`() throws {
    struct Argument: Encodable {
      let scenario: Scenario
      func encode(to encoder: any Encoder) throws { try scenario.encodeTestArgument(to: encoder) }
    }
    let sandbox = try ScenarioSandbox(["a/b.json5": Self.validScenario])
    let arguments = try Scenario.all(in: sandbox.scenarios).map { Argument(scenario: $0) }
    let ids = try JSONDecoder().decode([String].self, from: JSONEncoder().encode(arguments))
    #expect(ids == ["a/b"])
  }

  @Test func `scenarios are found in the resources of a bundle`() throws {
    let sandbox = try ScenarioSandbox(["b.json5": Self.validScenario])
    let bundle = try #require(Bundle(path: sandbox.folder.path))
    #expect(try Scenario.all(bundle: bundle).map(\.id) == ["b"])
    #expect(throws: RunError.self) { try Scenario.all(in: "None", bundle: bundle) }
  }
}
