import BackupDiagnostics
import BackupScenarios

extension OutputFormat<SuiteReport> {
  /// For GitHub's workflows: each problem as an annotation at its line, then a summary.
  static var github: OutputFormat {
    OutputFormat("github", showsProblems: true) { report in
      (GitHubReport.annotations(report) + [TextReport.summary(report.colored(false))]).joined()
    }
  }
}

/// Writes results as commands that GitHub's runner reads from a job's output.
enum GitHubReport {
  /// A command for each problem, mistake and orphan, and for what kept the run from being whole;
  /// each a line.
  static func annotations(_ report: SuiteReport) -> [String] {
    let problems = report.results.flatMap { result in
      result.problems.map { annotation($0, result.scenario) }
    }
    let orphans = report.orphans.map { path in
      command(
        report.orphansFail ? "error" : "warning", [("file", path), ("title", "golden file")],
        message: TextReport.orphanMessage)
    }
    let obstacle = report.obstacle.map { obstacle in
      command("error", [("title", "backup-testing")], message: obstacle.onOneLine)
    }
    return problems + report.mistaken.flatMap(annotations) + orphans + [obstacle].compactMap(\.self)
  }

  /// The commands for the mistakes of a file.
  private static func annotations(_ mistaken: MistakenFile) -> [String] {
    mistaken.mistakes.map { mistake in
      command(
        "error", properties(mistake.position, of: mistake.file, mistaken.file.id),
        message: mistake.message.onOneLine)
    }
  }

  /// The command for a problem.
  static func annotation(_ problem: Scenario.Problem, _ scenario: Scenario) -> String {
    let variants = problem.variants.map { " [\($0)]" } ?? ""
    let lines = ["\(problem.message)\(variants)"] + problem.details
    let text = lines.map(\.onOneLine).joined(separator: "\n")
    return command(
      word(problem), properties(problem.position, of: scenario.file, scenario.id), message: text)
  }

  /// Where a command points to, under the scenario's id.
  private static func properties(
    _ position: SourcePosition, of file: String, _ id: String
  ) -> [(String, String)] {
    [
      ("file", file), ("line", "\(position.line)"), ("col", "\(position.column)"), ("title", id),
    ]
  }

  /// GitHub's word for how bad a problem is.
  private static func word(_ problem: Scenario.Problem) -> String {
    guard !problem.isFailure else { return "error" }
    return problem.severity == .advice ? "notice" : problem.severity.diagnosticWord
  }

  /// A command with its properties, as one line.
  private static func command(
    _ name: String, _ properties: [(String, String)], message: String
  ) -> String {
    let list = properties.map { "\($0)=\(escapeProperty($1))" }.joined(separator: ",")
    return "::\(name) \(list)::\(escape(message))\n"
  }

  /// Escapes a message as the runner's toolkit does.
  static func escape(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      default: String(scalar)
      }
    }.joined()
  }

  /// Escapes a property's value, in which `:` and `,` have a meaning too.
  static func escapeProperty(_ text: String) -> String {
    escape(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
