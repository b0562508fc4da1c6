import BackupCollections
import BackupDevice
import BackupFileTree
import BackupScenarios

/// Reports an item that the app marked, saved again, and did not mark again.
///
/// This is the most common mistake with backups: an atomic save replaces the old file with a new
/// file, which has no mark. From then on, every backup contains the file, although the code sets a
/// mark.
///
/// The finding is an error if the mark is gone when the system next acts. It is a warning if the
/// app saved the item in place: the mark is then still there, but Apple does not promise this. The
/// rule skips an item in a marked directory, and an item whose class permits no mark.
struct ReapplyOnSaveRule: Rule {
  let name = "reapply-on-save"
  let sources: [SystemProfile.Source] = [
    .appleResourceKey, .appleOptimizing, .eidinger, .swiftFoundation,
  ]
  var consequence: String? { "every backup contains '{path}' from then on" }
  var requirements: BrokenRequirements {
    .byKind(directory: "restore.recreated-directory-needs-mark", other: "mark.reapply-on-save")
  }

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    guard let checkpoint = event.checkpoint, !event.facts.ledger.pendingMarks.isEmpty else {
      return
    }
    var itemsWithoutMark: Set<ContainerPath> = []
    for (path, record) in event.facts.ledger.pendingMarks.elements
    where checkpoint.isFaultOfApp({ view in
      isMarkRequired(record, on: path, in: view, ignoring: event.facts.remnants)
        && event.permitsMark(on: path, in: view.tree, under: view.profile)
    }) {
      let hasMark = checkpoint.tree[path]?.marks.isEmpty == false
      if let losingStep = record.lostInStep, !hasMark {
        // If a directory above the item has lost its mark too, only the directory has a finding.
        guard !path.ancestors.contains(where: itemsWithoutMark.contains) else { continue }
        itemsWithoutMark.insert(path)
        report.explain(.backedUp, path)
        add(path, record, lostInStep: losingStep, event, checkpoint, &report)
      } else if let saveStep = record.survivedSaveInStep,
        checkpoint.tree.fileInformation(at: path)
          .map({ event.facts.databases.mayBeChangedByLibrary(path, $0) }) != true
      {
        // The condition skips databases, because libraries save them in place without the app's
        // knowledge.
        report.add(
          self, severity: .warning, at: saveStep, on: path,
          "'\(path)' \(record.markingPhrase); the app saved it in place and did not mark it again; the "
            + "mark is still there, but Apple does not promise this",
          advice: advice(on: path, event, checkpoint), missingMark: checkpoint.profile.markToSet)
      }
    }
  }

  private func isMarkRequired(
    _ record: ItemLedger.MarkRecord, on path: ContainerPath, in view: Checkpoint.View,
    ignoring remnants: Set<ContainerPath>
  ) -> Bool {
    guard let item = view.tree[path] else { return false }
    let isEmpty = item.children.chunkedEntries.allSatisfy {
      remnants.contains(path.appending($0.name))
    }
    return !(item.isDirectory && isEmpty)
      && DatabaseLibrary(keeping: path.name) != .realm && !view.profile.mayPurge(path)
      && (record.mark.isDisjoint(with: view.profile.deprecatedMarks.value)
        || record.mark.contains(.resourceValue))
      && !path.ancestors.contains { view.tree[$0]?.marks.isEmpty == false }
  }

  private func add(
    _ path: ContainerPath, _ record: ItemLedger.MarkRecord, lostInStep step: Scenario.StepReference,
    _ event: ObservedEvent, _ checkpoint: Checkpoint, _ report: inout RuleReport
  ) {
    let isInBackup = checkpoint.currentView.backup?.contains(path) == true
    let isWithinStep = record.markedInStep == step
    let message =
      isWithinStep
      ? "'\(path)' was marked in \(step) and lost its mark in the same step: a later save "
        + "replaced the marked item"
      : "'\(path)' lost its mark in \(step): \(Self.clause(on: record.lossReason))"
    report.add(
      self, at: step, on: path, message, .sentence, in: isInBackup ? checkpoint.backupLabel : nil,
      advice: isWithinStep
        ? "set \(checkpoint.profile.markToSet.nameInAdvice) after the last save of the step"
        : advice(on: path, event, checkpoint),
      missingMark: checkpoint.profile.markToSet)
  }

  private static func clause(on reason: ItemLedger.MarkLossReason?) -> String {
    switch reason {
    case .createdAgain: "the app created it again, and did not mark it"
    case .savedUnmarked: "the app saved it again, and did not mark it again"
    case .replaced, nil: "a new item replaced the marked one, and the app did not mark it"
    }
  }

  private func advice(
    on path: ContainerPath, _ event: ObservedEvent, _ checkpoint: Checkpoint
  ) -> Violation.Advice {
    guard !event.isBesideDatabase(path) else { return .text(IncompleteGroupRule.advice) }
    let mark = checkpoint.profile.markToSet.nameInAdvice
    return .text(
      checkpoint.tree[path]?.isDirectory == true
        ? "mark the directory again with \(mark) each time it is created"
        : "set \(mark) after every save, not only after the first; or keep the files in one "
          + "marked directory")
  }
}
