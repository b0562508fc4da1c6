package import BackupDevice
import BackupDiagnostics
package import BackupFileTree
import BackupScenarios

/// Reports a backup that exceeds the scenario's `budget`.
///
/// The user pays for the app's storage in iCloud. A budget finds a release that by mistake backs up
/// megabytes more than the last release, even if each file belongs in backups. A backup with
/// many or large files also takes longer; the kit does not simulate this time.
///
/// The rule reports a limit only if the backup exceeds it even without the files that earlier
/// findings explain. The sizes in the message include these files.
struct BackupBudgetRule: Rule {
  let name = "backup-budget"
  let basis = RuleBasis.budget
  let sources: [SystemProfile.Source] = [.appleOptimizing, .appleGuidelines2011, .eidinger]

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    guard let budget = event.scenario.budget, let checkpoint = event.checkpoint,
      let label = checkpoint.backupLabel, let backup = checkpoint.currentView.backup
    else { return }
    let tally = BudgetTally(budget, of: backup)
    let exceededLimits = Self.limitsExceededByUnexplainedFiles(backup, tally, report).filter {
      index in
      checkpoint.isFaultOfApp { view in
        view.backup.map { BudgetTally(budget, of: $0).indicesOfExceededLimits.contains(index) }
          ?? false
      }
    }
    guard !exceededLimits.isEmpty else { return }
    let sizes = BackupSizes(of: backup, event.scenario.files)
    for excess in tally.excesses(at: exceededLimits, naming: 1, backup.forEachFile) {
      report.add(
        self, at: event.step, on: excess.path, distinguishedBy: excess.index,
        "\(excess.scopePhrase)the backup \"\(EscapedText.escape(label))\" contains \(excess.actualAmount), more "
          + "than the \(excess.allowedAmount) of 'budget'\(excess.largestFilesPhrase)",
        advice: "mark files that can be created or downloaded again, or raise 'budget'",
        note: sizes.breakdownLines.joined(separator: "; "))
    }
  }

  /// Returns the limits that a backup would exceed without the files that earlier findings explain.
  private static func limitsExceededByUnexplainedFiles(
    _ backup: BackupSet, _ tally: BudgetTally, _ report: RuleReport
  ) -> [Int] {
    guard !tally.indicesOfExceededLimits.isEmpty else { return [] }
    var unexplainedTally = tally
    backup.forEachFile { file, size in
      if report.isExplained(.backedUp, file) { unexplainedTally.count(file, size, adding: false) }
    }
    return unexplainedTally.indicesOfExceededLimits
  }
}

extension BackupSet {
  /// Calls `visit` with each file in the backup and its size in bytes.
  package func forEachFile(_ visit: (ContainerPath, Int64) -> Void) {
    for decision in decisions where decision.isIncluded {
      if let size = decision.size { visit(decision.path, size) }
    }
  }
}
