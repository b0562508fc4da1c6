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
  let subjects: [SystemProfile.Subject] = [.marking]
  let sources: [SystemProfile.Source] = [.eidinger, .appleQA1719]

  /// A mark that could not be set.
  private struct Attempt {
    /// Where it was to be set.
    let path: ContainerPath
    /// The step that tried.
    let step: Scenario.StepReference
    /// Its index in the transcript.
    let entry: Int
    /// The system.
    let profile: SystemProfile
  }

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    var attempts: [Attempt] = []
    var marks: [ContainerPath: [Int]] = [:]
    for (index, entry) in history.indexedEntries {
      switch entry.event {
      case .markOnMissing(let path):
        attempts.append(
          Attempt(path: path, step: entry.step, entry: index, profile: entry.profile))
      case .changes(let changes):
        for case .marked(let path, _) in changes { marks[path, default: []].append(index) }
      default: continue
      }
    }
    let holders = history.holders(of: Set(attempts.map(\.path)))
    for same in attempts.grouped(by: \.path) {
      let nextAttempts = same.dropFirst().map(\.entry) + [history.transcript.entries.count]
      for (attempt, next) in zip(same, nextAttempts) {
        let marks = marks[attempt.path] ?? []
        let later = marks[marks.partitioningIndex { $0 > attempt.entry }...].first
        let end = history.moment(after: min(next, later ?? next))
        let moments = history.moment(after: attempt.entry)..<end
        let trees = history.moments[moments].lazy.map(\.tree)
        let isCritical = history.promisedClass(of: attempt.path) == .critical
        guard
          isCritical
            || history.canBeHelpedByMark(
              attempt.path, in: trees.first { $0.contains(attempt.path) } ?? FileTree(),
              on: attempt.profile)
        else { continue }
        let held = (holders[attempt.path] ?? []).filter(moments.contains)
        report(
          attempt, isCritical: isCritical, during: moments, history.labels(of: held), &findings)
      }
    }
  }

  /// Reports a mark that was set too early, with the backups that hold the item until it is marked
  /// or that is tried again.
  private func report(
    _ attempt: Attempt, isCritical: Bool, during moments: Range<Int>, _ holders: [String],
    _ findings: inout FindingList
  ) {
    let held = holders.isEmpty ? "" : "; in \(holders.asBackups)"
    findings.add(
      self, at: attempt.step, on: attempt.path,
      "the mark is set on '\(attempt.path)', but nothing is there: it fails and keeps nothing out"
        + held,
      advice: isCritical
        ? "do not mark it: what the user made belongs into backups" : Self.advice(on: attempt),
      missingMark: isCritical ? [] : attempt.profile.markToSet,
      accountsFor: [.backedUp(attempt.path, during: moments)])
  }

  /// What to do about a mark that was set too early, or on what was meant as a pattern.
  private static func advice(on attempt: Attempt) -> String {
    let order =
      "create or save the item first, then set \(attempt.profile.markToSet.wayToSet) on it"
    return "\(attempt.path)".contains("*")
      ? "name one item: a mark is set on a path, no pattern, and '*' is part of a name here; \(order)"
      : order
  }
}
