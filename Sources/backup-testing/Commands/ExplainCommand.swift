import BackupDevice
import BackupDiagnostics
import BackupReports
import BackupRules
import BackupScenarios
import BackupVerdicts

extension Command {
  static let explain = Command(
    name: "explain",
    operands: "ID [PATH]", operandCounts: 1...2,
    summary: "Explains for each backup in a scenario why each item is in it or not.",
    discussion: """
      ID is a scenario's id or file. The scenario is run, but not compared, and nothing is written.
      PATH is a path in the container, such as Documents/notes.db: only that item is explained. A
      scenario that performs the app's own code needs the results of its last test.
      """,
    options: [results, .scenarios, .system, .allowRun, .allowBackups, .limit],
    variables: [.temporaryFolder],
    run: explainScenario)

  private static let results = Option(
    "--results", value: "FILE", "explain what tests wrote with BACKUP_TESTING_REPORT=FILE")

  private static func explainScenario(_ arguments: Arguments) async throws -> ExitStatus {
    if let file = arguments.value(of: results) { return try explain(arguments, from: file) }
    let scenario = try ScenarioFolder.scenario(
      named: arguments.operands[0], in: arguments.value(of: .scenarios))
    let explanation = try await ScenarioExplanation(of: scenario, arguments)
    let path = arguments.operands.dropFirst().first
    try Output.print(try text(explanation, of: path, in: scenario))
    if !explanation.hasBackups, explanation.failures.isEmpty {
      Output.error("note: no backup is taken in this scenario\n")
    }
    let failures = explanation.failures
    Output.error(failures.text(isColored: Output.isErrorColored))
    return failures.isEmpty ? .success : .failure
  }

  /// Explains what results say of a scenario, without running it.
  private static func explain(_ arguments: Arguments, from file: String) throws -> ExitStatus {
    let (id, path) = (arguments.operands[0], arguments.operands.dropFirst().first)
    let scenarios = try SuiteReport(at: file).scenarios
    guard let scenario = scenarios.first(where: { $0.id == id || $0.file == id }) else {
      throw CommandError(
        "\(file): scenario '\(id)' is not in these results; "
          + NearestWord.advice(for: id, in: scenarios.map(\.id)))
    }
    let runs = (scenario.runs ?? []).map { run in
      "\("iOS \(run.system), \(run.backups)".onOneLine)\n\(run.explanation(of: path))"
    }
    guard path == nil || runs.contains(where: { $0.contains("  \(path ?? "")\n") }) else {
      throw CommandError("\(file): these results have no item '\(path ?? "")' of scenario '\(id)'")
    }
    try Output.print("\("\(id): \(scenario.title)".onOneLine)\n\(runs.joined(separator: "\n"))")
    return .success
  }

  private static func text(
    _ explanation: ScenarioExplanation, of path: String?, in scenario: Scenario
  ) throws -> String {
    let headline = "\(scenario.id): \(scenario.title)".asMessage.onOneLine
    guard let path else { return "\(headline)\n\(explanation.text)" }
    return try explanation.text(of: path)
  }
}

extension RunReport {
  /// What each backup does with each item, or with one, and why.
  fileprivate func explanation(of path: String?) -> String {
    let backups = events.indices.filter { events[$0].kind == "backup" }
    return backups.map { index in
      let event = events[index]
      let lines = items.compactMap { item -> String? in
        guard path == nil || item.path == path || item.path == path.map({ "\($0)/" }),
          let state = item.states.last(where: { $0.event <= index })
        else { return nil }
        let word =
          switch state.state {
          case "in": "included"
          case "missing": "missing"
          default: "excluded"
          }
        let why = state.why.map { ": \($0)" } ?? ""
        return "  \((path ?? item.path).onOneLine)\n      \(word)\(why.onOneLine)\n"
      }
      let step = "step \(event.step) (line \(event.line)) \(event.summary)".onOneLine
      return "\(step)\n" + lines.joined()
    }.joined()
  }
}

extension ScenarioExplanation {
  /// Runs a scenario to explain its backups.
  fileprivate init(of scenario: Scenario, _ arguments: Arguments) async throws {
    let systems = try arguments.systems()
    let runner = try arguments.runner(for: scenario)
    var transcripts: [Transcript] = []
    for variant in scenario.variants where systems?.contains(variant.system) != false {
      transcripts.append(try await runner.run(scenario, variant))
    }
    if transcripts.isEmpty { throw RunError(.contradictory, scenario.refusal(of: systems)) }
    self.init(of: scenario, transcripts)
  }

  /// The steps at which runs broke off, so that later backups are not explained.
  fileprivate var failures: [ScenarioDiagnostic] {
    var failures: [ScenarioDiagnostic] = []
    for failure in transcripts.compactMap(\.failure) {
      let diagnostic = ScenarioDiagnostic(
        file: scenario.file, position: failure.step.position,
        message: "\(failure.step.withSummaryInParentheses): \(failure.message)")
      if !failures.contains(diagnostic) { failures.append(diagnostic) }
    }
    return failures
  }

  fileprivate var hasBackups: Bool {
    transcripts.contains { $0.entries.contains { $0.event.backup != nil } }
  }

  /// The reasons for everything that backups hold, and for the topmost items that they do not.
  fileprivate var text: String {
    text { backup, explanation in
      let items = backup.contents.included.filter { $0.kind != .directory(isEmpty: false) }
      let sizes = BackupSizes(of: backup.contents, scenario.files).lines.map { "  \($0)" }
      return sizes
        + (items + backup.contents.leftOutTops).sorted { $0.path < $1.path }.flatMap { decision in
          ["  \(decision.shownPath)", "      \(explanation.reason(decision))"]
        }
    }
  }
}

extension BackupSet.Decision {
  /// The path, with a slash for a directory.
  fileprivate var shownPath: String {
    if case .directory = kind { "\(path)/" } else { "\(path)" }
  }
}
