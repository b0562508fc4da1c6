import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// A database marked, and the files SQLite keeps beside it not.
///
/// They hold the newest transactions, and come and go without the app's doing, so marks on them do
/// not last. Only a marked directory keeps a database and its siblings out together.
struct IncompleteGroupRule: Rule {
  let name = "incomplete-group"
  let severity = Scenario.Severity.warning
  let summary = "a database marked, its -wal, -shm or -journal not, and no marked directory above"
  let sources: [SystemProfile.Source] = [.appleOptimizing, .appleQA1719]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    for (index, moment) in history.moments.enumerated() {
      guard let backup = moment.backup else { continue }
      for decision in backup.set.decisions where decision.isPartOfIncompleteGroup(in: backup) {
        let path = decision.path
        guard let step = moment.ledger.origins[path], !findings.contains(self, path) else {
          continue
        }
        findings.add(
          self, at: step, on: path,
          "'\(path)' is not marked, but the database it belongs to is; SQLite makes and removes it "
            + "as it likes",
          advice: "put the database into a directory of its own and mark the directory",
          accountsFor: [.backedUp(path, at: index)])
      }
    }
  }
}

extension BackupSet.Decision {
  /// Whether this is an unmarked file beside a database that is left out by its own mark.
  fileprivate func isPartOfIncompleteGroup(in backup: Transcript.Event.Backup) -> Bool {
    guard let name = path.name.databaseName, backup.tree[path]?.marks.isEmpty == true else {
      return false
    }
    let database = ContainerPath(name, in: path.parent)
    guard case .ownMark = backup.set.decision(on: database)?.reason else { return false }
    return backup.tree[database]?.isDatabase == true || name.hasDatabaseExtension
  }
}

extension FileTree.Item {
  /// Whether it begins as an SQLite database does.
  fileprivate var isDatabase: Bool {
    if case .file(let information) = kind { information.isDatabase } else { false }
  }
}

extension ContainerPath.Component {
  /// Whether the name is one that apps give to databases.
  fileprivate var hasDatabaseExtension: Bool {
    let name = string.lowercased()
    return [".sqlite", ".sqlite3", ".sqlitedb", ".db", ".db3", ".store"].contains {
      name.hasSuffix($0)
    }
  }
}
