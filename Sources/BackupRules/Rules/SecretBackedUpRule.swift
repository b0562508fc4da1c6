import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// A secret in a backup, or one that nothing but a mark keeps out of it.
///
/// A backup leaves the device, and a token in it opens the account to whoever reads it. A mark is
/// guidance: a system that does not follow it backs the secret up, and the app never learns of it.
/// So the rules on marks say nothing of a secret that this one has found: none of their cures helps.
struct SecretBackedUpRule: Rule {
  let name = "secret-backed-up"
  let severity = Scenario.Severity.error
  let summary = "a secret in a backup, or kept out of one by a mark only"
  let basis = RuleBasis.classes
  let subjects: [SystemProfile.Subject] = [.secrecy, .mark]
  let sources: [SystemProfile.Source] = [.eidinger, .appleOptimizing, .appleKeychain]

  /// A secret where a backup looks.
  private struct Exposure {
    /// The file.
    let path: ContainerPath
    /// The step that put it there.
    let step: Scenario.StepReference
    /// The index of the moment at which the backup was taken.
    let moment: Int
    /// Whether the backup holds it; if not, a mark keeps it out.
    let isHeld: Bool
    /// Whether a mark on it or above it should have kept it out, or does.
    let isMarked: Bool
  }

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    let exposures = history.moments.indices.flatMap { Self.exposures(at: $0, of: history) }
    for same in exposures.grouped(by: \.path) {
      let held = same.filter(\.isHeld)
      guard let first = held.first ?? same.first else { continue }
      report(
        first, isMarked: held.allSatisfy(\.isMarked),
        in: history.labels(of: (held.isEmpty ? same : held).map(\.moment)), &findings)
      for exposure in held { findings.account(for: .backedUp(exposure.path, at: exposure.moment)) }
    }
  }

  /// The secrets that the backup of a moment holds, or that a mark keeps out of it; what it never
  /// looks at is none.
  private static func exposures(at index: Int, of history: RunHistory) -> [Exposure] {
    let moment = history.moments[index]
    guard let backup = moment.backup else { return [] }
    return moment.promisedFiles.filter { $0.dataClass == .secret }.compactMap { file in
      // Of a link a backup holds no more than where it leads to.
      guard moment.tree[file.path]?.size != nil,
        let verdict = backup.set.decision(on: file.path)?.verdict
      else { return nil }
      let step = moment.ledger.origin(of: file.path) ?? moment.step
      switch verdict {
      case .included:
        return Exposure(
          path: file.path, step: step, moment: index, isHeld: true,
          isMarked: moment.ignoresMark(of: file.path))
      case .leftOut(.databaseSibling(of: let database)):
        // What is beside a database is stored with it.
        guard backup.set.contains(database) else { return nil }
        return Exposure(path: file.path, step: step, moment: index, isHeld: true, isMarked: false)
      case .leftOut(let reason) where reason.isByMark:
        return Exposure(path: file.path, step: step, moment: index, isHeld: false, isMarked: true)
      case .leftOut:
        return nil
      }
    }
  }

  /// Reports a secret, with the backups that hold it, marked in each of them or not, or that a mark
  /// keeps it out of.
  private func report(
    _ secret: Exposure, isMarked: Bool, in labels: [String], _ findings: inout FindingList
  ) {
    let ignored = isMarked ? ", since this run's system does not follow its mark" : ""
    let message =
      secret.isHeld
      ? "\(labels.asBackups) \(labels.count.form("holds", plural: "hold")) it\(ignored)"
      : "only a mark keeps it out of \(labels.asBackups)"
    findings.add(
      self, severity: secret.isHeld ? severity : .warning, at: secret.step, on: secret.path,
      "'\(secret.path)' is a secret, but \(message)",
      advice: Inbox.holds(secret.path) ? Inbox.advice : DataClass.keychainAdvice)
  }
}
