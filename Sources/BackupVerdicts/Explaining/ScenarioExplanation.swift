import BackupContainer
package import BackupDevice
package import BackupDiagnostics
import BackupFileTree
import BackupRules
package import BackupScenarios

/// Says of each backup in a scenario why each item is in it or not.
package struct ScenarioExplanation: Sendable {
  package static let variable = "BACKUP_TESTING_EXPLAIN"

  private let scenario: Scenario
  /// What happened, under each system and backup kind.
  private let transcripts: [Transcript]

  /// Runs a scenario to explain its backups.
  package init(
    of scenario: Scenario, systems: Set<SystemVersion>? = nil,
    runner: ScenarioRunner = ScenarioRunner()
  ) async throws(RunError) {
    var transcripts: [Transcript] = []
    for variant in scenario.variants where systems?.contains(variant.system) != false {
      transcripts.append(try await runner.run(scenario, variant))
    }
    guard !transcripts.isEmpty else {
      throw RunError(.contradictory, scenario.refusal(of: systems))
    }
    self.scenario = scenario
    self.transcripts = transcripts
  }

  /// Explains the backups of runs that were done.
  package init(of result: ScenarioResult) {
    self.scenario = result.scenario
    self.transcripts = result.runs.compactMap(\.transcript)
  }

  /// The steps at which runs broke off, so that later backups are not explained.
  package var failures: [ScenarioDiagnostic] {
    var failures: [ScenarioDiagnostic] = []
    for failure in transcripts.compactMap(\.failure) {
      let diagnostic = ScenarioDiagnostic(
        file: scenario.file, position: failure.step.position,
        message: "\(failure.step.withSummaryInParentheses): \(failure.message)")
      if !failures.contains(diagnostic) { failures.append(diagnostic) }
    }
    return failures
  }

  package var hasBackups: Bool {
    transcripts.contains { $0.entries.contains { $0.event.backup != nil } }
  }

  /// The reasons for everything that backups hold, and for the topmost items that they do not.
  package var text: String {
    text { backup, explanation in
      let items = backup.contents.included.filter { $0.kind != .directory(isEmpty: false) }
      let sizes = BackupSizes(of: backup.contents, scenario.files).lines.map { "  \($0)" }
      return sizes
        + (items + backup.contents.leftOutTops).sorted { $0.path < $1.path }.flatMap { decision in
          ["  \(decision.shownPath)", "      \(explanation.reason(decision))"]
        }
    }
  }

  /// The reasons for one item, named as it is or as reports write it, in each backup: a section for
  /// each outcome.
  package func text(of name: String) throws(RunError) -> String {
    let path = try item(named: name)
    let text = self.text { _, explanation in
      ["  \(explanation.reason(for: path) ?? "missing when this backup is taken")"]
    }
    return "\(path)\n\(text)"
  }

  /// A section for each outcome, with the runs that share it, and in it one for each backup.
  private func text(_ lines: (FakeContainer.Backup, ItemExplanation) -> [String]) -> String {
    let outcomes = transcripts.map { ($0.variant, body(of: $0, lines)) }
    return VariantGroup.sections(of: outcomes, in: scenario, calling: nil).map { "\($0)\n" }
      .joined()
  }

  private func body(
    of transcript: Transcript, _ lines: (FakeContainer.Backup, ItemExplanation) -> [String]
  ) -> [String] {
    let explanations = ItemExplanation.byStep(in: transcript)
    return transcript.entries.flatMap { entry -> [String] in
      guard let backup = entry.event.backup,
        let explanation = explanations[entry.step.number]
      else { return [] }
      return ["\(entry.step.withLine) \(entry.step.summary)"] + lines(backup, explanation)
    }
  }

  private func item(named name: String) throws(RunError) -> ContainerPath {
    let asked = try ContainerPath(name)
    let known = knownPaths
    if known.contains(asked) { return asked }
    if let found = known.first(where: { $0.description == asked.string }) { return found }
    let names = known.map(\.description).sorted()
    let advice =
      NearestWord.to(asked.string, in: names).map { "did you mean '\($0)'?" }
      ?? "the scenario has \(names.count.counted("item"))"
      + (names.isEmpty ? "" : ", such as \(names.prefix(3).joined(separator: ", "))")
    throw RunError(.invalidPath, "'\(asked)' never exists in \(scenario.id); \(advice)")
  }

  private var knownPaths: Set<ContainerPath> {
    var paths: Set<ContainerPath> = []
    for transcript in transcripts {
      paths.formUnion(transcript.firstTree.paths)
      for entry in transcript.entries {
        if case .changes(let changes) = entry.event {
          for change in changes { paths.formUnion(entry.tree.paths(from: change.path)) }
        } else if entry.event.isBySystem {
          paths.formUnion(entry.tree.paths)
        }
      }
    }
    return paths
  }
}

extension BackupSet.Decision {
  /// The path, with a slash for a directory.
  fileprivate var shownPath: String {
    if case .directory = kind { "\(path)/" } else { "\(path)" }
  }
}

extension Scenario {
  /// Why none of the systems that `--system` names is one of the scenario's.
  package func refusal(of named: Set<SystemVersion>?) -> String {
    let own = VariantGroup.names(of: systems, calling: newestSystem).joinedInWords
    let others = (named ?? []).sorted().map(\.description).joinedInWords
    return "scenario '\(id)' runs on \(own) only; --system named \(others)"
  }
}
