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
  private let steps = ["{ save: 'Documents/a', size: 1 }", "{ backup: 'a' }"]

  /// What a run in a mode says, with a golden file of these bytes before it, and what is there
  /// after.
  private func run(
    _ mode: RecordMode, former: [UInt8]?, id: String = "deep/trial"
  ) async throws -> (ScenarioResult, after: String?) {
    let folder = try TestFolder()
    if let former { try folder.write(former, to: "\(id).golden") }
    let result = try await Trial.result(
      try Trial.scenario(steps, id: id), mode, goldens: GoldenStore(folder: folder.path))
    #expect(try folder.names().filter { $0.contains(".golden") }.count <= 1)
    return (result, try? folder.text(of: "\(id).golden"))
  }

  private let right = Array(
    """
    # golden 1: deep/trial
    system newest, iCloud
    step 2 backup "a": 1 file, 1 byte
    + Documents/a  1
    - Library/Caches/  location
    + Library/Preferences/
    - tmp/  location

    """.utf8)
  private let wrong = Array("# golden 1: deep/trial\n".utf8)

  @Test(arguments: RecordMode.allCases)
  func `where there is none`(mode: RecordMode) async throws {
    let (result, after) = try await run(mode, former: nil)
    #expect(result.verdict == (mode == .never ? .failed : .recorded))
    #expect(after == (mode == .never ? nil : String(decoding: right, as: UTF8.self)))
    #expect(result.problems.map(\.kind) == [mode == .never ? .golden : .recorded])
  }

  @Test func `without a note where it was asked for`() async throws {
    let folder = try TestFolder()
    var suite = ScenarioSuite(goldens: GoldenStore(folder: folder.path), recordMode: .all)
    suite.isRecordingRequested = true
    let result = try #require(await suite.run(try Trial.scenario(steps)))
    #expect(result.verdict == .recorded && result.problems.isEmpty)
  }

  @Test func `the first with a note at the title, which has its contents`() async throws {
    let folder = try TestFolder()
    let text = "{\n  // The first.\n  title: 'First', steps: [\(steps.joined(separator: ", "))] }"
    let scenario = try Scenario(text: text, id: "deep/trial")
    let result = try await Trial.result(scenario, goldens: GoldenStore(folder: folder.path))
    let note = try #require(result.problems.first)
    #expect(result.problems.count == 1 && note.severity == .advice && !note.isFailure)
    #expect(note.position.line == 3)
    let lines = String(decoding: right, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(note.details == lines)
  }

  /// Runs that show nothing, with what the message says of each.
  @Test(
    arguments: [
      ([], "the scenario has no steps"),
      (["{ backup: 'a' }", "{ restore: 'a' }"], "no step changed anything"),
      (["{ perform: 'act' }", "{ backup: 'a' }"], "a detached task may still run then"),
      (["{ perform: 'act' }", "{ backup: 'a' }"], "hides no error with 'try?'"),
    ] as [([String], String)])
  func `not from a run that changed nothing`(steps: [String], words: String) async throws {
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
      #expect(([problem.message] + problem.details).contains { $0.contains(words) })
    }
    #expect(try folder.names() == [])
  }

  /// What comes of an action that saves when the backup is taken, or never, and one that saves at once.
  private func result(
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

  @Test func `not from a run in which an action returned before its work was done`() async throws {
    let folder = try TestFolder()
    let result = try await result("", savesLater: true, in: folder)
    #expect(result.verdict == .failed)
    let problem = try #require(result.problems.first)
    #expect(result.problems.count == 1 && problem.position.line == 4)
    #expect(
      problem.message
        == "no golden file was written, because 'Documents/late' changed after the last "
        + "step, and step 3 (perform act) had changed nothing")
    #expect(problem.details.joined().contains("golden: { compare: false }"))
    #expect(try folder.names() == [])
    let uncompared = try await self.result(
      "golden: { compare: false }", savesLater: true, in: folder)
    #expect(uncompared.verdict == .passed)
  }

  @Test func `with advice on an action that changed nothing, once`() async throws {
    let folder = try TestFolder()
    for isFirst in [true, false] {
      let result = try await result("", savesLater: false, in: folder)
      #expect(result.verdict == (isFirst ? .recorded : .passed))
      let idle = result.problems.filter { $0.kind == .idle }
      #expect(idle.map(\.position.line) == (isFirst ? [4] : []))
      #expect(idle.allSatisfy { !$0.isFailure && $0.severity == .advice })
    }
  }

  @Test(arguments: [
    ["{ place: 'Documents/Inbox/a', size: 1 }", "{ backup: 'a' }"],
    ["{ createDirectory: 'Documents/a' }"],
    ["{ perform: 'act' }", "{ save: 'Documents/a', size: 1 }"],
  ])
  func `but from one in which anything changed`(steps: [String]) async throws {
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
  func `where it differs`(mode: RecordMode) async throws {
    let (result, after) = try await run(mode, former: wrong)
    let isRecorded = mode == .failed || mode == .all
    #expect(result.verdict == (isRecorded ? .recorded : .failed))
    #expect(after == String(decoding: isRecorded ? right : wrong, as: UTF8.self))
  }

  @Test(arguments: RecordMode.allCases)
  func `not anew where it is the same`(mode: RecordMode) async throws {
    let (result, after) = try await run(mode, former: right)
    #expect(result.verdict == .passed && result.problems.isEmpty)
    #expect(after == String(decoding: right, as: UTF8.self))
  }

  @Test(arguments: RecordMode.allCases, [[0xFF], Array("# golden 1: deep/trial\r\n".utf8)])
  func `over one that cannot be used`(mode: RecordMode, former: [UInt8]) async throws {
    let (result, after) = try await run(mode, former: former)
    let isRecorded = mode == .failed || mode == .all
    #expect(result.verdict == (isRecorded ? .recorded : .error))
    #expect(after == String(decoding: isRecorded ? right : former, as: UTF8.self))
    let problem = try #require(result.problems.first)
    #expect(isRecorded || problem.message.contains("record it again"))
    #expect(isRecorded || problem.details == ["do: record it with --record failed scenario.json5"])
  }

  @Test func `behind a link, with the permissions of the file there`() async throws {
    let folder = try TestFolder()
    try folder.write(wrong, to: "shared/trial.golden")
    try folder.setPermissions(0o640, of: "shared/trial.golden")
    let link = folder.url("trial.golden").path
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "shared/trial.golden")
    let store = GoldenStore(folder: folder.path)
    let result = try await Trial.result(try Trial.scenario(steps), .all, goldens: store)
    #expect(result.verdict == .recorded)
    let file = folder.url("shared/trial.golden").path
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(try folder.text(of: "shared/trial.golden").contains("+ Documents/a  1"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link).hasPrefix("shared/"))
  }

  @Test func `whole or not at all`() async throws {
    let folder = try TestFolder()
    try folder.write("in the way", to: "deep")
    let store = GoldenStore(folder: folder.path)
    let result = try await Trial.result(
      try Trial.scenario(steps, id: "deep/trial"), .all, goldens: store)
    #expect(result.verdict == .error)
    #expect(try folder.names() == ["deep"] && folder.text(of: "deep") == "in the way")
  }

  @Test(.enabled(if: geteuid() != 0, "root may write anywhere"))
  func `not into a folder that cannot be written, where the old one stays`() async throws {
    let folder = try TestFolder()
    try folder.write(wrong, to: "trial.golden")
    try folder.setPermissions(0o500, of: "")
    let result = try await Trial.result(
      try Trial.scenario(steps), .all, goldens: GoldenStore(folder: folder.path))
    try folder.setPermissions(0o700, of: "")
    #expect(result.verdict == .error)
    #expect(try Array(folder.text(of: "trial.golden").utf8) == wrong)
  }

  @Test func `not from a run that broke off`() async throws {
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
    let again = try await Trial.result(scenario, .failed, goldens: store)
    #expect(again.problems.map(\.kind) == [.finding(rule: "exists-before-set")])
    #expect(try store.text(of: scenario.id) == nil)
    let told = try await Trial.result(scenario, .all, goldens: store)
    #expect(told.problems.map(\.kind) == [.finding(rule: "exists-before-set"), .recorded])
    #expect(try store.text(of: scenario.id) != nil)
  }

  @Test func `not over a right one while findings fail the run, whose difference is one line`()
    async throws
  {
    let folder = try TestFolder()
    let store = GoldenStore(folder: folder.path)
    let right = try Trial.scenario(["{ save: 'tmp/a', size: 1 }", "{ exclude: 'tmp/a' }"])
    #expect(try await Trial.result(right, goldens: store).verdict == .recorded)
    let former = try folder.text(of: "trial.golden")
    let wrong = try Trial.scenario(["{ exclude: 'tmp/a' }", "{ backup: 'a' }"])
    for mode in [RecordMode.never, .missing, .failed] {
      let result = try await Trial.result(wrong, mode, goldens: store)
      #expect(result.problems.map(\.kind) == [.finding(rule: "exists-before-set")])
      #expect(try folder.text(of: "trial.golden") == former)
    }
  }

  @Test func `not from a part of the systems, which is compared all the same`() async throws {
    let folder = try TestFolder()
    let store = GoldenStore(folder: folder.path)
    let scenario = try Trial.scenario(steps, "system: ['6', '18', '26']")
    let part: Set<SystemVersion> = [try #require(SystemVersion("18"))]
    #expect(
      try await Trial.result(scenario, .all, goldens: store, systems: part).verdict == .failed)
    #expect(try folder.names() == [])
    #expect(try await Trial.result(scenario, goldens: store).verdict == .recorded)
    #expect(try await Trial.result(scenario, goldens: store, systems: part).verdict == .passed)
    let tampered = try folder.text(of: "trial.golden")
    let lines = tampered.split(separator: "\n")
    let index = try #require(lines.lastIndex { $0.hasPrefix("+ Documents") })
    try folder.write(
      lines.indices.map { $0 == index ? "+ Documents/a  7\n" : "\(lines[$0])\n" }.joined(),
      to: "trial.golden")
    let result = try await Trial.result(scenario, .all, goldens: store, systems: part)
    guard case .differs(_, let difference, _) = result.golden else {
      Issue.record("no difference")
      return
    }
    let changed = difference.hunks.joined().filter { !$0.isCommon }
    #expect(changed.map(\.goldenNumber) == [index + 1, nil])
    #expect(result.problems.map(\.position.line) == [3])
    let old: Set<SystemVersion> = [try #require(SystemVersion("6"))]
    #expect(try await Trial.result(scenario, goldens: store, systems: old).verdict == .passed)
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
