import Foundation
import TestSupport
import Testing

@testable import BackupDiagnostics
@testable import BackupScenarios
@testable import BackupTesting

/// How a test finds its scenarios.
@Suite struct ScenarioAllTests {
  /// A scenario that is right.
  private static let right = "{ title: 'Right', steps: [{ backup: 'one' }] }"

  @Test func `scenarios are found beside the test's file, by id`() throws {
    let sandbox = try ScenarioSandbox([
      "b.json5": Self.right, "a/c.json": "{\"title\": \"C\", \"steps\": [{\"backup\": \"one\"}]}",
    ])
    let found = try Scenario.all(filePath: sandbox.testFile)
    #expect(found.map(\.id) == ["a/c", "b"])
    #expect(found.map(\.file) == ["a/c.json", "b.json5"].map { "\(sandbox.scenarios)/\($0)" })
    #expect(try Scenario.all(in: "Scenarios/a", filePath: sandbox.testFile).map(\.id) == ["c"])
    #expect(try Scenario.all(in: "./a/../Scenarios", filePath: sandbox.testFile).count == 2)
  }

  @Test(arguments: ["Package.swift", "App.xcodeproj/project.pbxproj", ".git"])
  func `they are found in a folder above the test's file, up to the project's`(mark: String) throws
  {
    let sandbox = try ScenarioSandbox(["b.json5": Self.right])
    try sandbox.folder.write("", to: mark)
    // A group of tests may be called the same.
    try sandbox.folder.makeFolder("Tests/Scenarios")
    let file = "\(sandbox.folder.path)/Tests/Tests.swift"
    #expect(try Scenario.all(filePath: file).map(\.id) == ["b"])
    try sandbox.folder.write("", to: "Tests/Package.swift")
    let error = #expect(throws: RunError.self) { try Scenario.all(filePath: file) }
    #expect(
      error?.description.contains("Looked for: \(sandbox.folder.path)/Tests/Scenarios") == true)
  }

  @Test func `an absolute folder is taken as it is`() throws {
    let sandbox = try ScenarioSandbox(["b.json5": Self.right])
    #expect(try Scenario.all(in: sandbox.scenarios).map(\.id) == ["b"])
  }

  @Test func `a filter chooses, and one that chooses none is an error`() throws {
    let sandbox = try ScenarioSandbox(["a/b.json5": Self.right, "c.json5": Self.right])
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
      "a.json5": "{\n  title: 'A',\n  stpes: [],\n}", "b.json5": Self.right,
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

  @Test func `a scenario is encoded by its id, so that one case can be run again`() throws {
    struct Argument: Encodable {
      let scenario: Scenario
      func encode(to encoder: any Encoder) throws { try scenario.encodeTestArgument(to: encoder) }
    }
    let sandbox = try ScenarioSandbox(["a/b.json5": Self.right])
    let arguments = try Scenario.all(in: sandbox.scenarios).map { Argument(scenario: $0) }
    let ids = try JSONDecoder().decode([String].self, from: JSONEncoder().encode(arguments))
    #expect(ids == ["a/b"])
  }

  @Test func `a bundle has them in its resources`() throws {
    let sandbox = try ScenarioSandbox(["b.json5": Self.right])
    let bundle = try #require(Bundle(path: sandbox.folder.path))
    #expect(try Scenario.all(bundle: bundle).map(\.id) == ["b"])
    #expect(throws: RunError.self) { try Scenario.all(in: "None", bundle: bundle) }
  }
}
