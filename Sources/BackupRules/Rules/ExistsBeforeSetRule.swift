import BackupDevice
import BackupScenarios

/// A mark set on a path where nothing is.
///
/// The mark is an attribute of the item, so it cannot be set in advance. Apps do so with `try?`
/// before their first save, and never learn that their data is in every backup.
struct ExistsBeforeSetRule: Rule {
  let name = "exists-before-set"
  let severity = Scenario.Severity.error
  let summary = "a mark set on a path where nothing is"
  let sources: [SystemProfile.Source] = [.eidinger, .appleQA1719]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    for entry in history.transcript.entries {
      guard case .markOnMissing(let path) = entry.event else { continue }
      findings.add(
        self, at: entry.step, on: path,
        "the mark is set on '\(path)', but nothing is there: it fails and keeps nothing out",
        advice: "create or save the item first, then set isExcludedFromBackup on it",
        accountsFor: [.backedUp(path)])
    }
  }
}
