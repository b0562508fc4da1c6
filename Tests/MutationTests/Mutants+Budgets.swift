import BackupDevice
import BackupFileTree

@testable import BackupRules
@testable import BackupScenarios

extension Mutant {
  /// Wrong decisions of the rules on budgets.
  static let budgets = backupBudgets + storageBudgets

  /// Wrong decisions of `backup-budget`.
  private static let backupBudgets: [Mutant] = [
    .finding("budget counts for the first backup only", of: BackupBudgetRule()) {
      $0.step == $1.moments.first { $0.backup != nil }?.step ? $0 : nil
    },
    .extra("budget may not be used up", by: BackupBudgetRule(), near: ["backups/"]) { history in
      history.backups { $0.bytes == history.wholeBudget }
    },
    .extra(
      "budget counts what is left out", by: BackupBudgetRule(), near: ["backups/over-budget"]
    ) { history in
      history.backups { set in
        var sum = FileTotal()
        for decision in set.decisions { decision.size.map { sum.addFile($0) } }
        return sum.byteCount > history.wholeBudget ?? .max
      }
    },
    .finding("pattern of a budget passed over", of: BackupBudgetRule()) { finding, _ in
      finding.path == nil ? finding : nil
    },
    .finding("number of files passed over", of: BackupBudgetRule()) { finding, _ in
      finding.message.contains(" files, more than ") ? nil : finding
    },
  ]

  /// Wrong decisions of `storage-budget`.
  private static let storageBudgets: [Mutant] = [
    .reading("judged at the end only", by: StorageBudgetRule()) {
      $0.entries.removeAll(where: \.event.isBySystem)
    },
    .reading("marked files do not count", by: StorageBudgetRule()) {
      $0.changeTrees { tree in
        for path in tree.paths where tree[path]?.marks.isEmpty == false { tree.remove(path) }
      }
    },
    .reading("what is in Caches does not count", by: StorageBudgetRule()) {
      $0.changeTrees { $0.remove(ContainerPath.StandardLocation.caches.path) }
    },
    .finding("blames the step at which it is judged", of: StorageBudgetRule()) { finding, history in
      let end = history.transcript.entries.last?.step
      return finding.with(step: end)
    },
    .finding("pattern of a budget passed over", of: StorageBudgetRule()) { finding, _ in
      finding.path == nil ? finding : nil
    },
    .finding("all together passed over", of: StorageBudgetRule()) { finding, _ in
      finding.path == nil ? nil : finding
    },
    .extra(
      "found though it was deleted in time", by: StorageBudgetRule(),
      near: ["classes/watched-movie-deleted"]
    ) { history in
      guard history.scenario.storage != nil else { return [] }
      return history.transcript.entries.flatMap { entry in
        guard case .changes(let changes) = entry.event else {
          return [(Scenario.StepReference, ContainerPath)]()
        }
        return changes.compactMap { change in
          if case .removed(let path) = change { (entry.step, path) } else { nil }
        }
      }
    },
  ]
}

extension RunHistory {
  /// The limit for all files of a backup together, in bytes; nil for no limit.
  fileprivate var wholeBudget: Int64? {
    scenario.budget?.entries.first { $0.pattern == nil }?.limit.bytes
  }

  /// The steps of the backups that meet a condition.
  fileprivate func backups(
    where meetsCondition: (BackupSet) -> Bool
  ) -> [(Scenario.StepReference, ContainerPath)] {
    moments.filter { $0.backup.map { meetsCondition($0.contents) } == true }.map {
      ($0.step, ContainerPath.StandardLocation.documents.path)
    }
  }
}
