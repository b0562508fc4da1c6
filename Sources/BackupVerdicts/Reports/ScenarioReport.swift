import BackupContainer
import BackupDiagnostics
public import BackupScenarios
import Foundation

/// The result of a scenario file, or of a test without a scenario, as data.
package struct ScenarioReport: Codable, Sendable {
  package let id: String
  /// The path of the scenario file or of the test's file, relative to the working directory or
  /// absolute.
  package let file: String
  package private(set) var title = ""
  package private(set) var tags: [String] = []
  package private(set) var bug: String?
  package private(set) var verdict: ScenarioResult.Verdict
  package var problems: [Scenario.Problem]
  package private(set) var runCount = 0
  /// The runs; nil if the report needs only the problems, or if the scenario was not run.
  package var runs: [RunReport]?
  /// The lines that differ from the golden file, each after `- ` or `+ `.
  ///
  /// Nil if nothing differs, or if a finding fails the scenario.
  package private(set) var goldenChanges: [String]?
  /// The first items whose lines differ. Nil if ``goldenChanges`` is nil, or if the report needs
  /// only the problems.
  package private(set) var goldenItems: [ChangedItem]?
  /// The number of further items that are not in ``goldenItems``.
  package private(set) var moreGoldenItems: Int?
  /// The golden folder, if a new golden text of the scenario waits for a review; otherwise nil.
  package private(set) var goldenFolder: String?
  /// The folder that the user chose for new golden texts; nil if they wait beside the golden files.
  package private(set) var pendingFolder: String?
  /// The start of the scenario's runs, in the form of ISO 8601; nil if it was not run.
  package private(set) var started: String?
  /// The duration of the scenario's runs, in seconds.
  package private(set) var seconds: Double?
  /// The results of the scenario's exploration; nil if no exploration was requested.
  package private(set) var exploration: ExplorationRecord?

  package var isUnreadable: Bool { problems.first?.kind == .unreadable }
  package var hasFailed: Bool { ![.passed, .recorded, .skipped].contains(verdict) }

  package init(
    _ result: ScenarioResult, withRuns: Bool, maximumItemCount: Int = RunReport.maximumItemCount
  ) {
    let work = withRuns ? LongWork.begin("reporting on \(result.scenario.id.escapedExcerpt)") : nil
    defer { work?.end() }
    let scenario = result.scenario
    self.id = scenario.id
    self.file = scenario.file.relativeToWorkingDirectory
    self.title = scenario.title.asMessage
    self.tags = scenario.tags.map(\.asMessage)
    self.bug = scenario.bug?.asMessage
    self.verdict = result.verdict
    self.problems = result.problems
    self.runCount = result.runs.count
    self.runs =
      withRuns
      ? result.runs.map { RunReport($0, of: result, maximumItemCount: maximumItemCount) } : nil
    self.goldenChanges = result.goldenChanges
    if withRuns, let changedItems = result.changedItems {
      (self.goldenItems, self.moreGoldenItems) = (changedItems.firstItems, changedItems.otherCount)
    }
    if let goldens = result.storeOfWaitingText {
      self.goldenFolder = goldens.folder.relativeToWorkingDirectory
      self.pendingFolder = goldens.chosenNewTextFolder?.relativeToWorkingDirectory
    }
    self.started = result.startDate?.formatted(.iso8601)
    self.seconds = result.seconds
  }

  /// Creates the report of a file that cannot be read as a scenario.
  package init(_ mistakenFile: FileWithMistakes) {
    self.id = mistakenFile.file.id
    self.file = mistakenFile.file.path.relativeToWorkingDirectory
    self.verdict = .error
    self.problems = mistakenFile.mistakes.map { mistake in
      Scenario.Problem(
        kind: .unreadable, severity: .error, isFailure: true, position: mistake.position,
        message: mistake.message, details: [], variants: nil)
    }
  }

  /// Creates the report of a failed test whose failure is in no scenario's report.
  package init(test name: String, in file: String) {
    self.id = name.asMessage
    self.file = file.relativeToWorkingDirectory
    self.verdict = .failed
    self.problems = []
  }

  /// Replaces the problems by the problems that the scenario's test found.
  ///
  /// If the test expected all failures, the scenario has passed.
  package mutating func replaceProblems(_ problems: [Scenario.Problem]) {
    let hasFailure = self.problems.contains(where: \.isFailure)
    self.problems = problems
    if hasFailure, !problems.contains(where: \.isFailure) { verdict = .passed }
  }

  /// Adds an exploration. The exploration's problems come before the other problems, in the order
  /// of the counterexamples.
  package mutating func add(_ exploration: ExplorationRecord, _ problems: [Scenario.Problem]) {
    self.exploration = exploration
    self.problems = problems + self.problems
    if !hasFailed, problems.contains(where: \.isFailure) { verdict = .failed }
  }
}

extension String {
  /// The path, relative to the working directory if it is in this directory; otherwise unchanged.
  package var relativeToWorkingDirectory: String {
    let folder = FileManager.default.currentDirectoryPath
    return folder != "/" && hasPrefix("\(folder)/") ? String(dropFirst(folder.count + 1)) : self
  }
}

extension String {
  var isOutsideWorkingDirectory: Bool {
    let path = relativeToWorkingDirectory
    return path.hasPrefix("/") || path.split(separator: "/").first == ".."
  }
}

extension ScenarioResult {
  /// The most lines of a difference that are searched for changes.
  private static let maximumLineCount = 1000

  /// All lines that differ from the golden file, with the lines around them; nil if nothing
  /// differs.
  package var goldenDifference: String? {
    guard case .differs(_, let difference, _) = goldenOutcome else { return nil }
    return difference.shownLines(atMost: .max).map { "\($0)\n" }.joined()
  }

  fileprivate var goldenChanges: [String]? {
    guard case .differs(_, let difference, _) = goldenOutcome, !hasUnexpectedFailure else {
      return nil
    }
    return difference.changedLines(inFirst: Self.maximumLineCount).map { line in
      "\(line.actualLineNumber == nil ? "-" : "+") \(line.text.asMessage)"
    }
  }
}

extension Sequence<Scenario.Problem> {
  /// The problems that fail a scenario, and then the others. Both keep their order.
  package var failuresFirst: [Scenario.Problem] {
    filter(\.isFailure) + filter { !$0.isFailure }
  }
}

extension Sequence<String> {
  /// The keys of the rules' sources, without duplicates, in a line that ends in LF. Without keys,
  /// the text is empty.
  package var lineOfSources: String {
    let keys = Set(self).sorted().joined(separator: ", ")
    return keys.isEmpty ? "" : "sources, in the article What iOS does: \(keys)\n"
  }
}

extension Scenario.Problem: Codable {
  /// `error` if the problem fails a scenario; otherwise the severity.
  package var severityWord: String { isFailure ? "error" : severity.rawValue }

  /// The problem as a warning, for a test that expects this problem.
  package var asKnownIssue: Scenario.Problem {
    Scenario.Problem(
      kind: kind, severity: .warning, isFailure: false, position: position, message: message,
      details: details + ["known: the test expects this by 'withKnownIssue'"], variants: variants,
      actor: actor, path: path, code: code, sources: sources)
  }

  package var messageWithRuns: String { variants.map { "\(message) [\($0)]" } ?? message }

  private enum CodingKeys: String, CodingKey {
    case kind, rule, severity, fails, line, column, message, details, runs, actor, path, code,
      sources
  }

  /// Reads a problem from a report in JSON.
  ///
  /// - Parameter decoder: The decoder of the problem.
  /// - Throws: An error of the decoder, or `DecodingError` for an unknown kind.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let kindWord = try members.decode(String.self, forKey: .kind)
    let rule = try members.decodeIfPresent(String.self, forKey: .rule)
    guard let kind = Kind(kindWord, rule: rule) else {
      throw DecodingError.dataCorruptedError(
        forKey: .kind, in: members, debugDescription: "unknown kind of problem '\(kindWord)'")
    }
    self.init(
      kind: kind, severity: try members.decode(Scenario.Severity.self, forKey: .severity),
      isFailure: try members.decode(Bool.self, forKey: .fails),
      position: SourcePosition(
        line: try members.decode(Int.self, forKey: .line),
        column: try members.decode(Int.self, forKey: .column)),
      message: try members.decode(String.self, forKey: .message),
      details: try members.decode([String].self, forKey: .details),
      variants: try members.decodeIfPresent(String.self, forKey: .runs),
      actor: try members.decodeIfPresent(String.self, forKey: .actor),
      path: try members.decodeIfPresent(String.self, forKey: .path),
      code: try members.decodeIfPresent([CodePlace].self, forKey: .code) ?? [],
      sources: try members.decodeIfPresent([String].self, forKey: .sources) ?? [])
  }

  /// Writes the problem for a report in JSON.
  ///
  /// - Parameter encoder: The encoder of the problem.
  /// - Throws: An error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(kind.word, forKey: .kind)
    try members.encodeIfPresent(kind.rule, forKey: .rule)
    try members.encode(severity, forKey: .severity)
    try members.encode(isFailure, forKey: .fails)
    try members.encode(position.line, forKey: .line)
    try members.encode(position.column, forKey: .column)
    try members.encode(message, forKey: .message)
    try members.encode(details, forKey: .details)
    try members.encodeIfPresent(variants, forKey: .runs)
    try members.encodeIfPresent(actor, forKey: .actor)
    try members.encodeIfPresent(path, forKey: .path)
    if !code.isEmpty { try members.encode(code, forKey: .code) }
    if !sources.isEmpty { try members.encode(sources, forKey: .sources) }
  }
}

extension Scenario.Problem.Kind {
  private static let kindsWithoutRule: [(word: String, kind: Self)] = [
    ("broken-off", .brokenOff), ("idle", .idle), ("unread-argument", .unreadArgument),
    ("golden", .golden), ("recorded", .recorded), ("skipped", .skipped),
    ("unreadable", .unreadable), ("failed-test", .failedTest),
  ]

  /// The words that stand for the kinds in JSON.
  package static var words: [String] {
    ["finding", "missing-finding"] + kindsWithoutRule.map(\.word)
  }

  /// The rule of a finding or a missing finding; nil for any other kind.
  package var rule: String? {
    switch self {
    case .finding(let rule), .missingFinding(let rule): rule
    default: nil
    }
  }

  /// The word that stands for the kind in JSON.
  package var word: String {
    switch self {
    case .finding: "finding"
    case .missingFinding: "missing-finding"
    default: Self.kindsWithoutRule.first { $0.kind == self }?.word ?? ""
    }
  }

  fileprivate init?(_ word: String, rule: String?) {
    switch (word, rule) {
    case ("finding", let rule?): self = .finding(rule: rule)
    case ("missing-finding", let rule?): self = .missingFinding(rule: rule)
    default:
      guard let match = Self.kindsWithoutRule.first(where: { $0.word == word }) else { return nil }
      self = match.kind
    }
  }
}
