import BackupDevice
import BackupDiagnostics
import BackupScenarios

/// A backup that holds more than the scenario's budget allows.
///
/// What an app puts into iCloud the user pays for. A budget fails the release that by mistake backs
/// up megabytes more than the one before, even where each file is of a class that belongs there. How
/// long a backup takes is not simulated: size and number of its files stand for it.
struct BackupBudgetRule: Rule {
  let name = "backup-budget"
  let severity = Scenario.Severity.error
  let summary = "a backup that holds more than 'budget' allows"
  let sources: [SystemProfile.Source] = [.appleOptimizing, .appleGuidelines2011, .eidinger]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    guard let budget = history.scenario.budget else { return }
    for moment in history.moments {
      guard let backup = moment.backup else { continue }
      var tally = BudgetTally(budget)
      for decision in backup.set.decisions {
        guard decision.isIncluded, let size = decision.size else { continue }
        tally.count(decision.path, size)
      }
      let exceeded = tally.exceeded
      guard !exceeded.isEmpty else { continue }
      let sizes = BackupSizes(of: backup.set, history.scenario.files)
      for excess in exceeded {
        findings.add(
          self, at: moment.step, on: excess.path, by: excess.pattern,
          "\(excess.scope)the backup \"\(EscapedText.escape(backup.label))\" has \(excess.words)"
            + largest(of: backup, excess.index, budget).words,
          advice: "mark what can be made again, or raise 'budget'",
          note: sizes.spread.joined(separator: "; "))
      }
    }
  }

  /// The largest file of those in a backup that a limit is for.
  private func largest(
    of backup: Transcript.Event.Backup, _ index: Int, _ budget: Scenario.Budget
  ) -> LargestFiles {
    var largest = LargestFiles(1)
    for decision in backup.set.decisions {
      guard decision.isIncluded, let size = decision.size,
        budget.indices(for: decision.path).contains(index)
      else { continue }
      largest.add(decision.path, size)
    }
    return largest
  }
}
