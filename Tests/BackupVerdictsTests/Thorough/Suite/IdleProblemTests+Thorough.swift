import BackupContainer
import BackupDevice
import BackupDiagnostics
import Foundation
import TestSupport
import Testing
import TrialSupport

@testable import BackupScenarios
@testable import BackupVerdicts

extension `A part of a scenario without effect is a warning` {
  @Test func `an action after each launch, and at no other time, belongs in 'launch'`()
    async throws
  {
    let steps = ["{ perform: 'act' }", "{ purge: 'idle' }", "{ perform: 'act' }"]
    let file = "{ save: 'Documents/a', size: 1 }"
    func found(_ steps: [String]) async throws -> [String] {
      try await idle(steps).filter { $0.contains("comes after each of the app's 2 launches") }
    }
    #expect(try await found(steps + [file]).count == 1)
    #expect(try await found(steps + [file, "{ perform: 'act' }"]).isEmpty)
    #expect(try await found([file] + steps).isEmpty)
    #expect(try await found(["{ perform: 'act' }", file]).isEmpty)
  }

  @Test func `a former name of a rule, which matches`() async throws {
    let kill =
      "{ save: 'Documents/a', contents: 'new', how: 'inPlace', killed: { before: 'write' } }"
    let idle = try await idle(
      ["{ save: 'Documents/a', contents: 'old' }", kill],
      "files: { 'Documents/**': 'critical' }, expect: [{ rule: 'torn-save', severity: 'error' }]")
    #expect(
      idle.map { $0.drop { $0 != " " } } == [
        " the rule 'torn-save' is a part of 'user-data-lost' now"
      ])
  }

  @Test
  func `if app code ran on Linux, the advice says that some code is not compiled there`()
    async throws
  {
    var actions = AppActions()
    actions.bind("act") { action in
      try Data([1]).write(to: action.container.documents.appendingPathComponent("a"))
    }
    let suite = ScenarioSuite(
      goldens: nil, recordMode: .never, runner: ScenarioRunner(actions: actions))
    let files = "files: { 'Documents/Movies/**': 'offline' }"
    for (step, runsCode) in [("perform: 'act'", true), ("save: 'Documents/a', size: 1", false)] {
      let scenario = try Trial.scenario(["{ \(step) }", "{ backup: 'z' }"], files)
      let result = try #require(await suite.run(scenario))
      let idle = try #require(result.problems.first { $0.kind == .idle })
      let advice = idle.details.joined()
      #expect(advice.contains("#if os(iOS)") == (runsCode && !FoundationMarks.usesAppleFoundation))
      #expect(advice.contains("use the class 'temporary'") == runsCode)
    }
    #expect(!ScenarioResult.adviceOnUnseenFiles(true, compiledForIOS: true).contains("#if os(iOS)"))
    #expect(ScenarioResult.adviceOnUnseenFiles(true, compiledForIOS: false).contains("#if os(iOS)"))
  }

  @Test func `steps of 'launch' that never ran, at the first of them`() async throws {
    let launch = "launch: [\n{ save: 'Documents/e', size: 1 }]"
    #expect(
      try await idle([], launch) == [
        "4: the app is never started, so the steps of 'launch' never ran"
      ])
    #expect(try await idle(["{ relaunch: {} }"], launch) == [])
  }

  @Test func `a pattern that only directories match`() async throws {
    let steps = ["{ createDirectory: 'tmp/a' }"]
    #expect(try await idle(steps, "files: { 'tmp/a': 'cached' }").count == 1)
  }

  @Test func `a scenario without system events, unless it checks something else`() async throws {
    let save = "{ save: 'Documents/a', size: 1 }"
    #expect(
      try await idle([save], hasBackup: false) == [
        "2: the scenario has no system event and no assertion, so it tests hardly anything"
      ])
    #expect(try await idle([save, "{ purge: 'idle' }"], hasBackup: false) == [])
    #expect(try await idle([save, "{ relaunch: {} }"], hasBackup: false) == [])
    #expect(try await idle([save, "{ kill: {} }"], hasBackup: false) == [])
    #expect(
      try await idle([save, "{ expectFiles: { present: ['Documents/a'] } }"], hasBackup: false)
        == [])
    #expect(
      try await idle(["{ remove: 'Documents/a', throws: true }"], hasBackup: false) == [])
    let killed = "{ save: 'Documents/a', size: 2, killed: { before: 'rename' } }"
    #expect(try await idle([save, killed], hasBackup: false) == [])
    #expect(
      try await idle(
        ["{ read: 'Documents/a' }"], "expect: [{ rule: 'exists-before-use' }]", hasBackup: false)
        == [])
  }

  @Test func `not a pattern for files that app code may have created and removed within a step`()
    async throws
  {
    #expect(
      try await idle(
        ["{ perform: 'act' }"],
        "files: { 'tmp/**': 'temporary', 'Documents/**': 'critical' }, storage: { 'tmp/*': 9 }"
      ) { try Data().write(to: $0.container.documents.appending(path: "a")) } == [])
  }

  @Test func `not if a run failed or was left out`() async throws {
    let files = "files: { 'Documents/**': 'critical' }, system: ['9', '18']"
    #expect(try await idle([], files).count == 1)
    #expect(try await idle([], files, systems: ["9"]) == [])
    #expect(try await idle(["{ remove: 'Documents/a' }"], files) == [])
  }

  @Test(arguments: [false, true])
  func `code that changes nothing, although other code fails as expected`(_ saves: Bool)
    async throws
  {
    let steps = ["{ perform: 'act' }", "{ perform: 'act', with: { fails: true }, throws: true }"]
    let problems = try await idle(steps) { action in
      guard try action.argumentIfPresent("fails", as: Bool.self) == true else { return }
      if saves { try Data().write(to: action.container.documents.appending(path: "a")) }
      _ = try Data(contentsOf: action.container.documents.appending(path: "never saved"))
    }
    let warning =
      "2: the app's own code ran, but changed nothing in the container"
    #expect(problems == (saves ? [] : [warning]))
  }

  @Test func `not code that changed something once, failed as expected, or never ran`() async throws
  {
    let act = ["{ perform: 'act' }"]
    #expect(
      try await idle(act + act) { action in
        try Data().write(to: action.container.documents.appending(path: "a"))
      } == [])
    #expect(
      try await idle(["{ perform: 'act', throws: true }"]) { _ in throw TestError("on purpose") }
        == [])
    #expect(
      try await idle([], "launch: [{ perform: 'act' }]") == [
        "3: the app is never started, so the steps of 'launch' never ran"
      ])
  }
}
