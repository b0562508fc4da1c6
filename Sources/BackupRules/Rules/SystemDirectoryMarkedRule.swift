import BackupDevice
import BackupFileTree
import BackupScenarios

/// A directory of the system's marked, and all the app will ever put into it with it.
///
/// It is the quickest way to keep a download out of backups, and takes the user's own work along:
/// after a restore Documents is empty.
struct SystemDirectoryMarkedRule: Rule {
  let name = "system-directory-marked"
  let severity = Scenario.Severity.error
  let summary =
    "Documents, Library, Application Support, Caches, Preferences or tmp themselves marked"
  let basis = RuleBasis.container
  let subjects: [SystemProfile.Subject] = [.marking]
  let sources: [SystemProfile.Source] = [.appleQA1719]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    var before = history.start.tree
    for (index, entry) in history.indexedEntries {
      defer { before = entry.tree }
      guard case .changes(let changes) = entry.event else { continue }
      for case .marked(let path, _) in changes {
        let isMarkedAgain = before[path]?.marks.isEmpty == false && findings.contains(self, path)
        guard path.ownLocation != nil || path.isContainer, !isMarkedAgain else { continue }
        let next = history.moment(after: index)
        let count = history.moments[next...].prefix { $0.tree[path]?.marks.isEmpty == false }.count
        findings.add(
          self, at: entry.step, on: path,
          "'\(path)' is the system's directory: marked, it takes everything in it out of every "
            + "backup, what the user makes too",
          advice: "make a directory of your own in it, and mark that",
          accountsFor: [.leftOut(path, during: next..<next + count)])
      }
    }
  }
}
