import BackupCollections
package import BackupDevice
package import BackupFileTree
package import BackupScenarios

/// The facts of a run that the device's state does not contain: the origin of each item, the pending
/// marks, and the last control of the app.
package struct RunFacts: Hashable, Sendable {
  /// The last control of the container, by the app or by the system.
  ///
  /// The app is responsible for a fault if it has had control since the system last acted, or if the
  /// fault was there when the app last had control.
  enum Control: Hashable {
    /// The app has had control since the system last acted.
    case app
    /// The system has acted since the app left this container, under this system.
    case system(since: FileTree, SystemProfile)
    /// The app has never had control.
    case neither

    /// Records that an extension had control of the containers beside the app's own, and left them as in `tree`.
    mutating func recordExtension(leaving tree: FileTree, on system: SystemProfile) {
      var (left, profile) = (FileTree(), system)
      switch self {
      case .app: return
      case .system(since: let former, let formerProfile): (left, profile) = (former, formerProfile)
      case .neither: break
      }
      for case let name? in tree.containerNames {
        let container = ContainerPath(name, in: nil)
        left.remove(container)
        if let item = tree[container] { left.insert(item, at: container) }
      }
      self = .system(since: left, profile)
    }
  }

  /// The facts about a backup that a later step may restore.
  struct RestorableBackup: Hashable {
    var files: SortedMap<ContainerPath, ContentsVersion>
    /// The critical files that the backup leaves out, if a finding explains why.
    var explained: Set<ContainerPath>
    /// The events between the app's last start before the backup and now.
    var circumstances: StartCircumstances
  }

  /// The events before a start that may make the app change its files.
  struct StartCircumstances: OptionSet, Hashable {
    let rawValue: UInt8

    /// The app has another version, or runs under another system.
    static let update = StartCircumstances(rawValue: 1)
    /// The app finds the files of a backup.
    static let restore = StartCircumstances(rawValue: 2)
    /// The device is locked.
    static let lock = StartCircumstances(rawValue: 4)
  }

  private(set) var ledger = ItemLedger()
  /// The temporary files of saves in which the app was killed. No pattern can name them, and the
  /// system removes them.
  package private(set) var remnants: Set<ContainerPath> = []
  /// The files that the system has placed in the container since the app last had control.
  private(set) var placedFiles: Set<ContainerPath> = []
  private(set) var control = Control.neither
  /// The items in tmp that are older than the last launch of the app.
  private(set) var oldTemporaryItems: Set<ContainerPath> = []
  /// The critical files that the system took or did not bring back, until the app creates them again.
  /// The value is true if a finding explains the loss.
  private(set) var isLossExplained: [ContainerPath: Bool] = [:]
  var files = UserFiles()
  private(set) var databases: Databases
  private(set) var backups: [String: RestorableBackup] = [:]
  /// The circumstances of the app's next start.
  private(set) var nextStart: StartCircumstances
  /// The container before the step in which the app is being killed.
  private(set) var treeBeforeKilledStep: FileTree?
  private var pathsOfKilledStep: [ContainerPath] = []

  init(_ start: RunStart) {
    databases = Databases(in: start.tree)
    // A captured container may be of any version of the app.
    nextStart = start.scenario.start == nil ? [] : .update
    ledger.begin(with: start.tree, capturedBy: start.scenario.start?.reference)
    if start.scenario.start?.reference != nil {
      start.tree.forEachItem { path, item in
        if !item.isDirectory { placedFiles.insert(path) }
      }
    }
  }

  /// Records an event before the rules see it.
  mutating func begin(_ entry: Transcript.Entry, before: FileTree) {
    ledger.record(entry, before: before)
    databases.record(entry)
    switch entry.event {
    case .changes(let changes):
      for change in changes { record(change, in: entry, before: before) }
      if entry.isOfKilledStep {
        treeBeforeKilledStep = treeBeforeKilledStep ?? before
        pathsOfKilledStep += entry.event.touchedPaths
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
  mutating func end(
    _ entry: Transcript.Entry, before: FileTree, profile: SystemProfile, _ report: RuleReport,
    _ classes: PromisedClasses
  ) {
    files.record(entry, before: before, restoring: backups, classes)
    recordLosses(entry, report, classes)
    // Rules may still look at the container that the app left.
    if !remnants.isEmpty, control == .app { remnants = remnants.filter(entry.tree.contains) }
    switch entry.event {
    case .system(.backup(let backup), lost: _):
      let critical = report.explains(.leftOut) ? classes.criticalPaths : []
      let explained = critical.filter { report.isExplained(.leftOut, $0) }
      backups[backup.label] = RestorableBackup(
        files: files.saved, explained: explained, circumstances: nextStart)
    case .system(.appUpdate, lost: _), .system(.systemUpdate, lost: _):
      nextStart.insert(.update)
      for label in backups.keys { backups[label]?.circumstances.insert(.update) }
    case .system(.restore(let backup), lost: _):
      // A folder may have the backup of any version of the app.
      nextStart = (backups[backup.label]?.circumstances ?? .update).union(.restore)
    case .launch where !entry.isOfKilledStep: nextStart = []
    case .killed:
      treeBeforeKilledStep = nil
      pathsOfKilledStep = []
    default: break
    }
    if entry.event.system != nil, control == .app { control = .system(since: before, profile) }
  }

  /// Removes the facts on which no later event depends. The container is `tree`, under `profile`.
  mutating func reduce(
    _ start: RunStart, restoring labels: Set<String>, without remnants: Set<ContainerPath>,
    in tree: FileTree, on profile: SystemProfile
  ) {
    for label in backups.keys where !labels.contains(label) { backups[label] = nil }
    if !start.startsMayChangeFiles {
      nextStart = []
      for label in backups.keys { backups[label]?.circumstances = [] }
    }
    self.remnants.subtract(remnants)
    guard case .system(since: let left, let former) = control else { return }
    if former == profile, ContainerState(tree: left) == ContainerState(tree: tree) {
      // The system has changed nothing since the app left the container.
      control = .app
    } else if !remnants.isEmpty {
      control = .system(since: left.removing(remnants), former)
    }
  }

  private mutating func record(
    _ change: FileTree.Change, in entry: Transcript.Entry, before: FileTree
  ) {
    if !remnants.isEmpty { remnants.formUnion(change.newPaths(of: remnants, in: entry.tree)) }
    switch change {
    case .created(let path), .savedInPlace(let path), .replaced(let path):
      if !isLossExplained.isEmpty { isLossExplained[path] = nil }
      recordNewItem(at: path)
    case .moved(_, to: let path), .copied(_, to: let path):
      if !isLossExplained.isEmpty {
        for found in entry.tree.paths(from: path) { isLossExplained[found] = nil }
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
    _ entry: Transcript.Entry, _ report: RuleReport, _ classes: PromisedClasses
  ) {
    guard let lost = entry.event.losses else { return }
    if lost.fate == .deletedWithApp {
      lost.items.forEachItem { path, _ in isLossExplained[path] = nil }
    } else if let backup = entry.event.system?.restoredBackup {
      isLossExplained = isLossExplained.filter { !entry.tree.contains($0.key) }
      if let stored = backups[backup.label] {
        addLosses(of: lost.items, classes, stored.explained.contains)
      }
    } else {
      addLosses(of: lost.items, classes) { report.isExplained(.leftOut, $0) }
    }
  }

  private mutating func addLosses(
    of items: [FileTree.LostItem], _ classes: PromisedClasses,
    _ isExplained: (ContainerPath) -> Bool
  ) {
    items.forEachItem { path, item in
      if !item.isDirectory, classes.promisedClass(of: path) == .critical {
        // An item beside a database shares its fate.
        let database = path.name.databaseName.map { ContainerPath($0, in: path.parent) }
        isLossExplained[path] = isExplained(path) || database.map(isExplained) == true
      }
    }
  }

  private mutating func recordRemnants(in tree: FileTree) {
    guard let former = treeBeforeKilledStep else { return }
    tree.forEachFile(changedSince: former, in: pathsOfKilledStep) { path, _, isThere in
      guard isThere, SystemProfile.RemnantPattern.atomicSave.matches(path) else { return }
      remnants.insert(path)
      ledger.removeOrigin(of: path)
    }
  }
}

package final class RunStart: Sendable {
  package let scenario: Scenario
  /// True if a start of the app may change files.
  let startsMayChangeFiles: Bool
  package let tree: FileTree
  package let profile: SystemProfile
  package let backupKind: SystemProfile.BackupKind

  package init(_ transcript: Transcript) {
    self.scenario = transcript.scenario
    // The scenario of a test's session has no steps, and says nothing of the test's code.
    self.startsMayChangeFiles =
      scenario.source == nil || transcript.runsCode || !scenario.launch.isEmpty
    self.tree = transcript.firstTree
    self.backupKind = transcript.variant.backups
    self.profile =
      SystemProfile.all.first { $0.version == transcript.variant.system }
      ?? transcript.entries.first?.profile ?? SystemProfile.all[0]
  }
}

extension FileTree.Change {
  /// Returns the new paths of remnants that the change has moved or copied. Code may copy a folder by saving each
  /// of its files again, under the same name.
  fileprivate func newPaths(of remnants: Set<ContainerPath>, in tree: FileTree) -> [ContainerPath] {
    func isRemnant(_ path: ContainerPath) -> Bool {
      SystemProfile.RemnantPattern.atomicSave.matches(path)
    }
    switch self {
    case .moved(let source, to: let path), .copied(let source, to: let path):
      return tree.paths(from: path).filter { found in
        isRemnant(found) && found.moved(from: path, to: source).map(remnants.contains) == true
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
