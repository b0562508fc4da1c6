import BackupContainer
import BackupDevice
import BackupFileTree
import BackupScenarios

/// Reports a mark on a directory of the system, such as Documents. The mark applies to all items
/// that the app will ever put into the directory.
///
/// Such a mark keeps a download out of backups, but also the user's own work: after a restore,
/// a marked Documents is empty.
struct SystemDirectoryMarkedRule: Rule {
  let name = "system-directory-marked"
  let basis = RuleBasis.container
  let sources: [SystemProfile.Source] = [.appleQA1719]
  func codeToBlame(for severity: Scenario.Severity) -> CodeToBlame { .call(.mark) }
  var requirements: BrokenRequirements { .named(["mark.not-on-user-documents"]) }

  package func memory(at start: RunStart) -> Set<ContainerPath> { [] }

  /// Judges an event. `markedDirectories` has the system's directories that the app has marked.
  func observe(
    _ event: ObservedEvent, _ markedDirectories: inout Set<ContainerPath>,
    _ report: inout RuleReport
  ) {
    for case .marked(let path, _) in event.changes
    where path.ownLocation != nil || path.isContainer {
      let isMarkedAgain =
        event.treeBefore[path]?.marks.isEmpty == false && markedDirectories.contains(path)
      guard markedDirectories.insert(path).inserted || !isMarkedAgain else { continue }
      guard !event.profile.mayPurge(path) else {
        let purgeSparesMarkedItems = event.profile.purge.sparesMarked.value
        report.add(
          self, severity: .advice, at: event.step, on: path,
          "'\(path)' is never backed up, so the mark "
            + (purgeSparesMarkedItems
              ? "only keeps the system from purging its contents" : "does nothing"),
          advice: purgeSparesMarkedItems
            ? "remove the mark; to protect items from a purge, mark a directory of your own in it"
            : "remove the mark")
        continue
      }
      report.add(
        self, at: event.step, on: path,
        "'\(path)' is a system directory, and its mark excludes everything in it from every "
          + "backup, including the user's own files",
        advice: "create a directory of your own in it, and mark that instead")
    }
    guard let checkpoint = event.checkpoint, !markedDirectories.isEmpty else { return }
    markedDirectories = markedDirectories.filter { checkpoint.tree[$0]?.marks.isEmpty == false }
    // In a directory that no backup contains, the mark is no error.
    for path in markedDirectories where !event.profile.mayPurge(path) {
      report.explain(.leftOut, path)
    }
  }
}
