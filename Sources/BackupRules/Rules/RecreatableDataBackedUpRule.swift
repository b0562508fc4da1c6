import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// Something that can be made again, in a backup, that no more exact rule accounts for.
///
/// Backups are for what the user cannot get back. What can be fetched again fills the storage that
/// the user pays for, and App Review had a guideline against it.
struct RecreatableDataBackedUpRule: Rule {
  let name = "recreatable-data-backed-up"
  let severity = Scenario.Severity.error
  let summary = "a support, offline, cached or temporary item in a backup"
  let basis = RuleBasis.classes
  let subjects: [SystemProfile.Subject] = [.place]
  let sources: [SystemProfile.Source] = [
    .appReview223, .appleGuidelines2011, .appleOptimizing, .appleFSPG,
  ]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    var found: [Misplaced] = []
    var paths: Set<ContainerPath> = []
    for (index, moment) in history.indexedMoments {
      for file in moment.promisedFiles where !paths.contains(file.path) {
        guard let misplaced = misplaced(file, at: index, of: history, findings) else { continue }
        found.append(misplaced)
        paths.insert(file.path)
      }
    }
    let holders = history.holders(of: paths)
    for misplaced in found {
      let unexplained = (holders[misplaced.path] ?? []).filter {
        !findings.accounts(for: .backedUp(misplaced.path, at: $0))
      }
      report(
        misplaced, at: history.moments[misplaced.moment], in: history.labels(of: unexplained),
        &findings)
      for moment in unexplained {
        findings.account(for: .backedUp(misplaced.path, at: moment))
      }
    }
  }

  /// An item in a backup that it does not belong into.
  private struct Misplaced {
    /// The item.
    let path: ContainerPath
    /// What the app promised of it.
    let dataClass: DataClass
    /// The step that put it there.
    let step: Scenario.StepReference
    /// The index of the moment at which the first such backup was taken.
    let moment: Int
  }

  /// The item, if the backup of the moment holds it though it can be made again; nil where a
  /// finding accounts for that.
  private func misplaced(
    _ file: PromisedFile, at index: Int, of history: RunHistory, _ findings: FindingList
  ) -> Misplaced? {
    let moment = history.moments[index]
    guard let backup = moment.backup, let dataClass = file.dataClass, dataClass.canBeMadeAgain,
      !findings.accounts(for: .backedUp(file.path, at: index)),
      backup.set.decision(on: file.path)?.isIncluded == true,
      !moment.ignoresMark(of: file.path),
      let step = moment.ledger.origin(of: file.path)
    else { return nil }
    return Misplaced(path: file.path, dataClass: dataClass, step: step, moment: index)
  }

  /// Reports an item in some backups.
  private func report(
    _ item: Misplaced, at moment: RunHistory.Moment, in holders: [String],
    _ findings: inout FindingList
  ) {
    findings.add(
      self, at: item.step, on: item.path,
      "'\(item.path)' is \(item.dataClass.rawValue) data, which can be made again, but "
        + "\(holders.asBackups) \(holders.count.form("holds", plural: "hold")) it",
      advice: Inbox.holds(item.path) ? Inbox.advice : Self.advice(on: item, at: moment, findings),
      missingMark: item.dataClass.mark(on: moment.profile))
  }

  /// What to do with an item that belongs into no backup: to keep it in its place, or to mark it.
  private static func advice(
    on item: Misplaced, at moment: RunHistory.Moment, _ findings: FindingList
  ) -> String {
    let profile = moment.profile
    let mark = profile.markToSet.wayToSet
    let isOutOfPlace =
      profile.honouredMarks.value.isEmpty || item.dataClass.isMisplaced(item.path, on: profile)
    let isToBeMarked = !item.dataClass.mark(on: profile).isEmpty
    if isToBeMarked, let marked = oldMark(of: item.path, at: moment) {
      let place = isOutOfPlace ? "\(item.dataClass.placeAdvice(for: item.path, on: profile)); " : ""
      let again =
        findings.contains(DeprecatedMarkRule(), marked)
        ? "set \(mark) instead" : "mark it again with \(mark) at the first launch after the update"
      return
        "\(place)its mark is the attribute of iOS 5.0.1, which later systems are not known to go "
        + "by: \(again)"
    }
    return isOutOfPlace || !isToBeMarked
      ? item.dataClass.placeAdvice(for: item.path, on: profile)
      : "set \(mark) on it after each save, or keep it in a marked directory"
  }

  /// The item, or the directory above it, that has nothing but a mark of an earlier system's.
  private static func oldMark(
    of path: ContainerPath, at moment: RunHistory.Moment
  ) -> ContainerPath? {
    (path.ancestors + [path]).last {
      moment.tree[$0]?.marks.isDisjoint(with: moment.profile.deprecatedMarks.value) == false
    }
  }
}

extension DataClass {
  /// Whether data of the class belongs into no backup because it can be had again.
  fileprivate var canBeMadeAgain: Bool {
    switch self {
    case .support, .offline, .cached, .temporary: true
    case .critical, .secret: false
    }
  }
}
