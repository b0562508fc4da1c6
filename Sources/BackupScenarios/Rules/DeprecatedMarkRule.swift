import AppContainer
import DeviceSimulation

/// The extended attribute of iOS 5.0.1, used where a newer way is.
struct DeprecatedMarkRule: Rule {
  let name = "deprecated-mark"
  let severity = Finding.Severity.warning
  let summary = "the extended attribute, from iOS 5.1 on"
  let sources: [Source] = [.appleQA1719]

  /// An old mark that was set since the system last acted.
  private struct OldMark {
    /// The step that set it.
    let step: StepReference
    /// The item.
    var path: ContainerPath
    /// Whether the item had the new mark too, then or later.
    var stoodBesideNew: Bool
  }

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    var pending: [OldMark] = []
    var tree = history.transcript.firstTree
    for record in history.transcript.records {
      if case .changes(let changes) = record.event {
        for change in changes { follow(change, in: record, &pending) }
      } else if record.event.isBySystem {
        settle(&pending, tree, &findings)
      }
      tree = record.tree
    }
    settle(&pending, tree, &findings)
  }

  /// Follows an old mark through what the app does.
  private func follow(_ change: ItemChange, in record: Record, _ pending: inout [OldMark]) {
    switch change {
    case .marked(let path, let mark):
      for index in pending.indices
      where mark.contains(.resourceValue) && pending[index].path == path {
        pending[index].stoodBesideNew = true
      }
      guard !mark.isDisjoint(with: record.profile.deprecatedMarks.value) else { return }
      let hasNew = record.tree[path]?.marks.contains(.resourceValue) == true
      pending.append(OldMark(step: record.step, path: path, stoodBesideNew: hasNew))
    case .moved(let source, to: let path):
      for index in pending.indices {
        guard let moved = ContainerPath(pending[index].path, movedFrom: source, to: path)
        else { continue }
        pending[index].path = moved
      }
    default: return
    }
  }

  /// Reports the old marks that no new one stands beside when the system acts.
  private func settle(
    _ pending: inout [OldMark], _ tree: FileTree, _ findings: inout FindingList
  ) {
    for old in pending where isAlone(old, tree[old.path]) {
      findings.add(
        self, at: old.step, old.path,
        "'\(old.path)' is marked the way of iOS 5.0.1 only, which later systems are not known to "
          + "honour",
        advice: "set isExcludedFromBackup through URL.setResourceValues instead")
    }
    pending = []
  }

  /// Whether an item has, or ever had, the old mark only; one that is gone needs no mark.
  private func isAlone(_ old: OldMark, _ item: FileTree.Item?) -> Bool {
    guard let item, !item.marks.contains(.resourceValue) else { return false }
    return !old.stoodBesideNew || item.marks.contains(.extendedAttribute)
  }
}
