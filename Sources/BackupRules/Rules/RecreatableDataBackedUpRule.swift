import BackupDevice
import BackupFileTree
import BackupScenarios

/// Something that can be made again, in a backup, that no more exact rule accounts for.
///
/// Backups are for what the user cannot get back. What can be fetched again fills the storage that
/// the user pays for, and App Review had a guideline against it.
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
    guard let checkpoint = event.checkpoint, let label = checkpoint.label else { return }
    for file in checkpoint.files {
      guard let dataClass = file.dataClass, ![.critical, .secret].contains(dataClass),
        // In a run whose system ignores marks, a marked item is no fault.
        checkpoint.isFault({ view in
          view.backup?.contains(file.path) == true && !view.ignoresMark(of: file.path)
        }),
        !report.isExplained(.backedUp, file.path),
        let step = event.facts.ledger.origin(of: file.path)
      else { continue }
      report.explain(.backedUp, file.path)
      report.add(
        self, at: step, on: file.path, identity: .item,
        "'\(file.path)' is \(dataClass.rawValue) data, which can be created or downloaded again, "
          + "but ", .held(""),
        in: label,
        advice: file.path.isInInbox
          ? .text(DataClass.inboxAdvice)
          : Self.advice(
            on: file.path, dataClass, at: checkpoint.now,
            isBesideDatabase: event.isBesideDatabase(file.path)),
        missingMark: dataClass.mark(on: checkpoint.profile))
    }
  }

  /// What to do about it: put it elsewhere or mark it, unless the mark is there and does not count.
  private static func advice(
    on path: ContainerPath, _ dataClass: DataClass, at view: Checkpoint.View,
    isBesideDatabase: Bool
  ) -> Violation.Advice {
    let profile = view.profile
    let mark = profile.markToSet.wayToSet
    let isOutOfPlace =
      profile.honouredMarks.value.isEmpty || dataClass.isMisplaced(path, on: profile)
    let isToBeMarked = !dataClass.mark(on: profile).isEmpty
    // What has the deprecated mark: the item, or a directory above it.
    let oldMark = (path.ancestors + [path]).last {
      view.tree[$0]?.marks.isDisjoint(with: profile.deprecatedMarks.value) == false
    }
    guard isToBeMarked, let marked = oldMark else {
      return .text(
        isOutOfPlace || !isToBeMarked
          ? dataClass.placeAdvice(for: path, on: profile)
          : isBesideDatabase
            ? IncompleteGroupRule.advice
            : "set \(mark) on it after each save, or keep it in a marked directory")
    }
    let place = isOutOfPlace ? "\(dataClass.placeAdvice(for: path, on: profile)); " : ""
    return .byFindings { findings in
      let again =
        findings.contains(DeprecatedMarkRule().name, marked)
        ? "set \(mark) instead" : "mark it again with \(mark) at the first launch after the update"
      return
        "\(place)its mark is the attribute of iOS 5.0.1, which later systems may ignore: \(again)"
    }
  }
}
