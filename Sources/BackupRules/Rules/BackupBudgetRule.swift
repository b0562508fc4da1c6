package import BackupDevice
import BackupDiagnostics
package import BackupFileTree
import BackupScenarios

/// A backup that is larger than the scenario's budget allows.
///
/// The user pays for the app's storage in iCloud. A budget finds a release that by mistake backs up
/// megabytes more than the one before, even if each file has a class that belongs in backups. The kit
/// does not simulate the duration of a backup: the size and number of files stand for it.
///
/// The rule does not count files that earlier findings explain.
struct BackupBudgetRule: Rule {
  let name = "backup-budget"
  let basis = RuleBasis.budget
  let sources: [SystemProfile.Source] = [.appleOptimizing, .appleGuidelines2011, .eidinger]

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    guard let budget = event.scenario.budget, let checkpoint = event.checkpoint,
      let label = checkpoint.label, let set = checkpoint.now.backup
    else { return }
    let tally = BudgetTally(budget, of: set)
    let exceeded = Self.unexplained(set, tally, report).filter { index in
      checkpoint.isFault { view in
        view.backup.map { BudgetTally(budget, of: $0).exceededIndices.contains(index) } ?? false
      }
    }
    guard !exceeded.isEmpty else { return }
    let sizes = BackupSizes(of: set, event.scenario.files)
    for excess in tally.excesses(at: exceeded, naming: 1, set.forEachFile) {
      report.add(
        self, at: event.step, on: excess.path, detail: excess.index,
        "\(excess.scope)the backup \"\(EscapedText.escape(label))\" contains \(excess.held), more "
          + "than the \(excess.allowed) of 'budget'\(excess.largest)",
        advice: "mark files that can be created or downloaded again, or raise 'budget'",
        note: sizes.spread.joined(separator: "; "))
    }
  }

  /// Returns the limits that a backup would exceed without the files that earlier findings explain.
  private static func unexplained(
    _ set: BackupSet, _ whole: BudgetTally, _ report: RuleReport
  ) -> [Int] {
    guard !whole.exceededIndices.isEmpty else { return [] }
    var tally = whole
    set.forEachFile { file, size in
      if report.isExplained(.backedUp, file) { tally.count(file, size, isThere: false) }
    }
    return tally.exceededIndices
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
