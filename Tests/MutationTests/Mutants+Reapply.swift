import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupFileTree

@testable import BackupRules
@testable import BackupScenarios

extension Mutant {
  /// Wrong decisions of `reapply-on-save`, which reports lost marks.
  static let reapply: [Mutant] =
    severities + coverings + losses + [
      .reading(
        "attribute judged where it is deprecated", by: rule, near: ["eras/attribute-lost-from-5-1"]
      ) {
        $0.changeProfiles { $0.deprecatedMarks.value = [] }
      },
      .reading(
        "judged at the end only", by: rule,
        near: ["real-world/refreshed-map-marked-at-next-launch-only"]
      ) {
        $0.entries = $0.entries.map { entry in
          guard entry.event.isBySystem else { return entry }
          return Transcript.Entry(
            step: entry.step, event: .launch, tree: entry.tree, profile: entry.profile)
        }
      },
      .reading("not judged at the end", by: rule, near: ["saving/lost-at-the-end"]) { transcript in
        while transcript.entries.last?.event.isBySystem == false { transcript.entries.removeLast() }
      },
    ]

  private static let rule = ReapplyOnSaveRule()

  /// Findings with a wrong severity.
  private static let severities: [Mutant] = [
    .finding(
      "save that keeps the mark by luck is an error", of: rule, near: ["saving/append-by-luck"]
    ) { finding, _ in
      finding.with(severity: .error)
    },
    .finding("save that keeps the mark by luck is fine", of: rule, near: ["saving/append-by-luck"])
    { finding, _ in
      finding.severity == .warning ? nil : finding
    },
    .finding("lost mark is a warning", of: rule, near: ["saving/saved-twice-since-the-mark"]) {
      finding, _ in
      finding.with(severity: .warning)
    },
  ]

  /// Wrong decisions on items that need no mark of their own.
  private static let coverings: [Mutant] = [
    .reading(
      "marked directory above does not help", by: rule,
      near: ["saving/both-marked-directory-and-file"]
    ) {
      $0.changeTrees { tree in
        for path in tree.paths where tree[path]?.isDirectory == true {
          tree.modify(path) { $0.marks = [] }
        }
      }
    },
    .extra("judged in purgeable places", by: rule, near: ["saving/marked-cache-saved-again"]) {
      history in
      history.itemsWithLostMarks { path, _ in path.location?.isPurgeable == true }
    },
    .extra(
      "directory judged whose files are marked", by: rule,
      near: ["directories/created-again-its-files-marked"]
    ) { history in
      history.itemsWithLostMarks { path, tree in tree[path]?.isDirectory == true }
    },
    .extra(
      "misplaced item judged", by: rule, near: ["classes/cached-in-documents-saved-again"]
    ) { history in
      history.itemsWithLostMarks { path, _ in history.dataClass(of: path) == .cached }
    },
    .finding("directory made again passed over", of: rule) { finding, history in
      let tree = history.transcript.entries.last { $0.step == finding.step }?.tree
      return finding.path.flatMap { tree?[$0] }?.isDirectory == true ? nil : finding
    },
    .extra("file in a directory that lost its mark reported too", by: rule) { history in
      history.moments.flatMap { moment in
        moment.ledger.marks.elements.filter { $0.value.lostInStep != nil }.flatMap { path, _ in
          moment.tree.paths.filter { path.isAncestor(of: $0) }
            .compactMap { file in moment.ledger.origins[file].map { ($0, file) } }
        }
      }
    },
  ]

  /// Wrong decisions on changes after which an item needs its mark again.
  private static let losses: [Mutant] = [
    .reading("replaced item not noticed", by: rule) {
      $0.replaceChanges { change, _ in
        if case .replaced = change { [] } else { [change] }
      }
    },
    .reading("item made again not noticed", by: rule) {
      $0.replaceChanges { change, _ in
        if case .created = change { [] } else { [change] }
      }
    },
    .reading(
      "duty forgotten after a restore", by: rule, near: ["real-world/folder-unmarked-after-restore"]
    ) {
      $0.replaceChanges { change, lastSystemEvent in
        guard lastSystemEvent?.systemEvent?.restoredBackup != nil else { return [change] }
        if case .created = change { return [] }
        return [change]
      }
    },
    .reading("duty forgotten after a removal", by: rule) { transcript in
      var removed: Set<ContainerPath> = []
      transcript.replaceChanges { change, _ in
        if case .removed(let path) = change { removed.insert(path) }
        if case .created(let path) = change, removed.contains(path) { return [] }
        return [change]
      }
    },
    .reading(
      "item moved over a marked one not noticed", by: rule, near: ["moves/directory-swapped"]
    ) {
      $0.replaceChanges { change, _ in
        if case .moved = change { [] } else { [change] }
      }
    },
    .reading("copy does not owe its mark", by: rule, near: ["moves/"]) {
      $0.replaceChanges { change, _ in
        if case .copied = change { [] } else { [change] }
      }
    },
    .reading("cleared item still owes its mark", by: rule, near: ["marks/cleared-then-saved"]) {
      $0.replaceChanges { change, _ in
        if case .cleared = change { [] } else { [change] }
      }
    },
    .reading("new mark does not settle the duty", by: rule, near: ["saving/append-by-luck"]) {
      transcript in
      var marked: Set<ContainerPath> = []
      transcript.replaceChanges { change, _ in
        guard case .marked(let path, _) = change else { return [change] }
        return marked.insert(path).inserted ? [change] : []
      }
      transcript.changeTrees { tree in
        for path in tree.paths { tree.modify(path) { $0.marks = [] } }
      }
    },
    .reading("moved item leaves its duty behind", by: rule, near: ["moves/old-name-saved-anew"]) {
      $0.replaceChanges { change, _ in
        guard case .moved(let source, to: let path) = change else { return [change] }
        return [.copied(source, to: path)]
      }
    },
    .finding("last save blamed, not the first", of: rule, near: ["moves/old-name-saved-anew"]) {
      finding, history in
      let saves = history.transcript.entries.filter { entry in
        guard case .changes(let changes) = entry.event else { return false }
        return changes.contains { change in
          switch change {
          case .replaced(finding.path), .savedInPlace(finding.path): true
          default: false
          }
        }
      }
      return finding.with(step: saves.last?.step)
    },
  ]
}

extension RunHistory {
  /// Returns the items that meet a condition at an event of iOS, and have lost their mark before.
  ///
  /// A mark that an item kept only by luck counts as lost.
  fileprivate func itemsWithLostMarks(
    where meetsCondition: (ContainerPath, FileTree) -> Bool
  ) -> [(Scenario.StepReference, ContainerPath)] {
    moments.flatMap { moment in
      moment.ledger.marks.elements.compactMap { path, mark in
        guard meetsCondition(path, moment.tree),
          let step = mark.lostInStep ?? mark.survivedSaveInStep
        else {
          return nil
        }
        return (step, path)
      }
    }
  }
}
