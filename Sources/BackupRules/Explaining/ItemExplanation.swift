import BackupCollections
package import BackupContainer
package import BackupDevice
import BackupDiagnostics
package import BackupFileTree
package import BackupScenarios

/// Says why a backup holds an item or leaves it out, down to the step that decided it.
package struct ItemExplanation: Sendable {
  /// Who put each item there, and who marked it.
  private var ledger = ItemLedger()
  package let backup: FakeContainer.Backup
  private let system: SystemVersion

  /// Explains the items of a container that was found as it is: no step has put anything there.
  package init(of backup: FakeContainer.Backup, on system: SystemVersion) {
    self.backup = backup
    self.system = system
  }

  /// Explains the items of all backups of a run, by the step that took each; the first of several.
  package static func byStep(
    in transcript: Transcript
  ) -> [Scenario.StepReference.Number: ItemExplanation] {
    var explanations: [Scenario.StepReference.Number: ItemExplanation] = [:]
    var ledger = ItemLedger()
    ledger.begin(
      with: transcript.firstTree, capturedBy: transcript.scenario.start?.reference)
    var tree = transcript.firstTree
    for entry in transcript.entries {
      ledger.follow(entry, before: tree)
      tree = entry.tree
      guard let backup = entry.event.backup, explanations[entry.step.number] == nil else {
        continue
      }
      var explanation = ItemExplanation(of: backup, on: entry.profile.version)
      explanation.ledger = ledger
      explanations[entry.step.number] = explanation
    }
    return explanations
  }

  /// Why an item is in the backup or not, without naming it; nil where there is no such item.
  package func reason(for path: ContainerPath) -> String? {
    backup.contents.decision(on: path).map(reason)
  }

  package func reason(_ decision: BackupSet.Decision) -> String {
    "\(decision.isIncluded ? "included" : "excluded"): \(cause(of: decision))"
  }

  /// The same, without a word on whether the item is in the backup.
  package func cause(of decision: BackupSet.Decision) -> String {
    switch decision.verdict {
    case .leftOut(let reason): "\(reason.phrase)\(who(reason, decision.path))"
    case .included(let mark) where !mark.isEmpty: "marked, but this run's system ignores marks"
    case .included: whyNothingKeepsItOut(decision.path)
    }
  }

  /// The step that set the deciding mark.
  private func who(_ reason: BackupSet.LeftOutReason, _ path: ContainerPath) -> String {
    guard reason.isByMark,
      let record = ledger.marks[reason.decidingItem ?? path], record.markedBy.number != .found
    else { return "" }
    return ", set in \(record.markedBy.withLine)"
  }

  /// Why an item is not left out: the mark it lost, one that the system does not know, or that
  /// there never was one.
  private func whyNothingKeepsItOut(_ path: ContainerPath) -> String {
    if !ledger.marks.isEmpty {
      for item in [path] + path.ancestors.reversed() {
        guard let lost = ledger.marks[item]?.lostBy else { continue }
        return "\(markInWords(item, path)) was lost in \(lost.withLine), \(lost.summary)"
      }
    }
    if let (item, marked) = backup.tree.nearestMarked(to: path) {
      return "\(markInWords(item, path)) is the \(marked.marks), which iOS \(system) ignores"
    }
    let reason = "neither the item nor a directory above it is marked"
    guard let origin = ledger.origins[path], origin.number != .found else { return reason }
    return "\(reason); created in \(origin.withLine)"
  }

  private func markInWords(_ item: ContainerPath, _ path: ContainerPath) -> String {
    item == path ? "its mark" : "the mark of \(item)"
  }
}

extension Scenario.StepReference {
  /// `step 5 (line 18)`; `line 18` for a test's call.
  package var withLine: String {
    switch number {
    case .call, .found: "\(self)"
    default: "\(self) (line \(position.line))"
    }
  }
}
