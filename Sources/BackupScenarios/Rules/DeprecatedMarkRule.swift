import AppContainer
import DeviceSimulation

/// The extended attribute of iOS 5.0.1, used where a newer way is.
struct DeprecatedMarkRule: Rule {
  let name = "deprecated-mark"
  let severity = Finding.Severity.warning
  let summary = "the extended attribute, from iOS 5.1 on"
  let sources: [Source] = [.appleQA1719]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    var pending: [(step: StepReference, path: ContainerPath)] = []
    var tree = history.transcript.firstTree
    for record in history.transcript.records {
      if case .changes(let changes) = record.event {
        for case .marked(let path, let mark) in changes
        where !mark.isDisjoint(with: record.profile.deprecatedMarks.value) {
          pending.append((record.step, path))
        }
        for case .moved(let source, to: let path) in changes {
          for index in pending.indices {
            let moved = ContainerPath(pending[index].path, movedFrom: source, to: path)
            pending[index].path = moved ?? pending[index].path
          }
        }
      } else if record.event.isBySystem {
        settle(&pending, tree, &findings)
      }
      tree = record.tree
    }
    settle(&pending, tree, &findings)
  }

  /// Reports the old marks that no new one stands beside when the system acts.
  private func settle(
    _ pending: inout [(step: StepReference, path: ContainerPath)], _ tree: FileTree,
    _ findings: inout FindingList
  ) {
    for (step, path) in pending where !hasNewMark(tree[path]) {
      findings.add(
        self, at: step, path,
        "'\(path)' is marked the way of iOS 5.0.1 only, which later systems are not known to honour",
        advice: "set isExcludedFromBackup through URL.setResourceValues instead")
    }
    pending = []
  }

  /// Whether an item is marked the new way; one that is gone needs no mark.
  private func hasNewMark(_ item: FileTree.Item?) -> Bool {
    item?.marks.contains(.resourceValue) ?? true
  }
}
