import BackupDevice
import BackupDiagnostics
import BackupScenarios

/// A backup larger than the scenario's budget.
///
/// What an app puts into iCloud the user pays for. A budget fails the release that by mistake backs
/// up megabytes more than the one before, even where each file is of a class that belongs there.
struct BackupBudgetRule: Rule {
  let name = "backup-budget"
  let severity = Scenario.Severity.error
  let summary = "a backup larger than 'budget'"
  let sources: [SystemProfile.Source] = [.appleOptimizing, .appReview223]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    guard let budget = history.scenario.budget else { return }
    for moment in history.moments {
      guard let backup = moment.backup, backup.set.bytes > budget else { continue }
      let files = backup.set.included.filter { $0.size != nil }
      let largest = files.max { ($0.size ?? 0) < ($1.size ?? 0) }
      let most = largest.map {
        "; the largest file is '\($0.path)' with \(Int($0.size ?? 0).counted("byte"))"
      }
      findings.add(
        self, at: moment.step, on: nil,
        "the backup \"\(EscapedText.escape(backup.label))\" has \(Int(backup.set.bytes).counted("byte")), more "
          + "than the budget of \(budget)\(most ?? "")",
        advice: "mark what can be made again, or raise 'budget'")
    }
  }
}
