import BackupDevice
import BackupFileTree
import BackupScenarios

/// Something that can be made again, in a backup, that no more exact rule explains.
struct RecreatableDataBackedUpRule: Rule {
  let name = "recreatable-data-backed-up"
  let severity = Scenario.Severity.error
  let summary = "a support, offline, cached or temporary item in a backup"
  let sources: [SystemProfile.Source] = [.appReview223, .appleGuidelines2011, .appleOptimizing]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    for moment in history.moments {
      guard let backup = moment.backup else { continue }
      for file in history.promisedFiles(at: moment) {
        check(file, history, moment, backup, &findings)
      }
    }
  }

  /// Reports an item in a backup, if it can be made again.
  private func check(
    _ file: RunHistory.PromisedFile, _ history: RunHistory, _ moment: RunHistory.Moment,
    _ backup: Transcript.Event.Backup, _ findings: inout FindingList
  ) {
    let path = file.path
    guard let dataClass = file.dataClass, dataClass != .critical,
      !findings.explains(path, .backedUp), !findings.contains(self, path),
      isAgainstTheApp(path, moment, backup), let step = moment.ledger.origins[path]
    else { return }
    let holders = history.backups(holding: path)
    findings.add(
      self, at: step, path,
      "'\(path)' is \(dataClass.rawValue) data, which can be made again, but "
        + "\(holders.asBackups) \(holders.count > 1 ? "hold" : "holds") it",
      advice: Self.advice(dataClass))
  }

  /// Whether a backup holds an item, and not just because the system ignores marks.
  private func isAgainstTheApp(
    _ path: ContainerPath, _ moment: RunHistory.Moment, _ backup: Transcript.Event.Backup
  ) -> Bool {
    guard let decision = backup.set.decision(on: path), decision.isIncluded else { return false }
    guard moment.profile.guidance == .ignored else { return true }
    return !(path.ancestors + [path]).contains {
      backup.tree[$0]?.marks.isDisjoint(with: moment.profile.honouredMarks.value) == false
    }
  }

  /// What to do.
  private static func advice(_ dataClass: DataClass) -> String {
    switch dataClass {
    case .cached: "keep it in Library/Caches"
    case .temporary: "keep it in tmp, and delete it when done"
    case .critical, .support, .offline:
      "set isExcludedFromBackup on it after each save, or keep it in a marked directory"
    }
  }
}
