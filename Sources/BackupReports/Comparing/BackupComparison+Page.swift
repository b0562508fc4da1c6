import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupFolders
import BackupScenarios
import BackupVerdicts

extension BackupComparison {
  /// An HTML page that shows the phone's backup beside the prediction, with the layout of an
  /// inspection's page.
  package var page: String {
    var context = Inspection.Context(named: title, on: profile)
    context.configuration.backups = .local
    let inspection = Inspection(of: tree, context)
    let pathsAndStates = differences.map { ($0.path, stateOnPhone(of: $0)) }
    let phoneStates = Inspection.ComparedStates(
      label: "On the phone", filterLabel: "Only differences",
      states: Dictionary(pathsAndStates) { first, _ in first })
    let faultsSection = Inspection.section("Wrong in the manifest", lines: faultLines)
    let topSections: Markup = """
      <p class="soft">A backup beside its prediction: \(title)</p>
      \(differencesSection(inspection))\(faultsSection)\(inspection.totalsSection)
      """
    return inspection.page(
      summary, isClean ? .good : .bad, topSections, named: "All", phoneStates, notes: notes)
  }

  private func stateOnPhone(of difference: Difference) -> InspectedFile? {
    contents.records[difference.path].map { record in
      if case .file(let size) = record.kind { return InspectedFile(state: .included, size: size) }
      return InspectedFile(state: .included, size: 0)
    }
  }

  private func differencesSection(_ inspection: Inspection) -> Markup {
    let table = Inspection.table(
      ["Path", "Difference", "Predicted", "On the phone"], [], differences
    ) { difference in
      let (words, cssClass) = prediction(of: difference, in: inspection)
      let record = contents.records[difference.path]
      return """
        <tr data-change="\(difference.kind.word)"><td class="path">\(Markup.prose(difference.path.description))</td>\
        <td data-label="Difference">\(difference.kind.facts.title)</td>\
        <td class="\(cssClass)" data-label="Predicted">\(words)</td>\
        <td class="\(record == nil ? "soft" : "in")" data-label="On the phone">\(record.map { "in the backup, \($0.kind)" } ?? "not in the backup")</td></tr>

        """
    }
    return Inspection.section("Differences", table)
  }

  /// Returns the prediction for an item in words, and the CSS class for its color.
  private func prediction(
    of difference: Difference, in inspection: Inspection
  ) -> (words: String, cssClass: String) {
    switch difference.kind {
    case .different(_, let expected): return ("in the backup, \(expected)", "in")
    case .notInContainer: return ("not in the container", "soft")
    default:
      guard let decision = inspection.backupSet.decision(on: difference.path) else {
        return ("", "soft")
      }
      let state = ItemState(decision.verdict)
      return ("\(state.phrase): \(inspection.cause(of: decision))", state.word)
    }
  }
}
