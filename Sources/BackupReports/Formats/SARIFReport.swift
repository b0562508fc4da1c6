import BackupDiagnostics
import BackupScenarios
import BackupVerdicts
import Foundation

extension SuiteReport {
  /// The report in SARIF 2.1.0, which GitHub's code scanning and editors read.
  var sarif: JSONValue {
    let problems = scenariosAndTests.flatMap { scenario in
      scenario.problems.filter { $0.kind != .skipped || $0.isFailure }
        .map { (scenario: scenario, problem: $0) }
    }
    let rulesAndFixes = problems.map { ($0.problem.ruleID, $0.problem.fix) }
    let rules = Dictionary(rulesAndFixes) { first, _ in first }.sorted { $0.key < $1.key }
      .map { id, fix -> JSONValue in ["id": .string(id), "help": fix.map { .text($0) }] }
    let orphanResults = orphans.map { path in
      JSONValue.result("golden", orphansFail ? .error : .warning, Self.orphanMessage, in: path)
    }
    let notifications = [obstacle].compactMap(\.self).map { obstacle -> JSONValue in
      ["level": .string("error"), "message": .text(obstacle)]
    }
    let results = problems.map { scenario, problem in
      JSONValue.result(
        problem.ruleID, problem.isFailure ? .error : problem.severity, problem.messageWithDetails,
        in: scenario.file, at: problem.position, related: problem.code)
    }
    return [
      "$schema": .string("https://json.schemastore.org/sarif-2.1.0.json"),
      "version": .string("2.1.0"),
      "runs": .array([
        [
          "tool": [
            "driver": [
              "name": .string("backup-testing"),
              "rules": .array(rules),
            ]
          ],
          "results": .array(results + orphanResults),
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
  fileprivate var ruleID: String { kind.rule ?? kind.word }

  fileprivate var fix: String? {
    details.first { $0.hasPrefix("do: ") }.map { String($0.dropFirst("do: ".count)) }
  }
}

extension JSONValue {
  fileprivate static func text(_ text: String) -> JSONValue { ["text": .string(text)] }

  fileprivate static func result(
    _ rule: String, _ severity: Scenario.Severity, _ message: String, in file: String,
    at position: SourcePosition = .start, related places: [CodePlace] = []
  ) -> JSONValue {
    let relatedLocations = places.map { place -> JSONValue in
      ["message": .text(place.function), "physicalLocation": .location(place.file, place.line)]
    }
    return [
      "ruleId": .string(rule), "level": .string(severity.diagnosticWord),
      "message": .text(message),
      "locations": .array([["physicalLocation": .location(file, position.line)]]),
      "relatedLocations": relatedLocations.isEmpty ? nil : .array(relatedLocations),
    ]
  }

  private static func location(_ file: String, _ line: Int) -> JSONValue {
    let path = file.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? file
    let uri = file.hasPrefix("/") ? "file://\(path)" : path
    return [
      "artifactLocation": ["uri": .string(uri)], "region": ["startLine": .number(line)],
    ]
  }
}
