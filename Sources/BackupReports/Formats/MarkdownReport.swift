import BackupDiagnostics
import BackupVerdicts

extension SuiteReport {
  /// The size, in bytes, after which no further failure is listed. GitHub accepts no summary of
  /// more than 1 MiB.
  private static let maximumFailuresSize = 500_000

  var headline: String {
    let failedCount = scenarios.count(where: \.hasFailed)
    guard failedCount > 0 else {
      let reason = isGreen ? "" : ", but \(failedTestSummary ?? "the run did not pass")"
      return "No scenario failed\(reason)."
    }
    let causeCount = scenarios.causes.count
    return "\(failedCount) of \(scenarios.count.counted("scenario")) failed"
      + (causeCount > 0 ? ", for \(causeCount.counted("cause"))." : ".")
      + (failedTestSummary.map { " \($0)." } ?? "")
  }

  /// The report as Markdown, for a pull request or the summary of a job on GitHub.
  package var markdown: String {
    let causeLines = scenarios.causes.map { cause in
      "* **\(cause.sentence.inMarkdown)** in \(cause.scenarios.count.counted("scenario"))\n"
        + cause.details.fenced
    }
    let otherLines =
      [obstacle].compactMap(\.self).map { "* \($0.inMarkdown)\n" }
      + orphans.map { "* \($0.inMarkdown): \(Self.orphanMessage)\n" }
    var (shownFailures, omittedCount) = ("", 0)
    for scenario in scenariosAndTests where scenario.hasFailed {
      if shownFailures.utf8.count < Self.maximumFailuresSize {
        shownFailures += scenario.markdown
      } else {
        omittedCount += 1
      }
    }
    let morePhrase = omittedCount > 0 ? "\n\(omittedCount.counted("more failure")).\n" : ""
    let sources = scenariosAndTests.flatMap(\.problems).filter(\.isFailure).flatMap(\.sources)
      .lineOfSources
    return "## \(headline)\n\n\(summary)\n" + (otherLines + causeLines).joined()
      + (shownFailures.isEmpty ? "" : "\n### Failures\n\n\(shownFailures)\(morePhrase)\n\(sources)")
  }
}

extension ScenarioReport {
  fileprivate var markdown: String {
    let lines = problems.filter(\.isFailure).map { problem in
      "* `\(problem.position.location(in: file).onOneLine.replacing("`", with: "'"))`: "
        + "\(problem.messageWithRuns.inMarkdown)\n"
        + problem.details.fenced
    }
    let titlePart = title.isEmpty ? "" : ": \(title.inMarkdown)"
    return "**\(id.inMarkdown)**\(titlePart)\n\n\(lines.joined())\n"
  }
}

extension [String] {
  /// The lines as a code block, or an empty text without lines.
  fileprivate var fenced: String {
    let lines = map { "  \($0.onOneLine.replacing("```", with: "'''"))\n" }.joined()
    return isEmpty ? "" : "  ```\n\(lines)  ```\n"
  }
}

extension String {
  /// The text on one line. Characters that have a meaning in Markdown or HTML are escaped.
  fileprivate var inMarkdown: String {
    onOneLine.map { character in
      "\\`*_[]<>&|#~".contains(character) ? "\\\(character)" : "\(character)"
    }.joined()
  }
}
