import BackupDevice
import Foundation
import TestSupport
import Testing
import TrialSupport

@testable import BackupDiagnostics
@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct `A scenario's verdict` {
  private let lostMark =
    markedMovie + [
      "{ save: '\(support)/Movies/1.mp4', size: 1 }", "{ backup: 'a' }",
    ]

  /// Records the golden file of a scenario, runs the scenario again, and returns the result.
  private func result(
    _ steps: [String], _ other: String = "", isStrict: Bool = false
  ) async throws -> ScenarioResult {
    let folder = try TestFolder()
    let store = GoldenStore(folder: folder.path)
    let scenario = try Trial.scenario(steps, other)
    _ = try await Trial.result(scenario, .all, goldens: store)
    return try await Trial.result(scenario, .never, goldens: store, isStrict: isStrict)
  }

  /// The messages of a scenario's problems.
  private func problems(_ steps: [String], _ other: String = "") async throws -> [String] {
    try await result(steps, other).problems.map(\.message)
  }

  @Test func `is passed if all is as expected`() async throws {
    #expect(try await result(markedMovie + ["{ backup: 'a' }"]).verdict == .passed)
    let expected = try await result(lostMark, "expect: [{ rule: 'reapply-on-save' }]")
    #expect(expected.verdict == .passed && expected.problems.isEmpty)
  }

  @Test func `is failed for an unexpected error`() async throws {
    let result = try await result(lostMark)
    #expect(result.verdict == .failed)
    let problem = try #require(result.problems.first)
    #expect(problem.kind == .finding(rule: "reapply-on-save"))
    #expect(problem.position.line == 5 && problem.isFailure)
    #expect(problem.details.count == 1 && problem.details[0].hasPrefix("do: "))
    #expect(problem.sources.first == "apple-resource-key")
    #expect(problem.variants == nil)
  }

  @Test func `is passed despite warnings and advice, unless the suite is strict`() async throws {
    let steps = ["{ createDirectory: 'Library/M' }", "{ backup: 'a' }"]
    let lenient = try await result(steps)
    #expect(lenient.verdict == .passed && lenient.problems.map(\.isFailure) == [false])
    let strict = try await result(steps, isStrict: true)
    #expect(strict.verdict == .failed && strict.problems.map(\.isFailure) == [true])
  }

  @Test func `is failed for an expected finding that does not occur, whatever its severity`()
    async throws
  {
    #expect(
      try await problems(
        ["{ save: 'Documents/a', size: 1 }"], "expect: [{ rule: 'directory-name', step: 1 }]")
        == [
          "expected the finding directory-name at step 1, but it did not occur; correct or "
            + "remove this entry of 'expect'"
        ])
  }

  @Test
  func `is the same in reports, even if an error in one run prevents the comparison of another`()
    async throws
  {
    let steps = ["{ save: 'Documents/a', size: 1 }", "{ exclude: 'Documents/a' }"]
    let scenario = try Trial.scenario(steps + ["{ backup: 'b' }"], "system: ['5.0', '18']")
    let result = try await Trial.result(scenario)
    #expect(result.verdict == .failed)
    let json = try OutputFormat.json.text(SuiteReport([ScenarioReport(result, withRuns: true)]))
    let report = try JSONDecoder().decode(SuiteReport.self, from: Data(json.utf8))
    #expect(report.scenarios.first?.verdict == .failed)
  }

  @Test func `names the findings that occurred instead`() async throws {
    let result = try await result(
      lostMark, "expect: [{ rule: 'reapply-on-save', step: 5, path: 'Documents/x' }]")
    let missing = try #require(
      result.problems.first { $0.kind == .missingFinding(rule: "reapply-on-save") })
    #expect(
      missing.message
        == "expected the finding reapply-on-save at step 5 on 'Documents/x', but it did not "
        + "occur; correct or remove this entry of 'expect'")
    #expect(
      missing.details
        == [
          "occurred instead: reapply-on-save of severity 'error' at step 4 on "
            + "'\(support)/Movies/1.mp4'"
        ])
  }

  @Test func `names the severity of a missing finding`() async throws {
    let result = try await result(
      lostMark, "expect: [{ rule: 'reapply-on-save', severity: 'warning' }]")
    let missing = try #require(
      result.problems.first { $0.kind == .missingFinding(rule: "reapply-on-save") })
    #expect(
      missing.message
        == "expected the finding reapply-on-save of severity 'warning', but it did not occur; "
        + "correct or remove this entry of 'expect'")
  }

  @Test func `ignores the final state of a run that stopped early`() async throws {
    let steps = ["{ save: 'tmp/a', size: 1 }", "{ remove: 'tmp/b' }", "{ remove: 'tmp/a' }"]
    let result = try await result(steps, "files: { 'tmp/**': 'temporary' }")
    #expect(result.problems.map(\.kind) == [.brokenOff])
  }

  @Test func `matches each expectation with one finding`() async throws {
    let steps = ["{ exclude: 'tmp/a' }", "{ exclude: 'tmp/b' }"]
    #expect(
      try await problems(steps, "expect: [{ rule: 'exists-before-set' }]").count == 1)
    let twoExpectations = "{ rule: 'exists-before-set' }, { rule: 'exists-before-set' }"
    #expect(try await problems(steps, "expect: [\(twoExpectations)]") == [])
    let sameExpectation = "{ rule: 'exists-before-set', step: 1 }"
    #expect(
      try await problems(steps, "expect: [\(sameExpectation), \(sameExpectation)]").count == 2)
  }

  @Test func `gives a finding to the expectation that names its step`() async throws {
    let steps = ["{ exclude: 'tmp/a' }", "{ exclude: 'tmp/b' }"]
    let expected = "expect: [{ rule: 'exists-before-set' }, { rule: 'exists-before-set', step: 1 }]"
    #expect(try await problems(steps, expected) == [])
  }

  @Test func `gives a finding to the expectation that names its severity`() async throws {
    let steps =
      markedMovie + ["{ save: '\(support)/Movies/1.mp4', size: 1 }"]
      + ["{ save: 'Documents/a', size: 1 }", "{ exclude: 'Documents/a' }"]
      + ["{ append: 'Documents/a', size: 1 }"]
    let anySeverity = "{ rule: 'reapply-on-save' }"
    let warning = "{ rule: 'reapply-on-save', severity: 'warning' }"
    #expect(try await problems(steps, "expect: [\(anySeverity), \(warning)]") == [])
  }

  @Test func `is error if a run stops early, and then no finding is missing`() async throws {
    let result = try await result(
      ["{ remove: 'tmp/a' }"], "expect: [{ rule: 'exists-before-set' }]")
    #expect(result.verdict == .error)
    #expect(
      result.problems.map(\.message)
        == ["step 1 (remove tmp/a): no such file: 'tmp/a'"])
  }

  @Test func `is the same verdict for all systems, and each problem names its systems`()
    async throws
  {
    let steps = ["{ save: 'Documents/a', size: 1 }", "{ exclude: 'Documents/a' }"]
    let systems = "system: ['5.0', '5.0.1', '9'], backups: ['iCloud', 'local']"
    let result = try await result(steps, systems)
    #expect(result.runs.count == 6 && result.findings.count == 1)
    #expect(result.problems.map(\.variants) == ["iOS 5.0 and 5.0.1, iCloud and local"])
    let expect = "{ rule: 'mark-unavailable', system: ['5.0', '5.0.1'] }"
    #expect(try await problems(steps, "\(systems), expect: [\(expect)]") == [])
    let part = "{ rule: 'mark-unavailable', system: '5.0', backups: 'local' }"
    let rest = try await self.result(steps, "\(systems), expect: [\(part)]")
    #expect(rest.problems.map(\.variants) == ["iOS 5.0, iCloud; iOS 5.0.1, iCloud and local"])
  }

  @Test func `is skipped if an action has no code, but is an error in a test`() async throws {
    let scenario = try Trial.scenario(["{ perform: 'a' }", "{ backup: 'one' }"])
    var suite = ScenarioSuite(goldens: nil, recordMode: .never)
    #expect(await suite.run(scenario)?.verdict == .skipped)
    suite.isStrict = true
    #expect(await suite.run(scenario)?.verdict == .failed)
    suite.caller = .test
    #expect(await suite.run(scenario)?.verdict == .error)
  }

  @Test func `lists runs that stopped early in the order of their systems`() async throws {
    let scenario = try Trial.scenario(
      ["{ save: 'tmp/a', size: 1 }", "{ updateSystem: '9' }"], "system: '5.0'")
    let systems = try ["9", "18", "26"].map { try #require(SystemVersion($0)) }
    let adapted = scenario.adapted(
      to: scenario.app, files: try FilePromises(["tmp/*": .temporary]), systems: systems)
    let result = try await Trial.result(adapted)
    #expect(
      result.problems.map(\.variants) == ["iOS 9, iCloud", "iOS 18, iCloud", "iOS 26, iCloud"])
  }

  @Test func `lists problems in the order of the file`() async throws {
    let lines = try await result(
      ["{ exclude: 'tmp/a' }", "{ read: 'tmp/b' }"], "expect: [{ rule: 'undeclared-item' }]"
    )
    .problems.map(\.position.line)
    #expect(lines == [2, 3, 4])
  }
}
