import BackupDiagnostics
import BackupRules
package import BackupScenarios

extension ReportFormat {
  /// For people: each problem at its line, then a summary.
  package static let text = ReportFormat("text", showsProblems: true) { report in
    TextReport.diagnostics(report) + TextReport.summary(report)
  }
}

/// Writes results for people.
package enum TextReport {
  /// Every problem, with the scenario's line and what to do.
  ///
  /// - Parameter report: The results, and whether to colour them.
  /// - Returns: Lines that end in LF, orphaned golden files last; empty where there is neither.
  package static func diagnostics(_ report: SuiteReport) -> String {
    var sources = SourceLines()
    let style = TextStyle(isColored: report.isColored)
    let problems = report.results.flatMap { result in
      result.problems.map { lines($0, result.scenario, style, &sources) }
    }
    return (problems + report.orphans.map { orphan($0, report, style) })
      .map { "\($0)\n" }.joined()
  }

  /// How many scenarios ended how, in a line.
  ///
  /// - Parameter report: The results, and whether to colour them.
  /// - Returns: A line that ends in LF; counts that are 0 are left out, but for the passed.
  package static func summary(_ report: SuiteReport) -> String {
    let style = TextStyle(isColored: report.isColored)
    let runs = report.results.reduce(0) { $0 + $1.runs.count }
    let counts = [
      ("passed", report.count(.passed)), ("failed", report.count(.failed)),
      ("recorded", report.count(.recorded)), ("broke off", report.count(.error)),
      ("not of these systems", report.skippedCount),
    ].filter { $0.1 > 0 || $0.0 == "passed" }.map { "\($0.1) \($0.0)" }
    let scenarios = report.results.count == 1 ? "1 scenario" : "\(report.results.count) scenarios"
    let text =
      "\(scenarios) in \(runs == 1 ? "1 run" : "\(runs) runs"): "
      + counts.joined(separator: ", ")
    return (report.isGreen ? style.good(text) : style.bad(text)) + "\n"
  }

  /// The mistakes of scenario files, each with its line and a caret below the place.
  ///
  /// - Parameters:
  ///   - diagnostics: The mistakes, in the order they are to stand.
  ///   - isColored: Whether terminal colours are used.
  /// - Returns: Lines that end in LF; without the excerpt where the file cannot be read.
  package static func text(of diagnostics: [Scenario.Diagnostic], isColored: Bool = false) -> String
  {
    var sources = SourceLines()
    let style = TextStyle(isColored: isColored)
    return diagnostics.map { diagnostic in
      let head = headline(
        diagnostic.file, diagnostic.position, "error", diagnostic.message, isBad: true, style)
      let lines = sources.excerpt(at: diagnostic.position, of: diagnostic.file, caret: true)
      return ([head] + lines).map { "\($0)\n" }.joined()
    }.joined()
  }

  /// A problem: where and what, the scenario's line, and what to do.
  private static func lines(
    _ problem: Scenario.Problem, _ scenario: Scenario, _ style: TextStyle,
    _ sources: inout SourceLines
  ) -> String {
    let variants = problem.variants.map { " [\($0)]" } ?? ""
    let word = problem.isFailure ? "error" : problem.severity.diagnosticWord
    let head = headline(
      scenario.file, problem.position, word, "\(problem.message)\(variants)",
      isBad: problem.isFailure, style)
    let lines = sources.excerpt(at: problem.position, of: scenario.file, caret: false)
    let details = problem.details.map { "    \($0.onOneLine)" }
    return ([head] + lines + details).joined(separator: "\n")
  }

  /// `file:line:column: error: message`, which Xcode and editors link.
  private static func headline(
    _ file: String, _ position: SourcePosition, _ word: String, _ message: String, isBad: Bool,
    _ style: TextStyle
  ) -> String {
    let place = style.strong("\(file):\(position.line):\(position.column)".onOneLine)
    let word = isBad ? style.bad("\(word):") : style.notable("\(word):")
    return "\(place): \(word) \(message.onOneLine)"
  }

  /// A golden file that no scenario names.
  private static func orphan(_ path: String, _ report: SuiteReport, _ style: TextStyle) -> String {
    let word = report.orphansFail ? style.bad("error:") : style.notable("warning:")
    return "\(style.strong("\(path):1:1".onOneLine)): \(word) \(orphanMessage)"
  }

  /// What there is to say of a golden file that no scenario names.
  static let orphanMessage =
    "no scenario has this golden file; delete it, or let 'run --delete-orphans' do so"
}

extension Scenario.Severity {
  /// The word that editors know for it.
  var diagnosticWord: String {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .advice: "note"
    }
  }
}
