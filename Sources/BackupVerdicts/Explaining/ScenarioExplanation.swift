package import BackupContainer
package import BackupDevice
package import BackupDiagnostics
import BackupFileTree
package import BackupRules
package import BackupScenarios

/// Says of each backup in a scenario why each item is in it or not.
package struct ScenarioExplanation: Sendable {
  package static let variable = "BACKUP_TESTING_EXPLAIN"

  package let scenario: Scenario
  /// What happened, under each system and backup kind.
  package let transcripts: [Transcript]

  package init(of scenario: Scenario, _ transcripts: [Transcript]) {
    self.scenario = scenario
    self.transcripts = transcripts
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
  package func text(_ lines: (FakeContainer.Backup, ItemExplanation) -> [String]) -> String {
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

extension Scenario {
  /// Why none of the systems that `--system` names is one of the scenario's.
  package func refusal(of named: Set<SystemVersion>?) -> String {
    let own = VariantGroup.names(of: systems, calling: newestSystem).joinedInWords
    let others = (named ?? []).sorted().map(\.description).joinedInWords
    return "scenario '\(id)' runs on \(own) only; --system named \(others)"
  }
}
