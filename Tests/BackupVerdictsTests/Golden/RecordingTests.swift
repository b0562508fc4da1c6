import BackupContainer
import BackupDevice
import BackupRules
import Foundation
import TestSupport
import Testing
import TrialSupport

@testable import BackupDiagnostics
@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct `Golden files are recorded` {
  let steps = ["{ save: 'Documents/a', size: 1 }", "{ backup: 'a' }"]

  /// Writes a former golden file, and runs the scenario in a record mode. Returns the result, and
  /// the golden file after the run.
  func run(
    _ mode: RecordMode, former: [UInt8]?, id: String = "deep/trial"
  ) async throws -> (ScenarioResult, after: String?) {
    let folder = try TestFolder()
    if let former { try folder.write(former, to: "\(id).golden") }
    let result = try await Trial.result(
      try Trial.scenario(steps, id: id), mode, goldens: GoldenStore(folder: folder.path))
    #expect(try folder.names().filter { $0.contains(".golden") }.count <= 1)
    return (result, try? folder.text(of: "\(id).golden"))
  }

  let right = Array(
    """
    # golden 2: deep/trial
    system newest, iCloud
    backup "a": 1 file, 1 byte
      in   Documents/
      in   Documents/a  1 byte
      in   Library/
      out  Library/Caches/  (location)
      in   Library/Preferences/
      out  tmp/  (location)

    """.utf8)
  let wrong = Array("# golden 2: deep/trial\n".utf8)

  @Test(arguments: RecordMode.allCases)
  func `if there is none`(mode: RecordMode) async throws {
    let (result, after) = try await run(mode, former: nil)
    #expect(result.verdict == (mode == .never ? .failed : .recorded))
    #expect(after == (mode == .never ? nil : String(decoding: right, as: UTF8.self)))
    #expect(result.problems.map(\.kind) == [mode == .never ? .golden : .recorded])
  }

  @Test func `without a note if the user requested the recording`() async throws {
    let folder = try TestFolder()
    var suite = ScenarioSuite(goldens: GoldenStore(folder: folder.path), recordMode: .all)
    suite.isRecordingRequested = true
    let result = try #require(await suite.run(try Trial.scenario(steps)))
    #expect(result.verdict == .recorded && result.problems.isEmpty)
  }

  @Test func `with a note at the title for a new file, which has its contents`() async throws {
    let folder = try TestFolder()
    let text = "{\n  // The first.\n  title: 'First', steps: [\(steps.joined(separator: ", "))] }"
    let scenario = try Scenario(text: text, id: "deep/trial")
    let result = try await Trial.result(scenario, goldens: GoldenStore(folder: folder.path))
    let note = try #require(result.problems.first)
    #expect(result.problems.count == 1 && note.severity == .advice && !note.isFailure)
    #expect(note.position.line == 3)
    let lines = String(decoding: right, as: UTF8.self).split(separator: "\n").map(String.init)
    // The folder of a test is outside of the working directory, so another line says what to do.
    #expect(note.details.dropLast() == lines[...])
    #expect(note.details.last?.hasPrefix("do: if it belongs elsewhere, delete it, ") == true)
  }

  /// Runs that show nothing, each with a part of the message.
  @Test(
    arguments: [
      ([], "the scenario has no steps"),
      (["{ backup: 'a' }", "{ restore: 'a' }"], "no step changed anything"),
      (["{ perform: 'act' }", "{ backup: 'a' }"], "a detached task may still run then"),
      (["{ perform: 'act' }", "{ backup: 'a' }"], "hides no error with 'try?'"),
    ] as [([String], String)])
  func `not from a run that changed nothing`(steps: [String], embeddedMessage: String) async throws
  {
    let folder = try TestFolder()
    var actions = AppActions()
    actions.bind("act") { _ in }
    for mode in RecordMode.allCases where mode != .never {
      let suite = ScenarioSuite(
        goldens: GoldenStore(folder: folder.path), recordMode: mode,
        runner: ScenarioRunner(actions: actions))
      let result = try #require(await suite.run(try Trial.scenario(steps)))
      #expect(result.verdict == .failed)
      let problem = try #require(result.problems.first)
      #expect(result.problems.count == 1)
      #expect(([problem.message] + problem.details).contains { $0.contains(embeddedMessage) })
    }
    #expect(try folder.names() == [])
  }

  /// Returns the result of a run with two actions. One saves at once. The other saves when the
  /// backup is taken, or never.
  func result(
    _ other: String, savesLater: Bool, in folder: TestFolder
  ) async throws -> ScenarioResult {
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    var runner = ScenarioRunner(actions: [
      "act": { action in
        let file = action.container.documents.appendingPathComponent("late")
        Task.detached {
          for await _ in gate { try Data([1]).write(to: file) }
        }
      },
      "save": { try Data([1]).write(to: $0.container.documents.appendingPathComponent("a")) },
    ])
    runner.whenBackedUp = { _, _, _ throws(RunError) in if savesLater { opener.yield() } }
    let suite = ScenarioSuite(
      goldens: GoldenStore(folder: folder.path), recordMode: .missing, runner: runner)
    let steps = [
      "{ perform: 'save' }", "{ save: 'Documents/b', size: 1 }", "{ perform: 'act' }",
      "{ backup: 'a' }",
    ]
    defer { opener.finish() }
    return try #require(await suite.run(try Trial.scenario(steps, other)))
  }

  @Test(arguments: [
    ["{ place: 'Documents/Inbox/a', size: 1 }", "{ backup: 'a' }"],
    ["{ createDirectory: 'Documents/a' }"],
    ["{ perform: 'act' }", "{ save: 'Documents/a', size: 1 }"],
  ])
  func `but from a run in which anything changed`(steps: [String]) async throws {
    let folder = try TestFolder()
    var actions = AppActions()
    actions.bind("act") { _ in }
    let suite = ScenarioSuite(
      goldens: GoldenStore(folder: folder.path), recordMode: .missing,
      runner: ScenarioRunner(actions: actions))
    let scenario = try Trial.scenario(steps)
    #expect(await suite.run(scenario)?.verdict == .recorded)
  }

  @Test(arguments: RecordMode.allCases)
  func `if the golden file differs`(mode: RecordMode) async throws {
    let (result, after) = try await run(mode, former: wrong)
    let isRecorded = mode == .failed || mode == .all
    #expect(result.verdict == (isRecorded ? .recorded : .failed))
    #expect(after == String(decoding: isRecorded ? right : wrong, as: UTF8.self))
  }

  @Test(arguments: RecordMode.allCases)
  func `not again if the golden file is the same`(mode: RecordMode) async throws {
    let (result, after) = try await run(mode, former: right)
    #expect(result.verdict == .passed && result.problems.isEmpty)
    #expect(after == String(decoding: right, as: UTF8.self))
  }

  @Test func `not from a run that failed`() async throws {
    let folder = try TestFolder()
    let scenario = try Trial.scenario(steps + ["{ remove: 'tmp/a' }"])
    let result = try await Trial.result(scenario, .all, goldens: GoldenStore(folder: folder.path))
    #expect(result.verdict == .error)
    #expect(try folder.names() == [])
  }

  @Test func `not from a run with findings that fail it, unless all is recorded`() async throws {
    let folder = try TestFolder()
    let store = GoldenStore(folder: folder.path)
    let scenario = try Trial.scenario(["{ exclude: 'tmp/a' }", "{ backup: 'a' }"])
    let result = try await Trial.result(scenario, .missing, goldens: store)
    #expect(result.verdict == .failed)
    #expect(result.problems.map(\.kind) == [.finding(rule: "exists-before-set")])
    let resultOfFailedMode = try await Trial.result(scenario, .failed, goldens: store)
    #expect(resultOfFailedMode.problems.map(\.kind) == [.finding(rule: "exists-before-set")])
    #expect(try store.text(of: scenario.id) == nil)
    let recordedAll = try await Trial.result(scenario, .all, goldens: store)
    #expect(recordedAll.problems.map(\.kind) == [.finding(rule: "exists-before-set"), .recorded])
    #expect(try store.text(of: scenario.id) != nil)
  }
}

@Suite struct `The record mode` {
  @Test(
    arguments: [
      ([:], .missing), (["CI": ""], .missing), (["CI": "false"], .missing), (["CI": "0"], .missing),
      (["CI": "no"], .missing), (["CI": "true"], .never), (["CI": "TRUE"], .never),
      (["CI": "yes"], .never), (["CI": "1"], .never), (["CI": "woodpecker"], .never),
      (["CI": "true", "BACKUP_TESTING_RECORD": "all"], .all),
      (["BACKUP_TESTING_RECORD": ""], .missing), (["BACKUP_TESTING_RECORD": "never"], .never),
    ] as [([String: String], RecordMode)])
  func `comes from the environment`(environment: [String: String], mode: RecordMode) throws {
    #expect(try RecordMode.mode(in: environment) == mode)
  }

  @Test func `of an unknown name is an error`() throws {
    let error = try #require(throws: RunError.self) {
      try RecordMode.mode(in: ["BACKUP_TESTING_RECORD": "mising"])
    }
    #expect(
      error.description
        == "BACKUP_TESTING_RECORD: unknown record mode 'mising'; did you mean 'missing'? "
        + "(expected one of never, missing, failed, all)")
    #expect(throws: RunError.self) { try RecordMode.mode(named: "All", by: "--record") }
  }
}
