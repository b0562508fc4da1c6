import Foundation
import TestSupport
import Testing

@testable import BackupContainer
@testable import BackupScenarios
@testable import BackupTesting
@testable import BackupVerdicts

/// The issues that the run of a scenario records, and their places.
@Suite struct ScenarioRunTests {
  /// An issue, as the test run shows it.
  private struct SeenIssue: Sendable, Equatable, CustomStringConvertible {
    let file: String
    /// The file's name as the console shows it.
    let shownFile: String
    let line: Int
    /// Whether it fails the test.
    let isError: Bool
    let text: String

    init(_ issue: TestIssue.CollectedIssue) {
      file = URL(fileURLWithPath: issue.sourceLocation.filePath).lastPathComponent
      shownFile = issue.sourceLocation.fileName
      line = issue.sourceLocation.line
      isError = issue.isFailure
      text = issue.text
    }

    var description: String { "\(file):\(line) \(isError ? "error" : "warning") \(text)" }
  }

  /// The process that the scenarios of a test share.
  private let process: TestProcess
  /// The folder in which the process leaves files for the next process.
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    process = TestProcess(environment: [:], folder: folder.url)
  }

  /// Runs the first scenario of a folder, and returns the issues that it records.
  private func issues(
    _ sandbox: ScenarioSandbox, actions: AppActions = AppActions(), mode: RecordMode? = nil,
    in process: TestProcess? = nil
  ) async throws -> [SeenIssue] {
    try await TestProcess.$current.withValue(process ?? self.process) {
      let scenario = try #require(try Scenario.all(in: sandbox.scenarios).first)
      let issues = await TestIssue.collecting {
        await scenario.run(
          actions: actions, options: .init(goldenFolder: sandbox.goldens, recordMode: mode))
      }
      return issues.map(SeenIssue.init)
    }
  }

  /// A scenario that leaves offline data in a backup, at line 4, and a temporary file, at line 5.
  private static let broken = """
    {
      title: 'Broken', files: { 'Library/**': 'offline', 'tmp/**': 'temporary' },
      steps: [
        { save: 'Library/com.example.app.mp4', size: 10 },
        { save: 'tmp/x', size: 1 },
        { backup: 'one' },
      ],
    }
    """

  /// An action that saves a file.
  private static let save: AppActions.Code = { action in
    try Data().write(to: action.container.documents.appendingPathComponent("old"))
  }

  /// A valid scenario.
  private static let validScenario =
    "{ title: 'Right', steps: [\n{ perform: 'a' },\n{ backup: 'one' }] }"

  @Test func `findings are issues at their lines, warnings as warnings`() async throws {
    let sandbox = try ScenarioSandbox(["x.json5": Self.broken])
    _ = try await issues(sandbox)
    let seen = try await issues(sandbox, mode: .never)
    let error = try #require(seen.first { $0.text.contains("recreatable-data-backed-up") })
    #expect(error.file == "x.json5" && error.line == 4 && error.isError)
    #expect(error.shownFile == "x.json5")
    let lines = error.text.split(separator: "\n")
    #expect(lines[0].hasPrefix("recreatable-data-backed-up: 'Library/com.example.app.mp4' is "))
    #expect(lines[1].hasPrefix("scenario: x (") && lines[1].hasSuffix("/x.json5:4)"))
    let warning = try #require(seen.first { $0.text.contains("temporary-left-behind") })
    #expect(warning.line == 5 && !warning.isError)
  }

  @Test func `a golden file that was just recorded is a warning once, with its contents`()
    async throws
  {
    let sandbox = try ScenarioSandbox(["x.json5": Self.validScenario])
    let first = try await issues(sandbox, actions: ["a": Self.save])
    #expect(first.map(\.isError) == [false] && first.map(\.line) == [1])
    #expect(first.first?.text.contains("recorded ") == true)
    #expect(first.first?.text.contains("\n  in   Documents/old") == true)
    #expect(process.lineOnRecordedGoldens.hasPrefix("recorded 1 golden file; check it"))
    #expect(try await issues(sandbox, actions: ["a": Self.save]).isEmpty)
  }

  @Test(arguments: ["", "1"])
  func `a difference waits for a review, but not on CI`(ci: String) async throws {
    let sandbox = try ScenarioSandbox(["x.json5": Self.validScenario])
    _ = try await issues(sandbox, actions: ["a": Self.save])
    let actions: AppActions = [
      "a": { try Data().write(to: $0.container.documents.appending(path: "new")) }
    ]
    let process = TestProcess(environment: ["CI": ci], folder: folder.url)
    let text = try #require(
      try await issues(sandbox, actions: actions, in: process).first?.text)
    let command = "swift run backup-testing accept x --golden \(sandbox.goldens)"
    let isLeft = FileManager.default.fileExists(atPath: "\(sandbox.goldens)/x.golden.new")
    #expect(isLeft == ci.isEmpty)
    #expect(text.contains(command) == ci.isEmpty, "\(text)")
    #expect(text.contains("BACKUP_TESTING_RECORD=failed") != ci.isEmpty, "\(text)")
  }

  @Test func `the sources of broken rules are one line at the end`() {
    process.keepSources(["b", "a"])
    process.keepSources(["b"])
    #expect(process.lineOfSources == "sources, in the article What iOS does: a, b\n")
  }

  @Test func `an issue with a long difference has only the first lines and reasons`() async throws {
    let sandbox = try ScenarioSandbox(["x.json5": Self.validScenario])
    _ = try await issues(sandbox, actions: ["a": Self.save])
    let actions: AppActions = [
      "a": { action in
        for number in 0..<100 {
          try Data().write(to: action.container.documents.appending(path: "\(number)"))
        }
      }
    ]
    let text = try #require(try await issues(sandbox, actions: actions).first?.text)
    #expect(text.split(separator: "\n").count { $0.contains(" +   in   Documents/") } < 40)
    #expect(text.contains("more lines; compare "))
    #expect(text.split(separator: "\n").count { $0.hasPrefix("why: step 2: ") } == 40)
    #expect(text.contains("why: … and "))
  }

  @Test func `an unknown variable of the kit's is a warning, once`() async throws {
    let sandbox = try ScenarioSandbox(["x.json5": Self.validScenario])
    let process = TestProcess(
      environment: ["BACKUP_TESTING_RECROD": "never"], folder: folder.url)
    var warnings: [SeenIssue] = []
    for _ in 1...2 {
      warnings += try await issues(sandbox, actions: ["a": Self.save], in: process).filter {
        $0.text.contains("'BACKUP_TESTING_RECROD'; did you mean 'BACKUP_TESTING_RECORD'?")
      }
    }
    #expect(warnings.map(\.isError) == [false])
  }

  @Test func `a missing golden file that may not be written is an error`() async throws {
    let sandbox = try ScenarioSandbox(["x.json5": Self.validScenario])
    let seen = try await issues(sandbox, actions: ["a": Self.save], mode: .never)
    #expect(seen.count == 1)
    #expect(seen.first?.isError == true && seen.first?.text.contains("the golden file") == true)
    #expect(!FileManager.default.fileExists(atPath: sandbox.goldens))
  }

  @Test func `an unbound action is an error at its step, with code to paste`() async throws {
    let sandbox = try ScenarioSandbox(["x.json5": Self.validScenario])
    let seen = try await issues(sandbox, mode: .never)
    let unbound = try #require(seen.first { $0.text.contains("is not bound") })
    #expect(unbound.line == 2 && unbound.isError)
    #expect(unbound.text.contains("\"a\": { action in"))
  }

  @Test func `a binding that no scenario uses is one warning, at the test`() async throws {
    let sandbox = try ScenarioSandbox([
      "x.json5": Self.validScenario, "y/z.json5": Self.validScenario,
    ])
    let actions: AppActions = ["a": Self.save, "unused": { _ in }]
    let first = try await issues(sandbox, actions: actions)
    let warnings = first.filter { $0.text.contains("'unused' is bound") }
    #expect(warnings.count == 1)
    #expect(warnings.first?.isError == false)
    #expect(warnings.first?.file == "ScenarioRunTests.swift")
    #expect(try await issues(sandbox, actions: actions).isEmpty)
  }

  @Test func `a binding that a scenario of another loaded folder uses is no warning`() async throws
  {
    let other = Self.validScenario.replacing("'a'", with: "'b'")
    let sandboxes = try [
      ScenarioSandbox(["x.json5": Self.validScenario]), ScenarioSandbox(["y.json5": other]),
    ]
    try TestProcess.$current.withValue(process) {
      _ = try Scenario.all(in: sandboxes[1].scenarios)
    }
    let actions: AppActions = ["a": { _ in }, "b": { _ in }]
    for sandbox in sandboxes {
      let seen = try await issues(sandbox, actions: actions)
      #expect(!seen.contains { $0.text.contains("bound, but") })
    }
  }

  @Test func `unused bindings are one warning, even if several folders use the same actions`()
    async throws
  {
    let sandboxes = try [
      ScenarioSandbox(["x.json5": Self.validScenario]),
      ScenarioSandbox(["y.json5": Self.validScenario]),
    ]
    let actions: AppActions = ["a": { _ in }, "u": { _ in }, "v": { _ in }]
    var texts: [String] = []
    for sandbox in sandboxes {
      texts += try await issues(sandbox, actions: actions).map(\.text)
    }
    let warnings = texts.filter { $0.contains("bound, but") }
    #expect(
      warnings == [
        "the actions 'u' and 'v' are bound, but no scenario in \(sandboxes[0].scenarios) performs "
          + "them"
      ])
  }

  @Test(arguments: ["a file of the folder", "the folder"])
  func `unused bindings are no warning if a scenario file cannot be read`(unreadableItem: String)
    async throws
  {
    let sandbox = try ScenarioSandbox(["x.json5": Self.validScenario])
    let scenario = try #require(try Scenario.all(in: sandbox.scenarios).first)
    if unreadableItem == "the folder" {
      try FileManager.default.removeItem(atPath: sandbox.scenarios)
    } else {
      try sandbox.folder.write("{", to: "Scenarios/y.json5")
    }
    await TestProcess.$current.withValue(process) {
      let issues = await TestIssue.collecting {
        await scenario.run(
          actions: ["a": { _ in }, "u": { _ in }],
          options: .init(goldenFolder: sandbox.goldens, recordMode: .never)
        )
      }
      #expect(!issues.isEmpty)
      #expect(!issues.contains { $0.text.contains("bound, but") })
    }
  }

  @Test func `two tests with different code and one golden file are reported once`() async throws {
    let sandbox = try ScenarioSandbox(["x.json5": Self.validScenario])
    let shared = SharedGoldenFiles()
    let path = "\(sandbox.goldens)/x.golden"
    func complaint(of test: String, saving name: String) async throws -> String? {
      let actions: AppActions = [
        "a": { try Data().write(to: $0.container.documents.appendingPathComponent(name)) }
      ]
      let scenario = try #require(try Scenario.all(in: sandbox.scenarios).first)
      let results = CollectedValues<ScenarioResult>()
      _ = await TestIssue.collecting {
        let options = Scenario.RunOptions(goldenFolder: sandbox.goldens, recordMode: .missing)
        if let result = await scenario.run(actions: actions, options: options) {
          results.add(result)
        }
      }
      let result = try #require(results.values.first)
      return shared.complaint(about: result, result.problems, of: test, at: path)
    }
    try await TestProcess.$current.withValue(process) {
      #expect(try await complaint(of: "first", saving: "old") == nil)
      #expect(try await complaint(of: "same", saving: "old") == nil)
      let text = try #require(try await complaint(of: "second", saving: "new"))
      #expect(
        text.hasPrefix(
          "the tests 'first' and 'second' run 'x' with different outcomes, but have one golden file"
        ))
      #expect(try await complaint(of: "second", saving: "new") == nil)
    }
  }

  @Test func `an outcome that differs is shown at its step`() async throws {
    let sandbox = try ScenarioSandbox(["x.json5": Self.validScenario])
    _ = try await issues(sandbox, actions: ["a": Self.save])
    let seen = try await issues(
      sandbox,
      actions: [
        "a": { try Data([1]).write(to: $0.container.documents.appendingPathComponent("new")) }
      ], mode: .never)
    #expect(seen.count == 1)
    #expect(seen.first?.line == 3 && seen.first?.isError == true)
    #expect(seen.first?.text.contains("Documents/new") == true)
  }
}
