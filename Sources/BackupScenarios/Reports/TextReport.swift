import Foundation

extension ReportFormat {
  /// For people: each problem at its line, then a summary.
  public static let text = ReportFormat("text") { report in
    TextReport.diagnostics(report) + TextReport.summary(report)
  }
}

/// Writes results for people.
public enum TextReport {
  /// Every problem, with the scenario's line and what to do; empty for a green run.
  public static func diagnostics(_ report: SuiteReport) -> String {
    var sources = SourceLines()
    let style = TextStyle(isColored: report.isColored)
    let problems = report.results.flatMap { result in
      result.problems.map { lines($0, result.scenario, style, &sources) }
    }
    return (problems + report.orphans.map { orphan($0, report, style) })
      .map { "\($0)\n" }.joined()
  }

  /// How many scenarios ended how, in a line.
  public static func summary(_ report: SuiteReport) -> String {
    let style = TextStyle(isColored: report.isColored)
    let runs = report.results.reduce(0) { $0 + $1.runs.count }
    let counts = [
      ("passed", report.count(.passed)), ("failed", report.count(.failed)),
      ("recorded", report.count(.recorded)), ("broke off", report.count(.error)),
    ].filter { $0.1 > 0 || $0.0 == "passed" }.map { "\($0.1) \($0.0)" }
    let scenarios = report.results.count == 1 ? "1 scenario" : "\(report.results.count) scenarios"
    let text =
      "\(scenarios) in \(runs == 1 ? "1 run" : "\(runs) runs"): "
      + counts.joined(separator: ", ")
    return (report.isGreen ? style.good(text) : style.bad(text)) + "\n"
  }

  /// A problem: where and what, the scenario's line, and what to do.
  private static func lines(
    _ problem: ScenarioProblem, _ scenario: Scenario, _ style: TextStyle,
    _ sources: inout SourceLines
  ) -> String {
    let place = "\(scenario.file):\(problem.position.line):\(problem.position.column)"
    let variants = problem.variants.map { " [\($0)]" } ?? ""
    let severity = problem.isFailure ? "error" : problem.severity.diagnosticWord
    let word = problem.isFailure ? style.bad("\(severity):") : style.notable("\(severity):")
    var lines = ["\(style.strong(place)): \(word) \(problem.message)\(variants)"]
    if let source = sources.line(problem.position.line, of: scenario.file) {
      lines.append("  \(problem.position.line) | \(source)")
    }
    return (lines + problem.details.map { "    \($0)" }).joined(separator: "\n")
  }

  /// A golden file that no scenario names.
  private static func orphan(_ path: String, _ report: SuiteReport, _ style: TextStyle) -> String {
    let word = report.orphansFail ? style.bad("error:") : style.notable("warning:")
    return "\(style.strong("\(path):1:1")): \(word) no scenario has this golden file; delete it, "
      + "or let 'run --delete-orphans' do so"
  }
}

extension Finding.Severity {
  /// The word that editors know for it.
  var diagnosticWord: String {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .advice: "note"
    }
  }
}

/// Reads lines of scenario files to show them.
struct SourceLines {
  /// The lines of the files read so far.
  private var files: [String: [String]] = [:]

  /// A line of a file, from 1; nil where it cannot be read.
  mutating func line(_ number: Int, of file: String) -> String? {
    let lines = files[file] ?? Self.read(file)
    files[file] = lines
    guard lines.indices.contains(number - 1) else { return nil }
    return String(lines[number - 1].prefix(200))
  }

  /// The lines of a file.
  private static func read(_ file: String) -> [String] {
    guard let data = FileManager.default.contents(atPath: file) else { return [] }
    return String(decoding: data, as: UTF8.self)
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
  }
}

/// Terminal colours, or none.
struct TextStyle {
  /// Whether there are any.
  let isColored: Bool

  /// What stands out.
  func strong(_ text: String) -> String { wrap(text, "1") }
  /// What is right.
  func good(_ text: String) -> String { wrap(text, "32") }
  /// What is wrong.
  func bad(_ text: String) -> String { wrap(text, "1;31") }
  /// What is worth a look.
  func notable(_ text: String) -> String { wrap(text, "33") }

  /// Puts an escape sequence around a text.
  private func wrap(_ text: String, _ code: String) -> String {
    isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
