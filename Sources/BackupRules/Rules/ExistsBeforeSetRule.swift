import BackupCollections
import BackupDevice
import BackupFileTree
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

  /// A mark that could not be set.
  private struct Attempt {
    /// Where it was to be set.
    let path: ContainerPath
    /// The step that tried.
    let step: Scenario.StepReference
    /// The index of the moment at which the system acts next.
    let moment: Int
  }

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    let attempts = history.transcript.entries.enumerated().compactMap { index, entry in
      if case .markOnMissing(let path) = entry.event {
        Attempt(path: path, step: entry.step, moment: history.moment(after: index))
      } else {
        nil
      }
    }
    let holders = history.holders(of: Set(attempts.map(\.path)))
    for same in attempts.grouped(by: \.path) {
      let path = same[0].path
      let unmarked = (holders[path] ?? []).filter { history.moments[$0].ledger.duties[path] == nil }
      for (index, attempt) in same.enumerated() {
        let next = index + 1 < same.count ? same[index + 1].moment : history.moments.count
        let since = unmarked.partitioningIndex { $0 >= attempt.moment }
        let end = unmarked.partitioningIndex { $0 >= next }
        report(attempt, history.labels(of: unmarked[since..<max(since, end)]), &findings)
      }
    }
  }

  /// Reports a mark that was set too early, with the backups that hold the item since, as it
  /// was never marked, up to the next attempt.
  private func report(_ attempt: Attempt, _ holders: [String], _ findings: inout FindingList) {
    let held = holders.isEmpty ? "" : "; in \(holders.asBackups)"
    findings.add(
      self, at: attempt.step, on: attempt.path,
      "the mark is set on '\(attempt.path)', but nothing is there: it fails and keeps nothing out"
        + held,
      advice: "create or save the item first, then set isExcludedFromBackup on it",
      accountsFor: [.backedUp(attempt.path, at: attempt.moment)])
  }
}
