import BackupDiagnostics
import BackupScenarios
import BackupVerdicts
import Foundation

extension SuiteReport {
  /// SARIF 2.1.0, which GitHub's code scanning and editors read.
  var sarif: JSONValue {
    let problems = scenarios.flatMap { scenario in
      scenario.problems.filter { $0.kind != .skipped || $0.isFailure }
        .map { (scenario: scenario, problem: $0) }
    }
    let advice = problems.map { ($0.problem.ruleID, $0.problem.fix) }
    let rules = Dictionary(advice) { first, _ in first }.sorted { $0.key < $1.key }
    let orphans = orphans.map { path in
      JSONValue.result("golden", orphansFail ? .error : .warning, Self.orphanMessage, in: path)
    }
    let notifications = [obstacle].compactMap(\.self).map { obstacle -> JSONValue in
      ["level": .string("error"), "message": .text(obstacle)]
    }
    let results = problems.map { JSONValue.result($0.problem, in: $0.scenario) }
    return [
      "$schema": .string("https://json.schemastore.org/sarif-2.1.0.json"),
      "version": .string("2.1.0"),
      "runs": .array([
        [
          "tool": [
            "driver": [
              "name": .string("backup-testing"),
              "rules": .array(rules.map { .rule($0.key, fix: $0.value) }),
            ]
          ],
          "results": .array(results + orphans),
          "invocations": .array([
            [
              "executionSuccessful": .boolean(obstacle == nil),
              "toolExecutionNotifications": .array(notifications),
            ]
          ]),
        ]
      ]),
    ]
  }
}

extension Scenario.Problem {
  /// The rule of a finding, or the kind of problem.
  fileprivate var ruleID: String { kind.rule ?? kind.word }

  fileprivate var fix: String? {
    details.first { $0.hasPrefix("do: ") }.map { String($0.dropFirst("do: ".count)) }
  }
}

extension JSONValue {
  fileprivate static func text(_ text: String) -> JSONValue { ["text": .string(text)] }

  fileprivate static func rule(_ id: String, fix: String?) -> JSONValue {
    ["id": .string(id), "help": fix.map { .text($0) }]
  }

  fileprivate static func result(
    _ problem: Scenario.Problem, in scenario: ScenarioReport
  ) -> JSONValue {
    let lines = [problem.messageWithRuns] + problem.details
    return result(
      problem.ruleID, problem.isFailure ? .error : problem.severity,
      lines.map(\.onOneLine).joined(separator: "\n"), in: scenario.file, at: problem.position)
  }

  fileprivate static func result(
    _ rule: String, _ severity: Scenario.Severity, _ message: String, in file: String,
    at position: SourcePosition = .start
  ) -> JSONValue {
    [
      "ruleId": .string(rule), "level": .string(severity.diagnosticWord),
      "message": .text(message),
      "locations": .array([
        [
          "physicalLocation": [
            "artifactLocation": ["uri": .string(uri(of: file))],
            "region": ["startLine": .number(position.line)],
          ]
        ]
      ]),
    ]
  }

  private static func uri(of file: String) -> String {
    let path = file.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? file
    return file.hasPrefix("/") ? "file://\(path)" : path
  }
}
