import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// Reports an app that sets the extended attribute of iOS 5.0.1 on a version of iOS with a newer
/// mark.
///
/// Old code that sets only the attribute runs without an error on every later version, but no later
/// version is known to honor it. Code that sets both marks, for old versions and new, is right.
struct DeprecatedMarkRule: Rule {
  let name = "deprecated-mark"
  let severity = Scenario.Severity.warning
  let basis = RuleBasis.container
  let sources: [SystemProfile.Source] = [.appleQA1719]
  func codeToBlame(for severity: Scenario.Severity) -> CodeToBlame { .call(.mark) }

  /// An old mark that the app has set since the system last acted.
  struct OldMark: Hashable {
    let step: Scenario.StepReference
    /// The version of iOS under which the app set the mark.
    let profile: SystemProfile
    /// True if the item got the new mark together with the old mark, or has had it since then.
    var hasHadNewMark: Bool
  }

  package func memory(at start: RunStart) -> [ContainerPath: OldMark] { [:] }

  func observe(
    _ event: ObservedEvent, _ oldMarks: inout [ContainerPath: OldMark], _ report: inout RuleReport
  ) {
    for change in event.changes { record(change, in: event, &oldMarks) }
    if event.checkpoint != nil, !oldMarks.isEmpty { judge(&oldMarks, event, &report) }
  }

  private func record(
    _ change: FileTree.Change, in event: ObservedEvent, _ oldMarks: inout [ContainerPath: OldMark]
  ) {
    switch change {
    case .marked(let path, let mark):
      if mark.contains(.resourceValue) { oldMarks[path]?.hasHadNewMark = true }
      guard oldMarks[path] == nil,
        !mark.isDisjoint(with: event.profile.deprecatedMarks.value)
      else { return }
      let hasNewMark = event.tree[path]?.marks.contains(.resourceValue) == true
      oldMarks[path] = OldMark(step: event.step, profile: event.profile, hasHadNewMark: hasNewMark)
    case .moved(let source, to: let path):
      guard !oldMarks.isEmpty else { return }
      event.tree[path]?.forEachItem(at: path) { newPath, _ in
        let formerPath = newPath.moved(from: path, to: source)
        if let formerPath, let mark = oldMarks.removeValue(forKey: formerPath) {
          oldMarks[newPath] = mark
        }
      }
    default: return
    }
  }

  private func judge(
    _ oldMarks: inout [ContainerPath: OldMark], _ event: ObservedEvent, _ report: inout RuleReport
  ) {
    let sortedMarks = oldMarks.sorted {
      ($0.value.step.position.line, $0.key) < ($1.value.step.position.line, $1.key)
    }
    for (path, oldMark) in sortedMarks where isOnlyMark(oldMark, of: event.treeBefore[path]) {
      if event.permitsMark(on: path, in: event.treeBefore, under: oldMark.profile) {
        report.add(
          self, at: oldMark.step, on: path,
          "'\(path)' has only the mark of iOS 5.0.1, which later systems may ignore",
          advice:
            "set \(oldMark.profile.markToSet.nameInAdvice) through URL.setResourceValues instead",
          missingMark: oldMark.profile.markToSet, unless: [RecreatableDataBackedUpRule().name])
      } else if let file = event.treeBefore[path]?.firstPath(
        at: path, where: { !$1.isDirectory && event.promisedClass(of: $0) == .critical })
      {
        report.add(
          self, at: oldMark.step, on: path,
          "'\(path)' has the mark of iOS 5.0.1\(file == path ? ", but" : ", but '\(file)'") is the "
            + "user's own: if a later system honours the mark, no backup contains it",
          advice: "remove the attribute: never mark the user's own files")
      }
    }
    oldMarks = [:]
  }

  /// Returns true if an item depends on its old mark: it has no new mark now, and either never had
  /// one, or still has the old mark. Returns false if the item is gone.
  private func isOnlyMark(_ oldMark: OldMark, of item: FileTree.Item?) -> Bool {
    guard let item, !item.marks.contains(.resourceValue) else { return false }
    return !oldMark.hasHadNewMark || item.marks.contains(.extendedAttribute)
  }
}
