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
      scenario that performs the app's own code cannot be explained here.
      """,
    options: [.scenarios, .system, .allowRun, .allowBackups, .limit],
    variables: [.temporaryFolder],
    run: explainScenario)

  private static func explainScenario(_ arguments: Arguments) async throws -> ExitStatus {
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

  private static func text(
    _ explanation: ScenarioExplanation, of path: String?, in scenario: Scenario
  ) throws -> String {
    let headline = "\(scenario.id): \(scenario.title)".asMessage.onOneLine
    guard let path else { return "\(headline)\n\(explanation.text)" }
    return try explanation.text(of: path)
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
