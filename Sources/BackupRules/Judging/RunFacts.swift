import BackupCollections
package import BackupDevice
package import BackupFileTree
package import BackupScenarios

/// What rules know of a run that no snapshot of the device shows: who put each item there, which
/// marks are pending, and what the app has had control over.
///
/// A run goes on and is judged in the same way from two points at which the device's state, these
/// facts and the rules' memories are equal.
package struct RunFacts: Hashable, Sendable {
  /// Who has had control of the container last.
  ///
  /// The app is responsible for what is wrong if it has had control since the system last acted, or
  /// if it was wrong already when the app last had control.
  enum Control: Hashable {
    /// The app has had control since the system last acted.
    case app
    /// The system has acted since. This is how the app left the container, and under which system.
    case system(since: FileTree, SystemProfile)
    /// The app has never had control.
    case neither

    /// An extension has had control: of what is beside the app's own container, which it leaves like this.
    mutating func takeExtension(leaving tree: FileTree, on system: SystemProfile) {
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

  /// What is known of a backup that a later step may restore.
  struct RestorableBackup: Hashable {
    var files: SortedMap<ContainerPath, ContentsVersion>
    /// The critical files that the backup leaves out, as a finding says.
    var explained: Set<ContainerPath>
  }

  private(set) var ledger = ItemLedger()
  /// What is left of saves in which the app was killed: no pattern can name it, and the system
  /// cleans it up.
  private(set) var remnants: Set<ContainerPath> = []
  /// The files that the system handed over since the app last had control.
  private(set) var handedOver: Set<ContainerPath> = []
  private(set) var control = Control.neither
  /// The items in tmp since before the app was last started.
  private(set) var temporaryRemains: Set<ContainerPath> = []
  /// The critical files that the system took, or did not bring back, and that the app has not had
  /// again since; each with whether a finding says why.
  private(set) var losses: [ContainerPath: Bool] = [:]
  var files = UserFiles()
  private(set) var databases: Databases
  private(set) var backups: [String: RestorableBackup] = [:]
  /// The container before the first change of the step in which the app is being killed.
  private(set) var treeBeforeKilledStep: FileTree?
  private var pathsOfKilledStep: [ContainerPath] = []

  init(_ start: RunStart) {
    databases = Databases(in: start.tree)
    ledger.begin(with: start.tree, capturedBy: start.scenario.start?.reference)
    if start.scenario.start?.reference != nil {
      start.tree.forEachItem { path, item in
        if !item.isDirectory { handedOver.insert(path) }
      }
    }
  }

  /// Takes up an event before the rules see it.
  mutating func begin(_ entry: Transcript.Entry, before: FileTree) {
    ledger.follow(entry, before: before)
    databases.follow(entry)
    switch entry.event {
    case .changes(let changes):
      for change in changes { follow(change, in: entry, before: before) }
      if entry.isOfKilledStep {
        treeBeforeKilledStep = treeBeforeKilledStep ?? before
        pathsOfKilledStep += entry.event.touchedPaths
      }
    case .launch:
      temporaryRemains = Set(
        entry.tree.paths(from: ContainerPath.StandardLocation.temporary.path).filter {
          $0.location == .temporary
        })
    case .system(let event, lost: _):
      if let path = event.placedFile { handedOver.insert(path) }
    case .killed:
      noteRemnants(in: entry.tree)
    default: break
    }
    guard entry.event.traits.contains(.byApp) else { return }
    guard !entry.isOfExtension else {
      return control.takeExtension(leaving: entry.tree, on: entry.profile)
    }
    control = .app
    handedOver = []
  }

  /// Takes up an event after the rules have seen it.
  mutating func end(
    _ entry: Transcript.Entry, before: FileTree, profile: SystemProfile, _ report: RuleReport,
    _ classes: PromisedClasses
  ) {
    files.follow(entry, before: before, restoring: backups, classes)
    followLosses(entry, report, classes)
    // How the app left the container may still be looked at.
    if !remnants.isEmpty, control == .app { remnants = remnants.filter(entry.tree.contains) }
    switch entry.event {
    case .system(.backup(let backup), lost: _):
      let critical = report.explains(.leftOut) ? classes.criticalPaths : []
      let explained = critical.filter { report.isExplained(.leftOut, $0) }
      backups[backup.label] = RestorableBackup(files: files.saved, explained: explained)
    case .killed:
      treeBeforeKilledStep = nil
      pathsOfKilledStep = []
    default: break
    }
    if entry.event.system != nil, control == .app { control = .system(since: before, profile) }
  }

  mutating func keepBackups(_ labels: Set<String>) {
    for label in backups.keys where !labels.contains(label) { backups[label] = nil }
  }

  private mutating func follow(
    _ change: FileTree.Change, in entry: Transcript.Entry, before: FileTree
  ) {
    if !remnants.isEmpty { remnants.formUnion(change.carried(remnants, in: entry.tree)) }
    switch change {
    case .created(let path), .savedInPlace(let path), .replaced(let path):
      if !losses.isEmpty { losses[path] = nil }
      renew(path)
    case .moved(_, to: let path), .copied(_, to: let path):
      if !losses.isEmpty { for found in entry.tree.paths(from: path) { losses[found] = nil } }
      renew(path)
    case .removed, .marked, .cleared: break
    }
  }

  /// The app has put an item where one may have been since before its last start.
  private mutating func renew(_ path: ContainerPath) {
    guard !temporaryRemains.isEmpty, path.location == .temporary else { return }
    temporaryRemains = temporaryRemains.filter { !path.covers($0) }
  }

  private mutating func followLosses(
    _ entry: Transcript.Entry, _ report: RuleReport, _ classes: PromisedClasses
  ) {
    guard let lost = entry.event.losses else { return }
    if lost.fate == .deletedWithApp {
      lost.items.forEachItem { path, _ in losses[path] = nil }
    } else if let backup = entry.event.system?.restoredBackup {
      losses = losses.filter { !entry.tree.contains($0.key) }
      if let stored = backups[backup.label] { lose(lost.items, classes, stored.explained.contains) }
    } else {
      lose(lost.items, classes) { report.isExplained(.leftOut, $0) }
    }
  }

  private mutating func lose(
    _ items: [FileTree.LostItem], _ classes: PromisedClasses,
    _ isExplained: (ContainerPath) -> Bool
  ) {
    items.forEachItem { path, item in
      if !item.isDirectory, classes.promisedClass(of: path) == .critical {
        // What is beside a database shares its fate.
        let database = path.name.databaseName.map { ContainerPath($0, in: path.parent) }
        losses[path] = isExplained(path) || database.map(isExplained) == true
      }
    }
  }

  private mutating func noteRemnants(in tree: FileTree) {
    guard let former = treeBeforeKilledStep else { return }
    tree.forEachFile(changedSince: former, in: pathsOfKilledStep) { path, _, isThere in
      guard isThere, SystemProfile.RemnantPattern.atomicSave.matches(path) else { return }
      remnants.insert(path)
      ledger.forgetOrigin(of: path)
    }
  }
}

package final class RunStart: Sendable {
  package let scenario: Scenario
  package let tree: FileTree
  package let profile: SystemProfile
  package let backupKind: SystemProfile.BackupKind

  package init(_ transcript: Transcript) {
    self.scenario = transcript.scenario
    self.tree = transcript.firstTree
    self.backupKind = transcript.variant.backups
    self.profile =
      SystemProfile.all.first { $0.version == transcript.variant.system }
      ?? transcript.entries.first?.profile ?? SystemProfile.all[0]
  }
}

extension FileTree.Change {
  /// Those of a killed save's remnants that the change has moved or copied; code may copy a folder by saving
  /// each of its files again, under the same name.
  fileprivate func carried(_ remnants: Set<ContainerPath>, in tree: FileTree) -> [ContainerPath] {
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
