import BackupDevice
import BackupFileTree

@testable import BackupRules
@testable import BackupScenarios

extension Mutant {
  /// Wrong decisions of `incomplete-group`, which reports files beside a database.
  ///
  /// In the kit's scenarios, the files that Core Data and Realm keep there break the rules on
  /// classes.
  static let groups: [Mutant] =
    ["-wal", "-shm", "-journal"].map { suffix in
      .finding("\(suffix) passed over", of: IncompleteGroupRule()) { finding, _ in
        finding.path?.name.string.hasSuffix(suffix) == true ? nil : finding
      }
    } + [
      .extra(
        "each file in a directory reported", by: IncompleteGroupRule(),
        near: ["directories/large-values-of-a-marked-store"]
      ) { history in
        history.backedUp.filter { $0.path.string.contains("_SUPPORT/") }
      },
      .extra(
        "reported beside a critical database", by: IncompleteGroupRule(),
        near: ["classes/critical-database-marked"]
      ) { history in
        history.backedUp.filter {
          $0.path.name.isDatabaseSibling && history.dataClass(of: $0.path) == .critical
        }
      },
      .reading(
        "marked file beside reported too", by: IncompleteGroupRule(),
        near: ["directories/journal-of-a-marked-index"]
      ) {
        $0.changeTrees { tree in
          for path in tree.paths where path.name.isDatabaseSibling {
            tree.modify(path) { $0.marks = [] }
          }
        }
      },
      .reading(
        "marked directory above does not help", by: IncompleteGroupRule(), near: ["directories/"]
      ) {
        $0.changeBackups { _, backupSet in
          BackupSet(
            decisions: backupSet.decisions.map { decision in
              guard case .markedDirectory = decision.reason else { return decision }
              return decision.leftOut(.ownMark(.resourceValue))
            })
        }
      },
      .reading(
        "unmarked database reported too", by: IncompleteGroupRule(),
        near: ["names/", "directories/"]
      ) {
        $0.changeBackups { _, backupSet in
          BackupSet(decisions: backupSet.decisions.map { $0.leftOut(.ownMark(.resourceValue)) })
        }
      },
    ]
}
