import BackupDiagnostics
package import BackupScenarios

extension OutputFormat<SuiteReport> {
  /// For GitHub's workflows: each problem as an annotation at its line, then a summary.
  static var github: OutputFormat {
    OutputFormat("github", showsProblems: true) { report in
      (annotations(report) + [report.colored(false).summary]).joined()
    }
  }

  /// A command of GitHub's runner for each problem, mistake and orphan, and for what kept the run
  /// from being whole; each a line.
  private static func annotations(_ report: SuiteReport) -> [String] {
    let problems = report.results.flatMap { result in
      result.problems.map { $0.annotation(in: result.scenario) }
    }
    let mistakes = report.mistaken.flatMap { mistaken in
      mistaken.mistakes.map { mistake in
        gitHubCommand(
          "error", properties(mistake.position, of: mistake.file, mistaken.file.id),
          message: mistake.message.onOneLine)
      }
    }
    let orphans = report.orphans.map { path in
      gitHubCommand(
        report.orphansFail ? "error" : "warning", [("file", path), ("title", "golden file")],
        message: SuiteReport.orphanMessage)
    }
    let obstacle = report.obstacle.map { obstacle in
      gitHubCommand("error", [("title", "backup-testing")], message: obstacle.onOneLine)
    }
    return problems + mistakes + orphans + [obstacle].compactMap(\.self)
  }
}

extension Scenario.Problem {
  /// The command for it that GitHub's runner reads from a job's output.
  package func annotation(in scenario: Scenario) -> String {
    let variants = variants.map { " [\($0)]" } ?? ""
    let lines = ["\(message)\(variants)"] + details
    let text = lines.map(\.onOneLine).joined(separator: "\n")
    return gitHubCommand(
      annotationWord, properties(position, of: scenario.file, scenario.id), message: text)
  }

  private var annotationWord: String {
    guard !isFailure else { return "error" }
    return severity == .advice ? "notice" : severity.diagnosticWord
  }
}

private func properties(
  _ position: SourcePosition, of file: String, _ id: String
) -> [(String, String)] {
  [
    ("file", file), ("line", "\(position.line)"), ("col", "\(position.column)"), ("title", id),
  ]
}

/// A command that GitHub's runner reads from a job's output: a line.
package func gitHubCommand(
  _ name: String, _ properties: [(String, String)], message: String
) -> String {
  let list = properties.map { "\($0)=\($1.escapedAsGitHubProperty)" }.joined(separator: ",")
  return "::\(name) \(list)::\(message.escapedForGitHub)\n"
}

extension String {
  /// A message as the runner's toolkit escapes it.
  var escapedForGitHub: String {
    unicodeScalars.map { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      default: String(scalar)
      }
    }.joined()
  }

  /// A property's value, in which `:` and `,` have a meaning too.
  var escapedAsGitHubProperty: String {
    escapedForGitHub.replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
