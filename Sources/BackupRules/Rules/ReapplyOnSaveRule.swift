import BackupDevice
import BackupFileTree
import BackupScenarios

/// An item that was marked, saved again, and not marked again.
///
/// An error where the mark is gone when the system next acts, a warning where it survived by luck.
/// What is critical must have no mark, so it owes none.
struct ReapplyOnSaveRule: Rule {
  let name = "reapply-on-save"
  let severity = Scenario.Severity.error
  let summary = "an item that was marked, saved or created again, and not marked again"
  let sources: [SystemProfile.Source] = [.appleOptimizing, .eidinger, .swiftFoundation]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    for (number, moment) in history.moments.enumerated() {
      let duties = moment.ledger.duties.sorted { $0.key < $1.key }
      for (path, duty) in duties where isOwed(path, duty, moment) {
        guard history.dataClass(of: path) != .critical else { continue }
        check(path, duty, history, number, &findings)
      }
    }
  }

  /// Whether an item's mark matters at a moment: it is there, and nothing else keeps it out.
  private func isOwed(
    _ path: ContainerPath, _ duty: ItemLedger.MarkDuty, _ moment: RunHistory.Moment
  ) -> Bool {
    guard duty.lostBy != nil || duty.luckySave != nil, moment.tree.contains(path),
      path.location?.isPurgeable != true,
      duty.mark.isDisjoint(with: moment.profile.deprecatedMarks.value)
        || duty.mark.contains(.resourceValue)
    else { return false }
    return !path.ancestors.contains { moment.tree[$0]?.marks.isEmpty == false }
  }

  /// Reports an item that was not marked again.
  private func check(
    _ path: ContainerPath, _ duty: ItemLedger.MarkDuty, _ history: RunHistory, _ number: Int,
    _ findings: inout FindingList
  ) {
    let hasMark = history.moments[number].tree[path]?.marks.isEmpty == false
    if let lost = duty.lostBy, !hasMark {
      guard !findings.contains(self, path, at: lost) else { return }
      if findings.explains(path, .backedUp),
        path.ancestors.contains(where: {
          findings.contains(self, $0)
        })
      {
        return
      }
      findings.add(
        self, at: lost, path, lossMessage(path, duty, history, number),
        advice: advice,
        explains: [Explanation(effect: .backedUp, path: path)])
    } else if let save = duty.luckySave {
      findings.add(
        self, severity: .warning, at: save, path,
        "'\(path)' was marked at \(duty.markedBy), saved again and not marked again; the mark is "
          + "still there, because this save was in place, which nobody promises",
        advice: advice)
    }
  }

  /// What became of an item whose mark is gone.
  private func lossMessage(
    _ path: ContainerPath, _ duty: ItemLedger.MarkDuty, _ history: RunHistory, _ number: Int
  ) -> String {
    let what =
      switch duty.loss {
      case .createdAgain: "created again without its mark"
      case .savedUnmarked: "saved again and not marked again"
      case .replaced, nil: "replaced by a new item, which has no mark, and not marked again"
      }
    let holders = history.backups(holding: path, from: number)
    let held = holders.isEmpty ? "" : "; in \(holders.asBackups)"
    return "'\(path)' was marked at \(duty.markedBy), then \(what)\(held)"
  }

  /// What to do.
  private var advice: String {
    "set isExcludedFromBackup after every save, not only the first; or keep the files in one "
      + "marked directory"
  }
}
