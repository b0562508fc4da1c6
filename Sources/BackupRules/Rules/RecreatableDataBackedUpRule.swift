import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// Something that can be made again, in a backup, that no more exact rule accounts for.
///
/// Backups are for what the user cannot get back. What can be fetched again fills the storage that
/// the user pays for, and App Review had a guideline against it.
struct RecreatableDataBackedUpRule: Rule {
  let name = "recreatable-data-backed-up"
  let severity = Scenario.Severity.error
  let summary = "a support, offline, cached or temporary item in a backup"
  let sources: [SystemProfile.Source] = [.appReview223, .appleGuidelines2011, .appleOptimizing]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    for moment in history.moments {
      guard let backup = moment.backup else { continue }
      for file in history.promisedFiles(at: moment) {
        check(file, in: backup, at: moment, of: history, &findings)
      }
    }
  }

  /// Reports an item in a backup, if it can be made again.
  private func check(
    _ file: RunHistory.PromisedFile, in backup: Transcript.Event.Backup,
    at moment: RunHistory.Moment, of history: RunHistory, _ findings: inout FindingList
  ) {
    let path = file.path
    guard let dataClass = file.dataClass, dataClass != .critical,
      !findings.accounts(for: .backedUp(path)), !findings.contains(self, path),
      isAgainstTheApp(path, in: backup, at: moment), let step = moment.ledger.origins[path]
    else { return }
    let holders = history.backups(holding: path)
    findings.add(
      self, at: step, on: path,
      "'\(path)' is \(dataClass.rawValue) data, which can be made again, but "
        + "\(holders.asBackups) \(holders.count.form("holds", plural: "hold")) it",
      advice: Self.advice(dataClass))
  }

  /// Whether a backup holds an item, and not just because the system ignores marks.
  private func isAgainstTheApp(
    _ path: ContainerPath, in backup: Transcript.Event.Backup, at moment: RunHistory.Moment
  ) -> Bool {
    guard let decision = backup.set.decision(on: path), decision.isIncluded else { return false }
    guard moment.profile.guidance == .ignored else { return true }
    return !(path.ancestors + [path]).contains {
      backup.tree[$0]?.marks.isDisjoint(with: moment.profile.honouredMarks.value) == false
    }
  }

  /// What to do with data of a class that belongs into no backup.
  private static func advice(_ dataClass: DataClass) -> String {
    switch dataClass {
    case .cached: "keep it in Library/Caches"
    case .temporary: "keep it in tmp, and delete it when done"
    case .critical, .support, .offline:
      "set isExcludedFromBackup on it after each save, or keep it in a marked directory"
    }
  }
}
