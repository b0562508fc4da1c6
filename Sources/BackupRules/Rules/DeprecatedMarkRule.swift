import BackupDevice
import BackupFileTree
import BackupScenarios

/// The extended attribute of iOS 5.0.1, used where a newer way is.
///
/// Old code that sets only the attribute runs without an error on every later system, and nobody
/// knows of one that goes by it. Code that sets both, for old systems and new, is right.
struct DeprecatedMarkRule: Rule {
  let name = "deprecated-mark"
  let severity = Scenario.Severity.warning
  let summary = "the extended attribute, from iOS 5.1 on"
  let basis = RuleBasis.container
  let subjects: [SystemProfile.Subject] = [.systems]
  let sources: [SystemProfile.Source] = [.appleQA1719]

  /// An old mark that was set since the system last acted.
  private struct OldMark {
    /// The step that set it.
    let step: Scenario.StepReference
    /// The system under which it did.
    let profile: SystemProfile
    /// How many were set before it.
    let order: Int
    /// Whether the item had the new mark too, then or later.
    var stoodBesideNew: Bool
  }

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    var pending: [ContainerPath: OldMark] = [:]
    var tree = history.start.tree
    for entry in history.entries {
      if case .changes(let changes) = entry.event {
        for change in changes { follow(change, in: entry, &pending) }
      } else if entry.event.isBySystem {
        settle(&pending, in: tree, of: history, &findings)
      }
      tree = entry.tree
    }
    settle(&pending, in: tree, of: history, &findings)
  }

  /// Follows an old mark through what the app does.
  private func follow(
    _ change: FileTree.Change, in entry: Transcript.Entry,
    _ pending: inout [ContainerPath: OldMark]
  ) {
    switch change {
    case .marked(let path, let mark):
      if mark.contains(.resourceValue) { pending[path]?.stoodBesideNew = true }
      guard pending[path] == nil,
        !mark.isDisjoint(with: entry.profile.deprecatedMarks.value)
      else { return }
      let hasNew = entry.tree[path]?.marks.contains(.resourceValue) == true
      pending[path] = OldMark(
        step: entry.step, profile: entry.profile, order: pending.count, stoodBesideNew: hasNew)
    case .moved(let source, to: let path):
      guard !pending.isEmpty else { return }
      entry.tree[path]?.walk(at: path) { moved, _ in
        let known = moved.moved(from: path, to: source)
        if let known, let mark = pending.removeValue(forKey: known) { pending[moved] = mark }
        return true
      }
    default: return
    }
  }

  /// Reports the old marks that no new one stands beside when the system acts.
  private func settle(
    _ pending: inout [ContainerPath: OldMark], in tree: FileTree, of history: RunHistory,
    _ findings: inout FindingList
  ) {
    let marks = pending.sorted { ($0.value.order, $0.key) < ($1.value.order, $1.key) }
    for (path, old) in marks
    where isAlone(old, tree[path]) && history.canBeHelpedByMark(path, in: tree, on: old.profile) {
      findings.add(
        self, at: old.step, on: path,
        "'\(path)' is marked the way of iOS 5.0.1 only, which later systems are not known to "
          + "honour",
        advice: "set \(old.profile.markToSet.wayToSet) through URL.setResourceValues instead",
        missingMark: old.profile.markToSet)
    }
    pending = [:]
  }

  /// Whether an item has, or ever had, the old mark only; one that is gone needs no mark.
  private func isAlone(_ old: OldMark, _ item: FileTree.Item?) -> Bool {
    guard let item, !item.marks.contains(.resourceValue) else { return false }
    return !old.stoodBesideNew || item.marks.contains(.extendedAttribute)
  }
}
