import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupScenarios

/// An item that the app put there and no pattern of `files` names.
///
/// A promise about files is worth what it covers. This finds what was forgotten, what a new version
/// adds, and what third-party code leaves in the container.
struct UndeclaredItemRule: Rule {
  let name = "undeclared-item"
  let severity = Scenario.Severity.warning
  let summary = "with 'files' given: an item that no pattern names"
  let sources: [SystemProfile.Source] = [.appleGuidelines2011]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    for moment in history.moments {
      for file in moment.promisedFiles where file.dataClass == nil {
        guard let step = moment.ledger.origins[file.path], !findings.contains(self, file.path)
        else { continue }
        findings.add(
          self, at: step, on: file.path,
          "no pattern in 'files' says what '\(file.path)' is",
          advice: "add a pattern with its class: critical, support, offline, cached or temporary")
      }
    }
  }
}
