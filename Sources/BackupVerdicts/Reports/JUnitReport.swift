import BackupDiagnostics
package import BackupScenarios
import Foundation

extension OutputFormat<SuiteReport> {
  /// JUnit's XML, which most build servers read. Each scenario is a test case.
  package static var junit: OutputFormat {
    OutputFormat("junit") { report in
      JUnitTestCase.text(
        of: JUnitTestCase.all(of: report), since: report.scenarios.compactMap(\.started).min())
    }
  }
}

/// A `testcase` element of a JUnit report.
package struct JUnitTestCase {
  private var attributes: [(String, String)]
  private var seconds: Double?
  /// The child elements, each with its name and its XML: the outcome and other output.
  private var children: [(name: String, text: String)] = []

  /// Creates a test case for something other than a scenario. `outcome` is the name of the child
  /// element with the message.
  init(_ name: String, _ outcome: String, _ message: String, type: String, text: [String]) {
    self.attributes = [("classname", "scenarios"), ("name", name)]
    add(outcome, [("message", message.onOneLine), ("type", type)], text: text)
  }

  init(_ scenario: ScenarioReport) {
    let outcome =
      switch scenario.verdict {
      case .error: "error"
      case .skipped: "skipped"
      default: "failure"
      }
    let notes = [scenario.exploration?.summary].compactMap(\.self)
    self.init(scenario.id, scenario.file, scenario.problems, outcome: outcome, notes: notes)
    self.seconds = scenario.seconds
  }

  /// Creates the test case of a failed test whose failure is in no scenario's test case.
  init(test: ScenarioReport) {
    self.init(test)
    self.attributes[0...1] = [("classname", "tests"), ("name", test.id.onOneLine)]
  }

  /// Creates the test case of a scenario.
  ///
  /// If the scenario did not pass, `outcome` is the name of a child element: `failure`, `error` or
  /// `skipped`.
  package init(
    _ id: String, _ file: String, _ problems: [Scenario.Problem], outcome: String,
    notes: [String] = []
  ) {
    let failures = problems.filter(\.isFailure)
    let otherProblems = problems.filter { !$0.isFailure && $0.kind != .skipped }
    // JUnit groups test cases by class, so the class name is the scenario's folder.
    let folders = id.split(separator: "/").dropLast().map(String.init)
    self.attributes = [
      ("classname", (["scenarios"] + folders).joined(separator: ".").onOneLine),
      ("name", id.onOneLine), ("file", file.onOneLine),
      ("line", "\((failures.first ?? problems.first)?.position.line ?? 1)"),
    ]
    if let firstFailure = failures.first {
      add(
        outcome,
        [
          ("message", firstFailure.message.onOneLine),
          ("type", firstFailure.kind.rule ?? firstFailure.kind.word),
        ],
        text: failures.flatMap { Self.lines(of: $0, in: file) })
    } else if outcome == "skipped" {
      add("skipped", [("message", problems.first?.message.onOneLine ?? "")], text: [])
    }
    let outputLines =
      otherProblems.flatMap { Self.lines(of: $0, in: file) } + notes.map(\.onOneLine)
    if !outputLines.isEmpty { add("system-out", text: outputLines) }
  }

  func hasChild(_ name: String) -> Bool { children.contains { $0.name == name } }

  var text: String {
    let attributes = attributes + Self.time(seconds)
    guard !children.isEmpty else {
      return "    \(Self.tag("testcase", attributes, isEmpty: true))\n"
    }
    let lines = children.map { "      \($0.text)\n" }.joined()
    return "    \(Self.tag("testcase", attributes))\n\(lines)    </testcase>\n"
  }

  /// Adds a child element. Without text, it is an empty element.
  private mutating func add(_ name: String, _ attributes: [(String, String)] = [], text: [String]) {
    let element =
      text.isEmpty
      ? Self.tag(name, attributes, isEmpty: true)
      : "\(Self.tag(name, attributes))\(Self.escape(text.joined(separator: "\n")))</\(name)>"
    children.append((name, element))
  }

  private static func lines(of problem: Scenario.Problem, in file: String) -> [String] {
    let firstLine = "\(problem.position.location(in: file)): \(problem.messageWithRuns)"
    return ([firstLine] + problem.details.map { "    \($0)" }).map(\.onOneLine)
  }

  private static func time(_ seconds: Double?) -> [(String, String)] {
    seconds.map { [("time", String(format: "%.3f", $0))] } ?? []
  }

  /// Returns the XML document with test cases. `started` is the start of the first test case.
  package static func text(of cases: [JUnitTestCase], since startTime: String? = nil) -> String {
    let counts = [
      ("name", "backup-testing"), ("tests", "\(cases.count)"),
      ("failures", "\(cases.count { $0.hasChild("failure") })"),
      ("errors", "\(cases.count { $0.hasChild("error") })"),
    ]
    let skipped = [("skipped", "\(cases.count { $0.hasChild("skipped") })")]
    let time = time(cases.compactMap(\.seconds).reduce(0, +))
    let timestamp = startTime.map { [("timestamp", $0)] } ?? []
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      \(tag("testsuites", counts + time))
        \(tag("testsuite", counts + skipped + time + timestamp))
      \(cases.map(\.text).joined())  </testsuite>
      </testsuites>

      """
  }

  /// Returns a test case for each scenario or unreadable file, each failed test, and each other
  /// problem that fails the run.
  fileprivate static func all(of report: SuiteReport) -> [JUnitTestCase] {
    let orphans = report.orphansFail ? report.orphans : []
    let otherCases = [
      orphans.isEmpty
        ? nil
        : JUnitTestCase(
          "golden files without a scenario", "failure", SuiteReport.orphanMessage, type: "golden",
          text: orphans.map(\.onOneLine)),
      report.obstacle.map {
        JUnitTestCase("the whole run", "error", $0, type: "stopped", text: [])
      },
    ]
    return report.scenarios.map { JUnitTestCase($0) }
      + report.failedTests.map { JUnitTestCase(test: $0) }
      + otherCases.compactMap(\.self)
  }

  /// Returns a start tag, or the tag of an empty element.
  private static func tag(
    _ name: String, _ attributes: [(String, String)], isEmpty: Bool = false
  ) -> String {
    let attributeText = attributes.map { " \($0)=\"\(escape($1))\"" }.joined()
    return "<\(name)\(attributeText)\(isEmpty ? "/" : "")>"
  }

  /// Escapes text for an element or an attribute, without characters that XML 1.0 does not allow.
  static func escape(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar.value {
      case 0x26: "&amp;"
      case 0x3C: "&lt;"
      case 0x3E: "&gt;"
      case 0x22: "&quot;"
      case 0x09, 0x0A: String(scalar)
      case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: ""
      default: String(scalar)
      }
    }.joined()
  }
}
