import BackupDiagnostics
import BackupScenarios

extension OutputFormat<SuiteReport> {
  /// JUnit's XML, which most build servers read: a test case for each scenario.
  static var junit: OutputFormat { OutputFormat("junit") { JUnitReport.text(of: $0) } }
}

/// Writes results as XML.
enum JUnitReport {
  /// The whole document, of one suite.
  static func text(of report: SuiteReport) -> String {
    let orphans = report.orphansFail ? report.orphans : []
    let failures =
      report.count(.failed) + report.count(.recorded) + (orphans.isEmpty ? 0 : 1)
    let counts: [(String, String)] = [
      ("name", "backup-testing"), ("tests", "\(report.results.count + (orphans.isEmpty ? 0 : 1))"),
      ("failures", "\(failures)"), ("errors", "\(report.count(.error))"),
      ("skipped", "\(report.count(.skipped))"),
    ]
    let cases = report.results.map(testCase) + (orphans.isEmpty ? [] : [orphanCase(orphans)])
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      \(tag("testsuites", counts))
        \(tag("testsuite", counts))
      \(cases.joined())  </testsuite>
      </testsuites>

      """
  }

  /// The element of a scenario.
  private static func testCase(_ result: ScenarioResult) -> String {
    let scenario = result.scenario
    let problems = result.problems
    let failing = problems.filter(\.isFailure)
    let folder = scenario.id.split(separator: "/").dropLast().joined(separator: ".")
    let attributes = [
      ("classname", folder.isEmpty ? "scenarios" : "scenarios.\(folder)"), ("name", scenario.id),
      ("file", scenario.file), ("line", "\((failing.first ?? problems.first)?.position.line ?? 1)"),
    ]
    var children: [String] = []
    if let first = failing.first {
      let name = result.verdict == .error ? "error" : "failure"
      children.append(
        element(
          name, [("message", first.message.onOneLine), ("type", first.kind.word)],
          text: failing.map { text(of: $0, scenario) }.joined(separator: "\n")))
    }
    let skipping = problems.first { $0.kind == .skipped && !$0.isFailure }
    if let skipping {
      children.append(tag("skipped", [("message", skipping.message)], isEmpty: true))
    }
    let others = problems.filter { !$0.isFailure && $0.kind != .skipped }
      .map { text(of: $0, scenario) }
    if !others.isEmpty {
      children.append(element("system-out", text: others.joined(separator: "\n")))
    }
    return testCase(attributes, children)
  }

  /// The element that fails because of golden files without a scenario.
  private static func orphanCase(_ paths: [String]) -> String {
    let failure = element(
      "failure", [("message", TextReport.orphanMessage), ("type", "golden")],
      text: paths.map(\.onOneLine).joined(separator: "\n"))
    return testCase(
      [("classname", "scenarios"), ("name", "golden files without a scenario")], [failure])
  }

  /// A test case with what is in it.
  private static func testCase(
    _ attributes: [(String, String)], _ children: [String]
  ) -> String {
    guard !children.isEmpty else { return "    \(tag("testcase", attributes, isEmpty: true))\n" }
    let lines = children.map { "      \($0)\n" }.joined()
    return "    \(tag("testcase", attributes))\n\(lines)    </testcase>\n"
  }

  /// A problem with its place and details.
  private static func text(of problem: Scenario.Problem, _ scenario: Scenario) -> String {
    let place = "\(scenario.file):\(problem.position.line):\(problem.position.column)"
    let variants = problem.variants.map { " [\($0)]" } ?? ""
    return (["\(place): \(problem.message)\(variants)"] + problem.details.map { "    \($0)" })
      .map(\.onOneLine).joined(separator: "\n")
  }

  /// An element with text in it.
  private static func element(
    _ name: String, _ attributes: [(String, String)] = [], text: String
  ) -> String {
    "\(tag(name, attributes))\(escape(text))</\(name)>"
  }

  /// A start tag, or the tag of an empty element.
  private static func tag(
    _ name: String, _ attributes: [(String, String)], isEmpty: Bool = false
  ) -> String {
    let list = attributes.map { " \($0)=\"\(escape($1))\"" }.joined()
    return "<\(name)\(list)\(isEmpty ? "/" : "")>"
  }

  /// Escapes text for an element or an attribute; what XML 1.0 cannot hold is left out.
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

extension Scenario.Problem.Kind {
  /// A word for it: the rule's name for a finding.
  var word: String {
    switch self {
    case .brokenOff: "broken-off"
    case .finding(let rule), .missingFinding(let rule): rule
    case .idle: "idle"
    case .golden: "golden"
    case .recorded: "recorded"
    case .skipped: "skipped"
    }
  }
}
