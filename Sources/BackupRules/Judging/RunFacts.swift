import BackupCollections
package import BackupDevice
package import BackupFileTree
package import BackupScenarios

/// The facts on earlier events that rules need, and that `Device` does not contain. Examples are
/// the step that created each item, and whether the app has had control since the system last
/// acted.
package struct RunFacts: Hashable, Sendable {
  /// The app's control of the container since the system last acted.
  ///
  /// If the app has had control, it is responsible for a fault. Otherwise, the app is responsible
  /// if the fault existed when the app last had control.
  enum Control: Hashable {
    /// The app has had control.
    case app
    /// The app has not had control. It left this container, under this version of iOS.
    case system(leftByApp: FileTree, SystemProfile)
    /// The app has never had control in this run.
    case neither

    /// Records that an extension had control of all containers except the app's own, and left them
    /// as in `tree`.
    mutating func recordExtension(leaving tree: FileTree, on profile: SystemProfile) {
      var (treeLeft, profileOfTree) = (FileTree(), profile)
      switch self {
      case .app: return
      case .system(leftByApp: let formerTree, let formerProfile):
        (treeLeft, profileOfTree) = (formerTree, formerProfile)
      case .neither: break
      }
      for case let name? in tree.containerNames {
        let container = ContainerPath(name, in: nil)
        treeLeft.remove(container)
        if let item = tree[container] { treeLeft.insert(item, at: container) }
      }
      self = .system(leftByApp: treeLeft, profileOfTree)
    }
  }

  /// The facts about a backup that a later step may restore.
  struct RestorableBackup: Hashable {
    /// The user's files at the time of the backup.
    var userFiles: SortedMap<ContainerPath, ContentsVersion>
    /// The critical files that the backup leaves out for a reason that a finding explains.
    var explainedFiles: Set<ContainerPath>
    /// The circumstances of the next start if the backup is restored, except for `restore`.
    var circumstances: StartCircumstances
  }

  /// The events before a start that may make the app change its files.
  struct StartCircumstances: OptionSet, Hashable {
    let rawValue: UInt8

    /// The app or iOS may have another version than at the app's last start.
    static let update = StartCircumstances(rawValue: 1)
    /// The container has the files of a restored backup.
    static let restore = StartCircumstances(rawValue: 2)
    /// The device is locked.
    static let lock = StartCircumstances(rawValue: 4)
  }

  private(set) var ledger = ItemLedger()
  /// The temporary files of saves during which the app was killed. Rules skip them: no pattern can
  /// name these files, and the system removes them.
  package private(set) var remnants: Set<ContainerPath> = []
  /// The files that the system has placed in the container since the app last had control.
  private(set) var placedFiles: Set<ContainerPath> = []
  private(set) var control = Control.neither
  /// The items in tmp that are older than the last launch of the app.
  private(set) var oldTemporaryItems: Set<ContainerPath> = []
  /// The critical files that the system took or did not restore, until the app creates them again.
  /// The value is true if a finding explains the loss.
  private(set) var isLossExplained: [ContainerPath: Bool] = [:]
  var userFiles = UserFiles()
  private(set) var databases: Databases
  private(set) var backups: [String: RestorableBackup] = [:]
  /// The circumstances of the app's next start.
  private(set) var nextStartCircumstances: StartCircumstances
  /// The container before the step during which the app is killed; nil for any other step.
  private(set) var treeBeforeKilledStep: FileTree?
  private var touchedPathsOfKilledStep: [ContainerPath] = []

  init(_ start: RunStart) {
    databases = Databases(in: start.tree)
    // Any version of the app may have left a captured container.
    nextStartCircumstances = start.scenario.start == nil ? [] : .update
    ledger.begin(with: start.tree, capturedBy: start.scenario.start?.reference)
    if start.scenario.start?.reference != nil {
      start.tree.forEachItem { path, item in
        if !item.isDirectory { placedFiles.insert(path) }
      }
    }
  }

  /// Records an event before the rules see it.
  mutating func recordBeforeRules(_ entry: Transcript.Entry, before treeBefore: FileTree) {
    ledger.record(entry, before: treeBefore)
    databases.record(entry)
    switch entry.event {
    case .changes(let changes):
      for change in changes { record(change, in: entry, before: treeBefore) }
      if entry.isOfKilledStep {
        treeBeforeKilledStep = treeBeforeKilledStep ?? treeBefore
        touchedPathsOfKilledStep += entry.event.touchedPaths
      }
    case .launch:
      oldTemporaryItems = Set(
        entry.tree.paths(from: ContainerPath.StandardLocation.temporary.path).filter {
          $0.location == .temporary
        })
    case .system(let event, lost: _):
      if let path = event.placedFile { placedFiles.insert(path) }
    case .killed:
      recordRemnants(in: entry.tree)
    default: break
    }
    guard entry.event.traits.contains(.byApp) else { return }
    guard !entry.isOfExtension else {
      return control.recordExtension(leaving: entry.tree, on: entry.profile)
    }
    control = .app
    placedFiles = []
  }

  /// Records an event after the rules have seen it.
  mutating func recordAfterRules(
    _ entry: Transcript.Entry, before treeBefore: FileTree, profile: SystemProfile,
    _ report: RuleReport, _ classes: DeclaredClasses
  ) {
    userFiles.record(entry, before: treeBefore, restoring: backups, classes)
    recordLosses(entry, report, classes)
    // After an event of the system, rules still compare with the container that the app left, which
    // may have more remnants.
    if !remnants.isEmpty, control == .app { remnants = remnants.filter(entry.tree.contains) }
    switch entry.event {
    case .system(.backup(let backup), lost: _):
      let criticalPaths = report.isExplainedForAnyItem(.leftOut) ? classes.criticalPaths : []
      let explainedFiles = criticalPaths.filter { report.isExplained(.leftOut, $0) }
      backups[backup.label] = RestorableBackup(
        userFiles: userFiles.savedVersions, explainedFiles: explainedFiles,
        circumstances: nextStartCircumstances)
    case .system(.appUpdate, lost: _), .system(.systemUpdate, lost: _):
      nextStartCircumstances.insert(.update)
      for label in backups.keys { backups[label]?.circumstances.insert(.update) }
    case .system(.restore(let backup), lost: _):
      // The backup may come from a folder, so any version of the app may have written its files.
      nextStartCircumstances = (backups[backup.label]?.circumstances ?? .update).union(.restore)
    case .launch where !entry.isOfKilledStep: nextStartCircumstances = []
    case .killed:
      treeBeforeKilledStep = nil
      touchedPathsOfKilledStep = []
    default: break
    }
    if entry.event.systemEvent != nil, control == .app {
      control = .system(leftByApp: treeBefore, profile)
    }
  }

  /// Removes the facts that no later event needs.
  ///
  /// Later steps restore only the backups with these labels, and do not need `remnants`. The device
  /// now has the container `tree` and the iOS version of `profile`.
  mutating func reduce(
    _ start: RunStart, restoring labels: Set<String>, without remnants: Set<ContainerPath>,
    in tree: FileTree, on profile: SystemProfile
  ) {
    for label in backups.keys where !labels.contains(label) { backups[label] = nil }
    if !start.startsMayChangeFiles {
      nextStartCircumstances = []
      for label in backups.keys { backups[label]?.circumstances = [] }
    }
    self.remnants.subtract(remnants)
    guard case .system(leftByApp: let treeLeft, let formerProfile) = control else { return }
    if formerProfile == profile, ContainerState(tree: treeLeft) == ContainerState(tree: tree) {
      // The system has changed nothing since the app left the container.
      control = .app
    } else if !remnants.isEmpty {
      control = .system(leftByApp: treeLeft.removing(remnants), formerProfile)
    }
  }

  private mutating func record(
    _ change: FileTree.Change, in entry: Transcript.Entry, before treeBefore: FileTree
  ) {
    if !remnants.isEmpty { remnants.formUnion(change.newPaths(of: remnants, in: entry.tree)) }
    switch change {
    case .created(let path), .savedInPlace(let path), .replaced(let path):
      if !isLossExplained.isEmpty { isLossExplained[path] = nil }
      recordNewItem(at: path)
    case .moved(_, to: let path), .copied(_, to: let path):
      if !isLossExplained.isEmpty {
        for newPath in entry.tree.paths(from: path) { isLossExplained[newPath] = nil }
      }
      recordNewItem(at: path)
    case .removed, .marked, .cleared: break
    }
  }

  private mutating func recordNewItem(at path: ContainerPath) {
    guard !oldTemporaryItems.isEmpty, path.location == .temporary else { return }
    oldTemporaryItems = oldTemporaryItems.filter { !path.covers($0) }
  }

  private mutating func recordLosses(
    _ entry: Transcript.Entry, _ report: RuleReport, _ classes: DeclaredClasses
  ) {
    guard let losses = entry.event.losses else { return }
    if losses.lossReason == .deletedWithApp {
      losses.items.forEachItem { path, _ in isLossExplained[path] = nil }
    } else if let backup = entry.event.systemEvent?.restoredBackup {
      isLossExplained = isLossExplained.filter { !entry.tree.contains($0.key) }
      if let backupFacts = backups[backup.label] {
        addLosses(of: losses.items, classes, backupFacts.explainedFiles.contains)
      }
    } else {
      addLosses(of: losses.items, classes) { report.isExplained(.leftOut, $0) }
    }
  }

  private mutating func addLosses(
    of items: [FileTree.LostItem], _ classes: DeclaredClasses,
    _ isExplained: (ContainerPath) -> Bool
  ) {
    items.forEachItem { path, item in
      if !item.isDirectory, classes.promisedClass(of: path) == .critical {
        // A finding on a database also explains the loss of the files beside it.
        let database = path.name.databaseName.map { ContainerPath($0, in: path.parent) }
        isLossExplained[path] = isExplained(path) || database.map(isExplained) == true
      }
    }
  }

  private mutating func recordRemnants(in tree: FileTree) {
    guard let formerTree = treeBeforeKilledStep else { return }
    tree.forEachFile(changedSince: formerTree, in: touchedPathsOfKilledStep) { path, _, exists in
      guard exists, SystemProfile.RemnantPattern.atomicSave.matches(path) else { return }
      remnants.insert(path)
      ledger.removeOrigin(of: path)
    }
  }
}

/// The facts at the start of a run.
package final class RunStart: Sendable {
  package let scenario: Scenario
  /// True if a start of the app may change files.
  let startsMayChangeFiles: Bool
  package let tree: FileTree
  package let profile: SystemProfile
  package let backupKind: SystemProfile.BackupKind

  package init(_ transcript: Transcript) {
    self.scenario = transcript.scenario
    // The scenario of a test's session has no steps, so a start of the test's app may do anything.
    self.startsMayChangeFiles =
      scenario.fileValue == nil || transcript.runsCode || !scenario.launch.isEmpty
    self.tree = transcript.firstTree
    self.backupKind = transcript.variant.backups
    self.profile =
      SystemProfile.all.first { $0.version == transcript.variant.system }
      ?? transcript.entries.first?.profile ?? SystemProfile.all[0]
  }
}

extension FileTree.Change {
  /// Returns the new paths of remnants that the change moved or copied. An app may also copy a
  /// folder by writing each file anew, with the same name.
  fileprivate func newPaths(of remnants: Set<ContainerPath>, in tree: FileTree) -> [ContainerPath] {
    func isRemnant(_ path: ContainerPath) -> Bool {
      SystemProfile.RemnantPattern.atomicSave.matches(path)
    }
    switch self {
    case .moved(let source, to: let path), .copied(let source, to: let path):
      return tree.paths(from: path).filter { newPath in
        isRemnant(newPath) && newPath.moved(from: path, to: source).map(remnants.contains) == true
      }
    case .created(let path), .replaced(let path):
      return isRemnant(path) && remnants.contains { $0.name == path.name } ? [path] : []
    case .removed, .marked, .cleared, .savedInPlace: return []
    }
  }
}

extension Transcript.Event {
  var touchedPaths: [ContainerPath] {
    if case .changes(let changes) = self { changes.flatMap(\.touchedPaths) } else { [] }
  }
}
