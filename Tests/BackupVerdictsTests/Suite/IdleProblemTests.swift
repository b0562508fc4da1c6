import BackupContainer
import BackupDevice
import BackupDiagnostics
import Foundation
import TestSupport
import Testing
import TrialSupport

@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct `A part of a scenario without effect is a warning` {
  /// Returns the problems of the kind `idle`, each as `line: message`.
  func idle(
    _ steps: [String], _ other: String = "", isStrict: Bool = false, hasBackup: Bool = true,
    systems: [String]? = nil,
    _ code: @escaping AppActions.Code = { _ in }
  ) async throws -> [String] {
    var actions = AppActions()
    actions.bind("act", code)
    var suite = ScenarioSuite(
      goldens: nil, recordMode: .never, runner: ScenarioRunner(actions: actions))
    suite.isStrict = isStrict
    suite.selectedSystems = systems.map { Set($0.compactMap { SystemVersion($0) }) }
    let backup = hasBackup ? ["{ backup: 'z' }"] : []
    let result = try #require(await suite.run(try Trial.scenario(steps + backup, other)))
    let idle = result.problems.filter { $0.kind == .idle }
    #expect(idle.allSatisfy { $0.isFailure == isStrict && $0.severity != .error })
    #expect(idle.isEmpty || (result.verdict == .failed) == isStrict)
    return idle.map { "\($0.position.line): \($0.message)" }
  }

  @Test(arguments: [false, true])
  func `a pattern of files that matches no file of any run, at its line`(isStrict: Bool)
    async throws
  {
    let idle = try await idle(
      ["{ save: 'Documents/a', size: 1 }"],
      "files: {\n'Documents/*': 'critical',\n'Documents/Movis/**': 'offline' }", isStrict: isStrict)
    #expect(
      idle == [
        "6: pattern 'Documents/Movis/**' (offline) matched no file, so nothing was checked "
          + "against it"
      ])
  }

  @Test func `a pattern of secrets may match no file`() async throws {
    #expect(
      try await idle(
        ["{ save: 'Documents/a', size: 1 }"],
        "files: { 'Library/token': 'secret', 'Documents/*': 'critical' }") == [])
  }

  @Test(arguments: ["budget", "storage"])
  func `a pattern of a budget that matches no file of any run, at its line`(key: String)
    async throws
  {
    let idle = try await idle(
      ["{ save: 'Documents/a', size: 1 }"],
      "\(key): {\n'Documents/*': 9,\n'Documents/Movis/**': { files: 1 }, '**': 9 }")
    #expect(
      idle == [
        "6: pattern 'Documents/Movis/**' of '\(key)' matched no file, so its limit was not checked"
      ])
    #expect(try await self.idle([], "\(key): 9") == [])
  }

  @Test(
    arguments: [
      ("tmp/a", ["{ save: 'tmp/a', size: 1 }", "{ remove: 'tmp/a' }"]),
      ("tmp/a", ["{ link: 'tmp/a', to: 'b' }"]),
      (
        "tmp/a/**",
        [
          "{ createDirectory: 'tmp/b' }", "{ save: 'tmp/b/c', size: 1 }",
          "{ move: 'tmp/b', to: 'tmp/a' }", "{ remove: 'tmp/a' }",
        ]
      ),
    ])
  func `not a pattern that a file matched at any time`(pattern: String, steps: [String])
    async throws
  {
    #expect(try await idle(steps, "files: { '\(pattern)': 'cached' }") == [])
  }

  @Test func `app code that changes nothing, at its first step`() async throws {
    let steps = ["{ save: 'Documents/a', size: 1 }", "{ perform: 'act' }", "{ perform: 'act' }"]
    #expect(
      try await idle(steps) == [
        "3: the app's own code ran, but changed nothing in the container"
      ])
  }
}
