import BackupContainer
import BackupDiagnostics
import BackupScenarios
package import BackupVerdicts
import Foundation

extension SuiteReport {
  package static let formats: [OutputFormat<SuiteReport>] = [
    OutputFormat("text", [.showsProblems]) {
      $0.diagnostics(isColored: false) + $0.summary(isColored: false)
    },
    .json, .junit,
    OutputFormat("github", [.showsProblems, .writesSummary]) { $0.gitHubCommands },
    OutputFormat("markdown", [.showsProblems]) { $0.markdown },
    OutputFormat("sarif", [.showsProblems]) { report throws(RunError) in
      try OutputFormat.json { $0.sarif }.text(report)
    },
    OutputFormat(
      "html", [.showsRuns],
      linking: { report, file throws(RunError) in
        try report.page(in: file)
      }),
  ]

  package var hasUnreadableScenario: Bool { scenarios.contains(where: \.isUnreadable) }

  /// Returns all problems, each with its line in the scenario and advice. The causes that several
  /// scenarios share come last.
  package func diagnostics(isColored: Bool) -> String {
    var reportText = ReportText(isColored: isColored)
    let problems = scenariosAndTests.flatMap { entry in
      entry.problems.map { (problem: $0, entry: entry) }
    }
    for (problem, entry) in problems.filter(\.problem.isFailure)
      + problems.filter({ !$0.problem.isFailure })
    {
      reportText.add(problem, of: entry)
    }
    let label = orphansFail ? reportText.asError("error:") : reportText.asWarning("warning:")
    for path in orphans {
      reportText.add("\(reportText.place(.start, in: path)): \(label) \(Self.orphanMessage)")
    }
    if let obstacle {
      reportText.add("backup-testing: \(reportText.asError("error:")) \(obstacle.onOneLine)")
    }
    let sharedCauses = scenarios.sharedCauses
    let sources = problems.flatMap(\.problem.sources).lineOfSources
    return reportText.text + sources + (sharedCauses.isEmpty ? "" : "\n\(sharedCauses)")
  }

  /// Returns the counts, followed by the names of the failed scenarios.
  package func summary(isColored: Bool) -> String {
    let reportText = ReportText(isColored: isColored)
    let text = String((summary + failedLine).dropLast())
    return text.isEmpty
      ? "" : (isGreen ? reportText.asSuccess(text) : reportText.asError(text)) + "\n"
  }
}

extension [ScenarioDiagnostic] {
  /// Returns the mistakes. A mistake in a file that can be read has its line, and a caret below the
  /// column.
  package func text(isColored: Bool = false) -> String {
    var reportText = ReportText(isColored: isColored)
    for mistake in self {
      reportText.add(
        mistake.message, reportText.asError("error:"), at: mistake.position, of: mistake.file,
        withCaret: true)
    }
    return reportText.text
  }
}

/// The text of a report, which grows by a problem at a time. It may have colors for a terminal.
private struct ReportText {
  let isColored: Bool
  var text = ""
  var sourceLines = SourceLines()
  /// The causes whose advice is in the text, each with the advice.
  var printedAdvice: Set<[String]> = []

  mutating func add(
    _ message: String, _ label: String, at position: SourcePosition, of file: String,
    withCaret: Bool
  ) {
    add("\(place(position, in: file)): \(label) \(message.onOneLine)")
    for line in sourceLines.excerpt(at: position, of: file, withCaret: withCaret) { add(line) }
  }

  /// Adds a problem with its place, its message, the scenario's line and advice. Leaves out a
  /// rule's advice that the text already has for the same cause, except lines of code.
  mutating func add(_ problem: Scenario.Problem, of scenario: ScenarioReport) {
    let label =
      problem.isFailure ? asError("error:") : asWarning("\(problem.severity.diagnosticWord):")
    add(
      problem.messageWithRuns, label, at: problem.position, of: scenario.file,
      withCaret: problem.kind == .unreadable)
    let causeAndAdvice = [problem.causeSentence] + problem.details
    let isNewAdvice = problem.kind.rule == nil || printedAdvice.insert(causeAndAdvice).inserted
    for detail in problem.details where isNewAdvice || detail.hasPrefix("code: ") {
      add("    \(detail.onOneLine)")
    }
  }

  mutating func add(_ line: String) { text += "\(line.asLogLine)\n" }

  func place(_ position: SourcePosition, in file: String) -> String {
    styled(position.location(in: file).onOneLine, "1")
  }

  func asSuccess(_ text: String) -> String { styled(text, "32") }
  func asError(_ text: String) -> String { styled(text, "1;31") }
  /// Colors text on a problem that needs attention, but does not fail the test.
  func asWarning(_ text: String) -> String { styled(text, "33") }

  private func styled(_ text: String, _ styleCode: String) -> String {
    isColored ? "\u{1B}[\(styleCode)m\(text)\u{1B}[0m" : text
  }
}

extension Scenario.Severity {
  var diagnosticWord: String {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .advice: "note"
    }
  }
}

/// Reads scenario files and code to show some of their lines in a report.
struct SourceLines {
  /// The scenario files read so far, with the positions of their lines.
  private var scenarioFiles: [String: (bytes: [UInt8], lines: LineTable)] = [:]
  /// The code files read so far, with the positions of their lines.
  private var codeFiles: [String: (bytes: [UInt8], lines: LineTable)] = [:]

  private static let maximumLineLength = 160

  /// Returns a line of a scenario file with its number. If `withCaret` is true, also returns a line
  /// with a caret under the column. Returns nothing if the file is not a scenario, or cannot be
  /// read.
  mutating func excerpt(at position: SourcePosition, of file: String, withCaret: Bool) -> [String] {
    // The file name comes from results, which may be from an untrusted source.
    guard ScenarioFolder.suffix(of: file) != nil else { return [] }
    let source = scenarioFiles[file] ?? Self.read(file)
    scenarioFiles[file] = source
    guard !source.bytes.isEmpty, let line = source.lines.line(position.line, in: source.bytes)
    else { return [] }
    let column = min(max(0, position.column - 1), line.count)
    let startColumn =
      line.count > Self.maximumLineLength ? max(0, column - Self.maximumLineLength / 2) : 0
    let visibleText = Self.text(line.dropFirst(startColumn).prefix(Self.maximumLineLength))
    let numberText = "\(position.line)"
    let numberedLine = "  \(numberText) | \(startColumn > 0 ? "…" : "")\(visibleText)"
    guard withCaret else { return [numberedLine] }
    let textBeforeColumn = Self.text(line.dropFirst(startColumn).prefix(column - startColumn))
    let indent = "".padded(to: textBeforeColumn.count + (startColumn > 0 ? 1 : 0))
    return [numberedLine, "  \("".padded(to: numberText.count)) | \(indent)^"]
  }

  private static let contextLineCount = 3

  /// Returns a line of the app's code and the lines around it, without empty lines at the start and
  /// the end. Returns nothing if there is no such line, or if the file is not code in the working
  /// directory.
  mutating func lines(around number: Int, of file: String) -> [(number: Int, text: String)] {
    let source = codeFiles[file] ?? Self.readCode(file)
    codeFiles[file] = source
    let maximumNumber = source.bytes.count + 1
    guard (1...maximumNumber).contains(number), source.lines.line(number, in: source.bytes) != nil
    else {
      return []
    }
    let excerpt = (number - Self.contextLineCount...number + Self.contextLineCount).compactMap {
      number in
      source.lines.line(number, in: source.bytes).map {
        (number: number, text: Self.text($0.prefix(Self.maximumLineLength)))
      }
    }
    let shownNumbers = excerpt.filter { $0.number == number || !$0.text.isEmpty }.map(\.number)
    return excerpt.filter {
      (shownNumbers[0]...shownNumbers[shownNumbers.count - 1]).contains($0.number)
    }
  }

  private static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self).replacing("\t", with: "  ").onOneLine
  }

  private static func read(_ file: String) -> (bytes: [UInt8], lines: LineTable) {
    // An unreadable file is no error here: the report names the line's place, even if it cannot
    // show the line.
    let contents = try? RegularFile.bytes(
      at: file, upTo: ScenarioReader.maximumFileSize, followingLinks: true)
    let bytes = contents ?? []
    return (bytes, LineTable(bytes))
  }

  private static let codeSuffixes = [".swift", ".m", ".mm", ".c", ".cc", ".cpp", ".h"]
  private static let maximumCodeSize = 2_000_000

  private static func readCode(_ file: String) -> (bytes: [UInt8], lines: LineTable) {
    // The file name may be from an untrusted source. It must not name a hidden folder, or a link
    // out of the working directory.
    func isHidden(_ path: String) -> Bool {
      path.split(separator: "/", omittingEmptySubsequences: false).contains {
        $0.isEmpty || $0.hasPrefix(".")
      }
    }
    let folder = URL(fileURLWithPath: ".").resolvingSymlinksInPath().path
    let target = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
    guard codeSuffixes.contains(where: file.hasSuffix), !isHidden(file),
      target.hasPrefix("\(folder)/"), !isHidden(String(target.dropFirst(folder.count + 1))),
      let resolvedPath = try? TextFile.resolvedPath(of: file, in: "."),
      let bytes = try? RegularFile.bytes(
        at: resolvedPath, upTo: maximumCodeSize, followingLinks: false)
    else { return ([], LineTable([])) }
    return (bytes, LineTable(bytes))
  }
}
