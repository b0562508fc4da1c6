import BackupCollections
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
  let sources: [SystemProfile.Source] = [
    .appReview223, .appleGuidelines2011, .appleOptimizing, .appleFSPG,
  ]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    var found: [Misplaced] = []
    var paths: Set<ContainerPath> = []
    for (index, moment) in history.moments.enumerated() {
      for file in moment.promisedFiles where !paths.contains(file.path) {
        guard let misplaced = misplaced(file, at: index, of: history, findings) else { continue }
        found.append(misplaced)
        paths.insert(file.path)
      }
    }
    let holders = history.holders(of: paths)
    for misplaced in found {
      let unexplained = (holders[misplaced.path] ?? []).filter {
        !findings.accounts(for: .backedUp(misplaced.path, at: $0))
      }
      report(misplaced, in: history.labels(of: unexplained), &findings)
    }
  }

  /// An item in a backup that it does not belong into.
  private struct Misplaced {
    /// The item.
    let path: ContainerPath
    /// What the app promised of it.
    let dataClass: DataClass
    /// The step that put it there.
    let step: Scenario.StepReference
  }

  /// The item, if the backup of the moment holds it though it can be made again; nil where a
  /// finding accounts for that.
  private func misplaced(
    _ file: PromisedFile, at index: Int, of history: RunHistory, _ findings: FindingList
  ) -> Misplaced? {
    let moment = history.moments[index]
    guard let backup = moment.backup, let dataClass = file.dataClass, dataClass.canBeMadeAgain,
      !findings.accounts(for: .backedUp(file.path, at: index)),
      isAgainstTheApp(file.path, in: backup, at: moment),
      let step = moment.ledger.origins[file.path]
    else { return nil }
    return Misplaced(path: file.path, dataClass: dataClass, step: step)
  }

  /// Reports an item in some backups.
  private func report(
    _ item: Misplaced, in holders: [String], _ findings: inout FindingList
  ) {
    findings.add(
      self, at: item.step, on: item.path,
      "'\(item.path)' is \(item.dataClass.rawValue) data, which can be made again, but "
        + "\(holders.asBackups) \(holders.count.form("holds", plural: "hold")) it",
      advice: Inbox.holds(item.path) ? Inbox.advice : Self.advice(item.dataClass))
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
    case .critical, .secret, .support, .offline:
      "set isExcludedFromBackup on it after each save, or keep it in a marked directory"
    }
  }
}

extension DataClass {
  /// Whether data of the class belongs into no backup because it can be had again.
  fileprivate var canBeMadeAgain: Bool {
    switch self {
    case .support, .offline, .cached, .temporary: true
    case .critical, .secret: false
    }
  }
}
