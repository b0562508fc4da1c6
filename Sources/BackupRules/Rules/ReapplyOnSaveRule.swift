import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// An item that was marked, saved again, and not marked again.
///
/// The commonest mistake with backups: an atomic save puts a new file in the old one's place, the
/// mark is gone, and gigabytes are in every backup from then on, though the code sets a mark.
///
/// An error where the mark is gone when the system next acts, a warning where it survived by luck.
/// What a mark does not help, or has a mark of its own in a directory without one, owes none.
struct ReapplyOnSaveRule: Rule {
  let name = "reapply-on-save"
  let severity = Scenario.Severity.error
  let summary = "an item that was marked, saved or created again, and not marked again"
  let subjects: [SystemProfile.Subject] = [.marking, .markLoss]
  let sources: [SystemProfile.Source] = [.appleOptimizing, .eidinger, .swiftFoundation]

  /// A mark that an item may lack when the system acts.
  private struct Debt {
    /// The item that the app marked.
    let path: ContainerPath
    /// What the app owes it.
    let duty: ItemLedger.MarkDuty
    /// When the system acts.
    let moment: RunHistory.Moment
    /// The moment's index in the run.
    let momentIndex: Int

    /// Whether the mark matters: the item is there, and nothing else keeps it out.
    var matters: Bool {
      guard moment.tree.contains(path),
        path.location?.isPurgeable != true,
        duty.mark.isDisjoint(with: moment.profile.deprecatedMarks.value)
          || duty.mark.contains(.resourceValue)
      else { return false }
      return !path.ancestors.contains { moment.tree[$0]?.marks.isEmpty == false }
    }
  }

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    let debts = history.indexedMoments.filter(\.1.hasAppRun).flatMap { index, moment in
      moment.ledger.openDuties.elements.map { path, duty in
        Debt(path: path, duty: duty, moment: moment, momentIndex: index)
      }
    }.filter { debt in
      debt.matters
        && history.canBeHelpedByMark(debt.path, in: debt.moment.tree, on: debt.moment.profile)
    }
    let holders = history.holders(of: Set(debts.map(\.path)))
    for debt in debts {
      check(debt, heldAt: holders[debt.path] ?? [], of: history, &findings)
    }
  }

  /// Reports an item that was not marked again, which the backups of some moments hold.
  private func check(
    _ debt: Debt, heldAt moments: [Int], of history: RunHistory, _ findings: inout FindingList
  ) {
    let (path, duty) = (debt.path, debt.duty)
    let hasMark = debt.moment.tree[path]?.marks.isEmpty == false
    if let lost = duty.lostBy, !hasMark {
      guard !isBelowLostDirectory(debt, findings) else { return }
      findings.account(for: .backedUp(path, at: debt.momentIndex))
      guard !findings.contains(self, path, at: lost) else { return }
      findings.add(
        self, at: lost, on: path,
        lossMessage(
          debt,
          history.labels(
            of: moments.filter { history.moments[$0].ledger.duties[path]?.lostBy == lost })),
        advice: advice(on: debt), missingMark: debt.moment.profile.markToSet)
    } else if let save = duty.luckySave {
      findings.add(
        self, severity: .warning, at: save, on: path,
        "'\(path)' \(duty.marking), saved again and not marked again; the mark is "
          + "still there, because this save was in place, which nobody promises",
        advice: advice(on: debt), missingMark: debt.moment.profile.markToSet)
    }
  }

  /// Whether this rule found a directory above the item, which accounts for what is in it.
  private func isBelowLostDirectory(_ debt: Debt, _ findings: FindingList) -> Bool {
    findings.accounts(for: .backedUp(debt.path, at: debt.momentIndex))
      && debt.path.ancestors.contains { findings.contains(self, $0) }
  }

  /// What became of an item whose mark is gone, and which backups hold it.
  private func lossMessage(_ debt: Debt, _ holders: [String]) -> String {
    let what =
      switch debt.duty.loss {
      case .createdAgain: "created again without its mark"
      case .savedUnmarked: "saved again and not marked again"
      case .replaced, nil: "replaced by a new item, which has no mark, and not marked again"
      }
    let held = holders.isEmpty ? "" : "; in \(holders.asBackups)"
    return "'\(debt.path)' \(debt.duty.marking), then \(what)\(held)"
  }

  /// How an app keeps marks through saves.
  private func advice(on debt: Debt) -> String {
    let mark = debt.moment.profile.markToSet.wayToSet
    return debt.moment.tree[debt.path]?.isDirectory == true
      ? "mark the directory again with \(mark) each time it is made"
      : "set \(mark) after every save, not only the first; or keep the files in one marked "
        + "directory"
  }
}
