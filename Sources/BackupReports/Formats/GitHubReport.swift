import BackupDiagnostics
import BackupScenarios
import BackupVerdicts

extension SuiteReport {
  /// The number of annotations of each kind that GitHub shows for a step.
  private static let maximumAnnotationsPerKind = 10

  /// The report for GitHub's workflows: an annotation at the line of each problem, and a summary.
  var gitHubCommands: String {
    let allAnnotations = annotations
    let shownAnnotations = ["error", "warning", "notice"].flatMap { commandName in
      allAnnotations.filter { $0.hasPrefix("::\(commandName) ") }.prefix(
        Self.maximumAnnotationsPerKind)
    }
    // If some annotations are not shown, the text lists all problems.
    let problemsText =
      shownAnnotations.count < allAnnotations.count ? diagnostics(isColored: false) : ""
    return
      (shownAnnotations
      + [problemsText, problemsText.isEmpty ? scenarios.sharedCauses : "", summary, failedLine])
      .joined()
  }

  private var annotations: [String] {
    // GitHub shows only some annotations, so the first annotation of each cause comes first.
    var causes: Set<String> = []
    var (firstAnnotations, otherAnnotations): ([String], [String]) = ([], [])
    for entry in scenariosAndTests {
      for problem in entry.problems {
        let text = problem.annotation(in: entry.file, id: entry.id)
        let isNewCause = causes.insert(problem.causeSentence).inserted
        if isNewCause { firstAnnotations.append(text) } else { otherAnnotations.append(text) }
      }
    }
    let orphanAnnotations = orphans.map { path in
      gitHubCommand(
        orphansFail ? "error" : "warning", [("file", path), ("title", "golden file")],
        message: Self.orphanMessage)
    }
    let obstacleAnnotation = obstacle.map { obstacle in
      gitHubCommand("error", [("title", "backup-testing")], message: obstacle.onOneLine)
    }
    return firstAnnotations + otherAnnotations + orphanAnnotations
      + [obstacleAnnotation].compactMap(\.self)
  }
}

extension Scenario.Problem {
  func annotation(in file: String, id: String) -> String {
    let properties = [
      ("file", file.onOneLine), ("line", "\(position.line)"), ("col", "\(position.column)"),
      ("title", id.onOneLine),
    ]
    let commandName = severity == .advice ? "notice" : severity.diagnosticWord
    return gitHubCommand(isFailure ? "error" : commandName, properties, message: messageWithDetails)
  }

  var messageWithDetails: String {
    ([messageWithRuns] + details).map(\.onOneLine).joined(separator: "\n")
  }
}

/// Returns a line that GitHub's runner reads as a command in the output of a job.
func gitHubCommand(
  _ name: String, _ properties: [(String, String)], message: String
) -> String {
  let list = properties.map { "\($0)=\($1.escapedAsGitHubProperty)" }.joined(separator: ",")
  return "::\(name) \(list)::\(message.escapedForGitHub)\n"
}

extension String {
  /// The text with the escapes that GitHub's runner expects in a message.
  var escapedForGitHub: String { escaped(by: ["%": "%25", "\r": "%0D", "\n": "%0A"]) }

  /// The value of a property with the escapes that GitHub's runner expects. In a property, `:` and
  /// `,` also have a meaning.
  var escapedAsGitHubProperty: String {
    escapedForGitHub.replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
