import BackupCollections
import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupReports
import BackupScenarios
import BackupVerdicts

extension Command {
  static let explain = Command(
    name: "explain",
    operands: "ID [PATH]", operandCounts: 1...2,
    summary: "Explains for each backup in a scenario why each item is in it or not.",
    discussion: """
      ID is a scenario's id or file. The scenario is run, but not compared, and nothing is written.
      PATH, such as Documents/notes.db, limits the output to one file, or to a folder and its
      contents. A scenario that performs the app's own code needs the results of its last
      test. The exit status is 1 if a run stops early.
      """,
    options: [results, .scenarios, .system, .allowRun, .allowBackups, .limit],
    variables: [.temporaryFolder],
    run: explainScenario)

  private static let results = Option(
    "--results", value: "FILE", "explain results that tests wrote with BACKUP_TESTING_REPORT=FILE")

  private static func explainScenario(_ arguments: Arguments) async throws -> ExitStatus {
    let resultsFile = arguments.value(of: results)
    let report =
      if let resultsFile {
        try read(arguments, from: resultsFile)
      } else {
        try await run(arguments)
      }
    let failures = report.problems.filter { $0.kind == .brokenOff }.map {
      ScenarioDiagnostic(file: report.file, position: $0.position, message: $0.message)
    }
    Output.error(failures.text(isColored: Output.isErrorColored))
    let work = LongWork.begin("explaining \(report.id.escapedExcerpt)")
    defer { work?.end() }
    let path = try arguments.operands.dropFirst().first.map(report.path)
    let runs = report.runs ?? []
    let runGroups = runs.map { (run: $0, text: $0.explanation(of: path)) }
      .grouped { [$0.text, $0.run.backups] }
    let texts = runGroups.map { group in
      let systems = group.map(\.run.system).joinedInWords
      return "system iOS \(systems), \(group[0].run.backups)\n".asMessage + group[0].text
    }
    try Output.print("\(report.id): \(report.title)".onOneLine + "\n" + texts.joined())
    if failures.isEmpty, !runs.contains(where: { $0.events.contains { $0.kind == .backup } }) {
      Output.error("note: no backup is taken in this scenario\n")
    }
    return failures.isEmpty ? .success : .failure
  }

  private static func read(_ arguments: Arguments, from file: String) throws -> ScenarioReport {
    let id = arguments.operands[0]
    let scenarios = try SuiteReport(at: file).scenarios
    guard var scenario = scenarios.first(where: { $0.id == id || $0.file == id }) else {
      throw CommandError(
        "\(file): scenario '\(id)' is not in these results; "
          + NearestWord.advice(for: id, in: scenarios.map(\.id)))
    }
    guard let runs = scenario.runs, !runs.isEmpty else {
      let reason = scenario.problems.first?.message ?? "these results have no runs"
      throw CommandError("\(file): scenario '\(id)' was not run: \(reason)")
    }
    if let systems = try arguments.systems()?.map(\.description) {
      scenario.runs = runs.filter { systems.contains($0.system) }
      guard scenario.runs?.isEmpty == false else {
        throw CommandError(
          "\(file): scenario '\(id)' was not run under iOS \(systems.sorted().joinedInWords)")
      }
    }
    let missingCount = scenario.runs?.map(\.moreItems).max() ?? 0
    if missingCount > 0 {
      Output.error("note: these results leave out \(missingCount.counted("item")) of a run\n")
    }
    return scenario
  }

  private static func run(_ arguments: Arguments) async throws -> ScenarioReport {
    let scenario = try ScenarioFolder.scenario(
      named: arguments.operands[0], in: arguments.value(of: .scenarios))
    var suite = ScenarioSuite(
      goldens: nil, recordMode: .never,
      runner: try arguments.runner(
        for: scenario,
        orElse: "then explain its results: 'BACKUP_TESTING_REPORT=results.json swift test', and "
          + "'backup-testing explain \(scenario.id.quotedForShell) \(results.name) results.json'"))
    suite.selectedSystems = try arguments.systems()
    guard let result = await suite.run(scenario) else {
      throw CommandError(scenario.noSystemMessage(among: suite.selectedSystems))
    }
    return ScenarioReport(result, withRuns: true, maximumItemCount: .max)
  }
}

extension ScenarioReport {
  /// Returns the path of an item or a folder of the scenario, as reports write it.
  fileprivate func path(named name: String) throws -> String {
    let requestedPath = try ContainerPath(name)
    let knownPaths = (runs ?? []).flatMap(\.items).map(\.path)
    let spellings = [requestedPath.description, requestedPath.string]
    if let path = spellings.first(where: { path in knownPaths.contains { $0.isAtOrBelow(path) } }) {
      return path
    }
    let sortedPaths = Set(knownPaths).sorted()
    let advice =
      NearestWord.to(requestedPath.string, in: sortedPaths).map { "did you mean '\($0)'?" }
      ?? "the scenario has \(sortedPaths.count.counted("item"))"
      + (sortedPaths.isEmpty ? "" : ", such as \(sortedPaths.prefix(3).joined(separator: ", "))")
    throw CommandError("there is no item '\(requestedPath)' in \(id); \(advice)")
  }
}

extension RunReport {
  /// Returns the text for each backup: whether each item at or below `path` is included, and why.
  fileprivate func explanation(of path: String?) -> String {
    let items = items.filter { path.map($0.path.isAtOrBelow) != false }.sorted { $0.path < $1.path }
    let backups = events.enumerated().filter { $0.element.kind == .backup }
    return backups.map { index, event in
      let stepPhrase = event.step.first?.isNumber == true ? "step \(event.step)" : event.step
      let filesPhrase = (event.files ?? 0).counted("file")
      let bytesPhrase = Int(event.bytes ?? 0).counted("byte")
      let lines = items.flatMap { item -> [String] in
        guard let state = item.states.last(where: { $0.event <= index }) else { return [] }
        let outcome = ["in": "included", "missing": "missing"][state.state] ?? "excluded"
        return [item.path, "    \(outcome)" + (state.why.map { ": \($0)" } ?? "")]
      }
      let title =
        "\(stepPhrase) (line \(event.line)) \(event.summary): \(filesPhrase), \(bytesPhrase)"
      return ([title] + lines.map { "  \($0)" }).map { "\($0.onOneLine)\n" }.joined()
    }.joined()
  }
}

extension String {
  /// Returns whether this is `path`, or a path in the folder `path`. Compares bytes, as file
  /// systems do.
  fileprivate func isAtOrBelow(_ path: String) -> Bool {
    utf8.elementsEqual(path.utf8) || utf8.starts(with: "\(path)/".utf8)
  }
}
