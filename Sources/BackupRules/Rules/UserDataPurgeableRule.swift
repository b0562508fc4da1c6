import BackupDevice
import BackupFileTree
import BackupScenarios

/// Data that has to last, in a place that the system may empty.
///
/// Library/Caches and tmp stay out of backups, so apps use them for what is large. But the system
/// empties them when space is short, and a user without a network is without the downloads.
struct UserDataPurgeableRule: Rule {
  let name = "user-data-purgeable"
  let severity = Scenario.Severity.error
  let summary = "a critical, support or offline item in a place that the system purges"
  let sources: [SystemProfile.Source] = [.appleOptimizing, .appleGuidelines2011]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    for moment in history.moments {
      let purged = Self.purge(moment)
      for file in history.promisedFiles(at: moment) where !purged.contains(file.path) {
        check(file, at: moment, &findings)
      }
    }
  }

  /// Reports a file that the worst purge takes, if it is one that has to last.
  private func check(
    _ file: RunHistory.PromisedFile, at moment: RunHistory.Moment, _ findings: inout FindingList
  ) {
    guard let dataClass = file.dataClass, lasts(dataClass, on: moment.profile),
      !findings.contains(self, file.path), let step = moment.ledger.origins[file.path]
    else { return }
    findings.add(
      self, at: step, on: file.path,
      "'\(file.path)' is \(dataClass.rawValue) data, but the system may delete it where it is",
      advice: Self.advice(dataClass),
      accountsFor: [.leftOut(file.path)])
  }

  /// Whether data of a class must outlive a purge; 5.0 has no other place for what is fetched.
  private func lasts(_ dataClass: DataClass, on profile: SystemProfile) -> Bool {
    switch dataClass {
    case .critical: true
    case .support, .offline: !profile.honouredMarks.value.isEmpty
    case .cached, .temporary: false
    }
  }

  /// The container after the worst purge.
  private static func purge(_ moment: RunHistory.Moment) -> FileTree {
    PurgeSimulator(profile: moment.profile).purge(moment.tree, .criticalStorage).tree
  }

  /// What to do with data of a class that must not be where it is.
  private static func advice(_ dataClass: DataClass) -> String {
    dataClass == .critical
      ? "keep it in Documents or Library/Application Support"
      : "keep it in Library/Application Support, and mark it with isExcludedFromBackup"
  }
}
