import BackupDevice
import BackupScenarios

/// A mark set on a path where nothing is.
struct ExistsBeforeSetRule: Rule {
  let name = "exists-before-set"
  let severity = Scenario.Severity.error
  let summary = "a mark set on a path where nothing is"
  let sources: [SystemProfile.Source] = [.eidinger, .appleQA1719]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    for record in history.transcript.entries {
      guard case .markOnMissing(let path) = record.event else { continue }
      findings.add(
        self, at: record.step, path,
        "the mark is set on '\(path)', but nothing is there: it fails and keeps nothing out",
        advice: "create or save the item first, then set isExcludedFromBackup on it",
        explains: [Explanation(effect: .backedUp, path: path)])
    }
  }
}
