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
    /// Its index in the transcript.
    let entry: Int
    /// The index of the moment at which the system acts next.
    let moment: Int
  }

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    let attempts = history.transcript.entries.enumerated().compactMap { index, entry in
      if case .markOnMissing(let path) = entry.event {
        Attempt(
          path: path, step: entry.step, entry: index, moment: history.moment(after: index))
      } else {
        nil
      }
    }
    let holders = history.holders(of: Set(attempts.map(\.path)))
    let marks = Self.marks(in: history)
    for same in attempts.grouped(by: \.path) {
      for (index, attempt) in same.enumerated() {
        let next = index + 1 < same.count ? same[index + 1].moment : history.moments.count
        let marked = marks[attempt.path]?.first { $0.entry > attempt.entry }?.moment ?? next
        let moments = attempt.moment..<max(attempt.moment, min(next, marked))
        let held = (holders[attempt.path] ?? []).filter(moments.contains)
        report(attempt, during: moments, history.labels(of: held), &findings)
      }
    }
  }

  /// Where each item is marked in the end: the entries, with the index of the moment after each.
  private static func marks(
    in history: RunHistory
  ) -> [ContainerPath: [(entry: Int, moment: Int)]] {
    var marks: [ContainerPath: [(entry: Int, moment: Int)]] = [:]
    for (index, entry) in history.transcript.entries.enumerated() {
      guard case .changes(let changes) = entry.event else { continue }
      for case .marked(let path, _) in changes {
        marks[path, default: []].append((index, history.moment(after: index)))
      }
    }
    return marks
  }

  /// Reports a mark that was set too early, with the backups that hold the item until it is marked or
  /// that is tried again.
  private func report(
    _ attempt: Attempt, during moments: Range<Int>, _ holders: [String],
    _ findings: inout FindingList
  ) {
    let held = holders.isEmpty ? "" : "; in \(holders.asBackups)"
    findings.add(
      self, at: attempt.step, on: attempt.path,
      "the mark is set on '\(attempt.path)', but nothing is there: it fails and keeps nothing out"
        + held,
      advice: "create or save the item first, then set isExcludedFromBackup on it",
      accountsFor: [.backedUp(attempt.path, during: moments)])
  }
}
