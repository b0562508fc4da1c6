import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// A backup that holds more than the scenario's budget allows.
///
/// What an app puts into iCloud the user pays for. A budget fails the release that by mistake backs
/// up megabytes more than the one before, even where each file is of a class that belongs there. How
/// long a backup takes is not simulated: size and number of its files stand for it.
///
/// Where the backup would be within the budget without the files that earlier findings account for,
/// these say it all.
struct BackupBudgetRule: Rule {
  let name = "backup-budget"
  let severity = Scenario.Severity.error
  let summary = "a backup that holds more than 'budget' allows"
  let basis = RuleBasis.budget
  let subjects: [SystemProfile.Subject] = [.size]
  let sources: [SystemProfile.Source] = [.appleOptimizing, .appleGuidelines2011, .eidinger]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    guard let budget = history.scenario.budget else { return }
    for (index, moment) in history.indexedMoments {
      guard let backup = moment.backup else { continue }
      var tally = BudgetTally(budget)
      backup.set.forEachFile { tally.count($0, $1) }
      guard !tally.exceededIndices.isEmpty else { continue }
      let exceeded = Self.unexplained(backup.set, at: index, tally, findings)
      guard !exceeded.isEmpty else { continue }
      let sizes = BackupSizes(of: backup.set, history.scenario.files)
      for excess in tally.excesses(at: exceeded, naming: 1, backup.set.forEachFile) {
        findings.add(
          self, at: moment.step, on: excess.path, by: excess.index,
          "\(excess.scope)the backup \"\(EscapedText.escape(backup.label))\" has \(excess.held), "
            + "more than the \(excess.allowed) of 'budget'\(excess.largest)",
          advice: "mark what can be made again, or raise 'budget'",
          note: sizes.spread.joined(separator: "; "))
      }
    }
  }

  /// The limits that a backup would exceed without the files that earlier findings account for.
  private static func unexplained(
    _ set: BackupSet, at moment: Int, _ whole: BudgetTally, _ findings: FindingList
  ) -> [Int] {
    var tally = whole
    set.forEachFile { file, size in
      if findings.accounts(for: .backedUp(file, at: moment)) {
        tally.count(file, size, isThere: false)
      }
    }
    return tally.exceededIndices
  }
}

extension BackupSet {
  /// Calls `visit` with each file in the backup and its size in bytes.
  fileprivate func forEachFile(_ visit: (ContainerPath, Int64) -> Void) {
    for decision in decisions where decision.isIncluded {
      if let size = decision.size { visit(decision.path, size) }
    }
  }
}
