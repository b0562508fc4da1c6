import BackupDevice
import BackupFileTree
import BackupScenarios

/// A secret in a backup, or a secret that only a mark keeps out of it.
///
/// A backup leaves the device, and a token in it opens the account to whoever reads it. A mark is
/// guidance: a system may back up the secret in spite of the mark, and the app does not notice. The rules
/// on marks do not report such a secret, because their advice would not help.
struct SecretBackedUpRule: Rule {
  let name = "secret-backed-up"
  let basis = RuleBasis.classes
  let sources: [SystemProfile.Source] = [.eidinger, .appleOptimizing, .appleKeychain]
  var requirements: BrokenRequirements { .named(["class.secret"]) }

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    guard let checkpoint = event.checkpoint, let label = checkpoint.label else { return }
    for file in checkpoint.files where file.dataClass == .secret {
      // A backup contains only the target path of a link.
      guard checkpoint.tree[file.path]?.size != nil,
        let exposure = checkpoint.now.exposure(of: file.path),
        checkpoint.isFault({ $0.exposure(of: file.path)?.isHeld == exposure.isHeld })
      else { continue }
      if exposure.isHeld { report.explain(.backedUp, file.path) }
      report.add(
        self, severity: exposure.isHeld ? severity : .warning,
        at: event.facts.ledger.origin(of: file.path) ?? event.step, on: file.path, identity: .item,
        "'\(file.path)' is a secret, but "
          + (exposure.isHeld ? "" : "only a mark keeps it out of "),
        exposure.isHeld
          ? .held(exposure.isMarked ? ", since this run's system does not follow its mark" : "")
          : .backups,
        in: label,
        advice: .text(file.path.isInInbox ? DataClass.inboxAdvice : DataClass.keychainAdvice))
    }
  }
}

extension Checkpoint.View {
  /// Returns whether the backup contains a secret, and whether the secret is marked; nil if it is in no danger.
  fileprivate func exposure(of path: ContainerPath) -> (isHeld: Bool, isMarked: Bool)? {
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
