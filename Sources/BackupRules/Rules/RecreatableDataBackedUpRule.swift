import BackupDevice
import BackupFileTree
import BackupScenarios

/// Reports a file that is in a backup, although the app can create it again. The rule skips a file
/// that an earlier, more exact rule explains.
///
/// Backups are for data that the user cannot get back. Other data fills the storage that the user
/// pays for, and App Review had a guideline against such backups.
struct RecreatableDataBackedUpRule: Rule {
  let name = "recreatable-data-backed-up"
  let basis = RuleBasis.classes
  let sources: [SystemProfile.Source] = [
    .appReview223, .appleGuidelines2011, .appleOptimizing, .appleFSPG,
  ]
  var consequence: String? { "every backup contains '{path}' from then on" }
  var requirements: BrokenRequirements {
    .named(["class.only-critical-backed-up", "class.temporary"])
  }

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    guard let checkpoint = event.checkpoint, let label = checkpoint.backupLabel else { return }
    for file in checkpoint.filesToJudge {
      guard let dataClass = file.dataClass, ![.critical, .secret].contains(dataClass),
        // If the run ignores marks, a marked item in a backup is no fault of the app.
        checkpoint.isFaultOfApp({ view in
          view.backup?.contains(file.path) == true && !view.ignoresMark(of: file.path)
        }),
        !report.isExplained(.backedUp, file.path),
        let step = event.facts.ledger.origin(of: file.path)
      else { continue }
      report.explain(.backedUp, file.path)
      report.add(
        self, at: step, on: file.path, groupedBy: .item,
        "'\(file.path)' is \(dataClass.rawValue) data, which can be created or downloaded again, "
          + "but ", .clause(""),
        in: label,
        advice: file.path.isInInbox
          ? .text(DataClass.inboxAdvice)
          : Self.advice(
            on: file.path, dataClass, at: checkpoint.currentView,
            isBesideDatabase: event.isBesideDatabase(file.path)),
        missingMark: dataClass.requiredMark(on: checkpoint.profile))
    }
  }

  /// Returns the advice: another directory, a mark, or a newer mark if the item has only the
  /// deprecated mark.
  private static func advice(
    on path: ContainerPath, _ dataClass: DataClass, at view: Checkpoint.View,
    isBesideDatabase: Bool
  ) -> Violation.Advice {
    let profile = view.profile
    let mark = profile.markToSet.nameInAdvice
    let needsOtherDirectory =
      profile.honouredMarks.value.isEmpty || dataClass.isMisplaced(path, on: profile)
    let needsMark = !dataClass.requiredMark(on: profile).isEmpty
    let itemWithOldMark = (path.ancestors + [path]).last {
      view.tree[$0]?.marks.isDisjoint(with: profile.deprecatedMarks.value) == false
    }
    guard needsMark, let itemWithOldMark else {
      return .text(
        needsOtherDirectory || !needsMark
          ? dataClass.placeAdvice(for: path, on: profile)
          : isBesideDatabase
            ? IncompleteGroupRule.advice
            : "set \(mark) on it after each save, or keep it in a marked directory")
    }
    let placePhrase =
      needsOtherDirectory ? "\(dataClass.placeAdvice(for: path, on: profile)); " : ""
    return .dependingOnRun { summary in
      let fix =
        summary.hasViolation(DeprecatedMarkRule().name, itemWithOldMark)
        ? "set \(mark) instead" : "mark it again with \(mark) at the first launch after the update"
      return
        "\(placePhrase)its mark is the attribute of iOS 5.0.1, which later systems may "
        + "ignore: \(fix)"
    }
  }
}
