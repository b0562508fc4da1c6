import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// A critical item that a backup leaves out, by mark or by place; of those that one marked
/// directory keeps out, the first.
///
/// It is the loss that cannot be mended: what the user made is gone with the device, and nobody
/// notices before the restore.
struct UserDataExcludedRule: Rule {
  let name = "user-data-excluded"
  let severity = Scenario.Severity.error
  let summary = "a critical item that a backup leaves out, by mark or by place"
  let sources: [SystemProfile.Source] = [.appleResourceValue, .appleGuidelines2011, .eidinger]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    for (index, moment) in history.moments.enumerated() {
      guard let backup = moment.backup else { continue }
      for file in moment.promisedFiles where file.dataClass == .critical {
        check(file.path, in: backup, at: index, of: history, &findings)
      }
    }
  }

  /// Reports a critical item that a backup leaves out.
  private func check(
    _ path: ContainerPath, in backup: Transcript.Event.Backup, at moment: Int,
    of history: RunHistory, _ findings: inout FindingList
  ) {
    guard let reason = backup.set.decision(on: path)?.reason, reason.losesData else { return }
    let decidingItem = reason.isByMark ? reason.decidingItem ?? path : path
    guard !findings.accounts(exactlyFor: .leftOut(decidingItem, at: moment)),
      !findings.contains(self, path),
      let step = cause(of: reason, on: path, at: history.moments[moment])
    else { return }
    findings.add(
      self, at: step, on: path,
      "'\(path)' is the user's own, but the backup \"\(EscapedText.escape(backup.label))\" "
        + "leaves it out: \(reason)",
      advice: reason.isByMark
        ? "do not mark it, nor a directory above it; a marked item is lost on restore"
        : "keep it in Documents or Library/Application Support, under another name",
      accountsFor: reason.isByMark ? [.leftOut(decidingItem, at: moment)] : [])
  }

  /// The step that is to blame: the one that marked, or the one that put the item there.
  private func cause(
    of reason: BackupSet.LeftOutReason, on path: ContainerPath, at moment: RunHistory.Moment
  ) -> Scenario.StepReference? {
    guard reason.isByMark else { return moment.ledger.origins[path] }
    return moment.ledger.duties[reason.decidingItem ?? path]?.markedBy
      ?? moment.ledger.origins[path]
  }
}

extension BackupSet.LeftOutReason {
  /// Whether the app loses an item left out for this reason; a database holds its siblings'
  /// contents, and what the user has switched off is not the app's doing.
  fileprivate var losesData: Bool {
    switch self {
    case .databaseSibling, .switchedOff: false
    default: true
    }
  }
}
