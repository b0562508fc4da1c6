import BackupDevice
import BackupFileTree
import BackupScenarios

/// Reports a secret that is in a backup, or that only a mark keeps out of a backup.
///
/// A backup leaves the device, so anyone who reads it can use a token in it. A mark is only
/// guidance: the system may back up a marked secret, and the app does not notice. The rules on
/// marks skip secrets, because their advice would not help.
struct SecretBackedUpRule: Rule {
  let name = "secret-backed-up"
  let basis = RuleBasis.classes
  let sources: [SystemProfile.Source] = [.eidinger, .appleOptimizing, .appleKeychain]
  var requirements: BrokenRequirements { .named(["class.secret"]) }

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    guard let checkpoint = event.checkpoint, let label = checkpoint.backupLabel else { return }
    for file in checkpoint.filesToJudge where file.dataClass == .secret {
      // Skips a link, because a backup contains only the link's target path.
      guard checkpoint.tree[file.path]?.size != nil,
        let exposure = checkpoint.currentView.exposure(of: file.path),
        checkpoint.isFaultOfApp({ $0.exposure(of: file.path)?.isInBackup == exposure.isInBackup })
      else { continue }
      if exposure.isInBackup { report.explain(.backedUp, file.path) }
      report.add(
        self, severity: exposure.isInBackup ? severity : .warning,
        at: event.facts.ledger.origin(of: file.path) ?? event.step, on: file.path, groupedBy: .item,
        "'\(file.path)' is a secret, but "
          + (exposure.isInBackup ? "" : "only a mark keeps it out of "),
        exposure.isInBackup
          ? .clause(
            exposure.isMarked ? ", since this run's system does not follow its mark" : "")
          : .names,
        in: label,
        advice: .text(file.path.isInInbox ? DataClass.inboxAdvice : DataClass.keychainAdvice))
    }
  }
}

extension Checkpoint.View {
  /// Returns whether the backup contains a secret, and whether the secret is marked. Returns nil if
  /// the backup excludes the secret even without a mark.
  fileprivate func exposure(of path: ContainerPath) -> (isInBackup: Bool, isMarked: Bool)? {
    guard let backup, let verdict = backup.decision(on: path)?.verdict else { return nil }
    switch verdict {
    case .included: return (true, ignoresMark(of: path))
    case .leftOut(.databaseSibling(of: let database)):
      // A backup stores a file beside a database as a part of the database.
      return backup.contains(database) ? (true, false) : nil
    case .leftOut(let reason): return reason.isByMark ? (false, true) : nil
    }
  }
}
