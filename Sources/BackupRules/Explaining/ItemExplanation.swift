import BackupCollections
package import BackupContainer
package import BackupDevice
import BackupDiagnostics
package import BackupFileTree
package import BackupScenarios

/// The reasons why a backup holds each item or leaves it out, with the step that decided it.
package struct ItemExplanation: Sendable {
  private var ledger = ItemLedger()
  package let backup: FakeContainer.Backup
  private let system: SystemVersion

  /// Creates an explanation of the items in a container that no step has changed.
  package init(of backup: FakeContainer.Backup, on system: SystemVersion) {
    self.backup = backup
    self.system = system
  }

  /// Returns the explanations of all backups in a run, by the step that took the backup. If a step took several, the
  /// first one counts.
  package static func byStep(
    in transcript: Transcript
  ) -> [Scenario.StepReference.Number: ItemExplanation] {
    var explanations: [Scenario.StepReference.Number: ItemExplanation] = [:]
    var ledger = ItemLedger()
    ledger.begin(
      with: transcript.firstTree, capturedBy: transcript.scenario.start?.reference)
    var tree = transcript.firstTree
    for entry in transcript.entries {
      ledger.record(entry, before: tree)
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

  /// Returns the reason why an item is in the backup or not, without the item's name; nil if there is no such item.
  package func reason(for path: ContainerPath) -> String? {
    backup.contents.decision(on: path).map(reason)
  }

  package func reason(_ decision: BackupSet.Decision) -> String {
    "\(decision.isIncluded ? "included" : "excluded"): \(cause(of: decision))"
  }

  /// Returns the cause of a decision, without the word `included` or `excluded`.
  package func cause(of decision: BackupSet.Decision) -> String {
    switch decision.verdict {
    case .leftOut(let reason): "\(reason.phrase)\(step(marking: decision.path, reason))"
    case .included(let mark) where !mark.isEmpty: "marked, but this run's system ignores marks"
    case .included: causeOfInclusion(of: decision.path)
    }
  }

  /// Returns the step that set the deciding mark, as the end of a sentence; empty if no step did.
  private func step(marking path: ContainerPath, _ reason: BackupSet.LeftOutReason) -> String {
    guard reason.isByMark,
      let record = ledger.marks[reason.decidingItem ?? path], record.markedBy.number != .found
    else { return "" }
    return ", set in \(record.markedBy.withLine)"
  }

  /// Returns the reason why no mark keeps an item out: it lost its mark, the system ignores the mark, or it never
  /// had one.
  private func causeOfInclusion(of path: ContainerPath) -> String {
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
  /// The step with its line, as `step 5 (line 18)`; `line 18` for a test's call.
  package var withLine: String {
    switch number {
    case .call, .found: "\(self)"
    default: "\(self) (line \(position.line))"
    }
  }
}
