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
  let basis = RuleBasis.classes
  let subjects: [SystemProfile.Subject] = [.marking, .place]
  let sources: [SystemProfile.Source] = [.appleResourceValue, .appleGuidelines2011, .eidinger]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    var former: Set<ContainerPath> = []
    for (index, moment) in history.indexedMoments {
      guard let backup = moment.backup else { continue }
      var decidingItems: Set<ContainerPath> = []
      for file in moment.promisedFiles where file.dataClass == .critical {
        guard let reason = backup.set.decision(on: file.path)?.reason, reason.losesData else {
          continue
        }
        let item = reason.isByMark ? reason.decidingItem ?? file.path : file.path
        // What keeps it out since the backup before, or keeps others out too, is said already.
        let isKnown =
          decidingItems.contains(item) || former.contains(item)
          || findings.accounts(exactlyFor: .leftOut(item, at: index))
        guard isKnown || report(file.path, reason, backup.label, at: moment, &findings) else {
          continue
        }
        decidingItems.insert(item)
        findings.account(for: .leftOut(file.path, at: index))
        // In a wrong place, it is not kept by an update either.
        guard !reason.isByMark else { continue }
        let stays = history.moments[index...].prefix { $0.tree.contains(file.path) }.count
        findings.account(for: .leftOut(file.path, during: index..<index + stays))
      }
      former = decidingItems
    }
  }

  /// Reports a critical item that a backup leaves out; false where no step is to blame.
  private func report(
    _ path: ContainerPath, _ reason: BackupSet.LeftOutReason, _ label: String,
    at moment: RunHistory.Moment, _ findings: inout FindingList
  ) -> Bool {
    guard let step = cause(of: reason, on: path, at: moment) else { return false }
    findings.add(
      self, at: step, on: path,
      "'\(path)' is the user's own, but the backup \"\(EscapedText.escape(label))\" leaves it out: "
        + reason.wordsOfAllSystems,
      advice: reason.isByMark
        ? "do not mark it, nor a directory above it; a marked item is lost on restore"
        : "\(DataClass.critical.placeAdvice(for: path, on: moment.profile)), under another name")
    return true
  }

  /// The step that is to blame: the one that marked, or the one that put the item there.
  private func cause(
    of reason: BackupSet.LeftOutReason, on path: ContainerPath, at moment: RunHistory.Moment
  ) -> Scenario.StepReference? {
    guard reason.isByMark else { return moment.ledger.origin(of: path) }
    guard let step = moment.ledger.duties[reason.decidingItem ?? path]?.markedBy else {
      return moment.ledger.origin(of: path)
    }
    return step.number == .found ? moment.ledger.finding : step
  }
}

extension BackupSet.LeftOutReason {
  /// The reason in words that hold under every system.
  fileprivate var wordsOfAllSystems: String {
    if case .ownMark = self { "own mark" } else { "\(self)" }
  }

  /// Whether the app loses an item left out for this reason; a database holds its siblings'
  /// contents, and what the user has switched off is not the app's doing.
  fileprivate var losesData: Bool {
    switch self {
    case .databaseSibling, .switchedOff: false
    default: true
    }
  }
}
