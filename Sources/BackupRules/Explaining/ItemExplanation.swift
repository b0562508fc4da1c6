import BackupCollections
package import BackupContainer
package import BackupDevice
import BackupDiagnostics
package import BackupFileTree
package import BackupScenarios

/// Explains why a backup contains or excludes each item, and names the step that caused this.
package struct ItemExplanation: Sendable {
  private var ledger = ItemLedger()
  package let backup: FakeContainer.Backup
  private let system: SystemVersion

  /// Creates an explanation for a container without recorded steps.
  package init(of backup: FakeContainer.Backup, on system: SystemVersion) {
    self.backup = backup
    self.system = system
  }

  /// Returns an explanation of each backup in a run, by the number of the step that took the
  /// backup. If a step took several backups, only the first has an explanation.
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

  /// Returns the reason why the backup contains or excludes an item, without the item's name.
  /// Returns nil if the item did not exist.
  package func reason(for path: ContainerPath) -> String? {
    backup.contents.decision(on: path).map(reason)
  }

  package func reason(_ decision: BackupSet.Decision) -> String {
    "\(decision.isIncluded ? "included" : "excluded"): \(cause(of: decision))"
  }

  /// Returns the cause of a decision, without the word `included` or `excluded`.
  package func cause(of decision: BackupSet.Decision) -> String {
    switch decision.verdict {
    case .leftOut(let reason): "\(reason.phrase)\(stepPhrase(onMarkOf: decision.path, reason))"
    case .included(let mark) where !mark.isEmpty: "marked, but this run's system ignores marks"
    case .included: causeOfInclusion(of: decision.path)
    }
  }

  /// Returns the end of a sentence with the step that set the excluding mark, such as
  /// `, set in step 5 (line 18)`. It is empty if no step set the mark.
  private func stepPhrase(
    onMarkOf path: ContainerPath, _ reason: BackupSet.LeftOutReason
  ) -> String {
    guard reason.isByMark,
      let record = ledger.marks[reason.decidingItem ?? path], record.markedInStep.number != .found
    else { return "" }
    return ", set in \(record.markedInStep.withLineNumber)"
  }

  /// Returns the reason why no mark excludes an item: the item lost its mark, iOS ignores the mark,
  /// or the item never had a mark.
  private func causeOfInclusion(of path: ContainerPath) -> String {
    if !ledger.marks.isEmpty {
      for markedPath in [path] + path.ancestors.reversed() {
        guard let step = ledger.marks[markedPath]?.lostInStep else { continue }
        return
          "\(markInWords(markedPath, path)) was lost in \(step.withLineNumber), \(step.summary)"
      }
    }
    if let (markedPath, markedItem) = backup.tree.nearestMarkedItem(to: path) {
      return
        "\(markInWords(markedPath, path)) is the \(markedItem.marks), which iOS \(system) ignores"
    }
    let reason = "neither the item nor a directory above it is marked"
    guard let origin = ledger.origins[path], origin.number != .found else { return reason }
    return "\(reason); created in \(origin.withLineNumber)"
  }

  /// Returns words for the mark of the item at `markedPath`, in a sentence about `path`.
  private func markInWords(_ markedPath: ContainerPath, _ path: ContainerPath) -> String {
    markedPath == path ? "its mark" : "the mark of \(markedPath)"
  }
}

extension Scenario.StepReference {
  /// The step with its line: `step 5 (line 18)`, or `line 18` for a test's call.
  package var withLineNumber: String {
    switch number {
    case .call, .found: "\(self)"
    default: "\(self) (line \(position.line))"
    }
  }
}
