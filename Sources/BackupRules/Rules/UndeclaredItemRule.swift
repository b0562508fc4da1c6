import BackupDevice
import BackupScenarios

/// An item that the app put there and no pattern of `files` names.
struct UndeclaredItemRule: Rule {
  let name = "undeclared-item"
  let severity = Scenario.Severity.warning
  let summary = "with 'files' given: an item that no pattern names"
  let sources: [SystemProfile.Source] = [.appleGuidelines2011]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    for moment in history.moments {
      for file in history.promisedFiles(at: moment) where file.dataClass == nil {
        guard let step = moment.ledger.origins[file.path], !findings.contains(self, file.path)
        else { continue }
        findings.add(
          self, at: step, file.path, "no pattern in 'files' says what '\(file.path)' is",
          advice: "add a pattern with its class: critical, support, offline, cached or temporary")
      }
    }
  }
}
