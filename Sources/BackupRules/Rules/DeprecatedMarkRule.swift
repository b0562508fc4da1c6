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
    _ event: ObservedEvent, _ memory: inout [ContainerPath: OldMark], _ report: inout RuleReport
  ) {
    for change in event.changes { record(change, in: event, &memory) }
    if event.checkpoint != nil, !memory.isEmpty { judge(&memory, event, &report) }
  }

  private func record(
    _ change: FileTree.Change, in event: ObservedEvent, _ pending: inout [ContainerPath: OldMark]
  ) {
    switch change {
    case .marked(let path, let mark):
      if mark.contains(.resourceValue) { pending[path]?.hasHadNewMark = true }
      guard pending[path] == nil,
        !mark.isDisjoint(with: event.profile.deprecatedMarks.value)
      else { return }
      let hasNew = event.tree[path]?.marks.contains(.resourceValue) == true
      pending[path] = OldMark(step: event.step, profile: event.profile, hasHadNewMark: hasNew)
    case .moved(let source, to: let path):
      guard !pending.isEmpty else { return }
      event.tree[path]?.forEachItem(at: path) { moved, _ in
        let former = moved.moved(from: path, to: source)
        if let former, let mark = pending.removeValue(forKey: former) { pending[moved] = mark }
      }
    default: return
    }
  }

  private func judge(
    _ pending: inout [ContainerPath: OldMark], _ event: ObservedEvent, _ report: inout RuleReport
  ) {
    let marks = pending.sorted {
      ($0.value.step.position.line, $0.key) < ($1.value.step.position.line, $1.key)
    }
    for (path, old) in marks where isOnlyMark(old, of: event.treeBefore[path]) {
      if event.permitsMark(on: path, in: event.treeBefore, under: old.profile) {
        report.add(
          self, at: old.step, on: path,
          "'\(path)' has only the mark of iOS 5.0.1, which later systems may ignore",
          advice: "set \(old.profile.markToSet.nameInAdvice) through URL.setResourceValues instead",
          missingMark: old.profile.markToSet, unless: [RecreatableDataBackedUpRule().name])
      } else if let file = event.treeBefore[path]?.firstPath(
        at: path, where: { !$1.isDirectory && event.promisedClass(of: $0) == .critical })
      {
        report.add(
          self, at: old.step, on: path,
          "'\(path)' has the mark of iOS 5.0.1\(file == path ? ", but" : ", but '\(file)'") is the "
            + "user's own: if a later system honours the mark, no backup contains it",
          advice: "remove the attribute: never mark the user's own files")
      }
    }
    pending = [:]
  }

  /// Returns true if an item depends on its old mark. The item then has no new mark now, and either
  /// never had one, or still has the old mark. Returns false if the item is gone.
  private func isOnlyMark(_ old: OldMark, of item: FileTree.Item?) -> Bool {
    guard let item, !item.marks.contains(.resourceValue) else { return false }
    return !old.hasHadNewMark || item.marks.contains(.extendedAttribute)
  }
}
