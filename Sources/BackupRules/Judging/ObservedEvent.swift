import BackupDevice
import BackupFileTree
import BackupScenarios

/// An event of a run, or the end of the run, with everything that rules need.
package struct ObservedEvent {
  /// The event's entry in the transcript; nil at the end of the run.
  let entry: Transcript.Entry?
  let step: Scenario.StepReference
  /// The container before the event.
  let treeBefore: FileTree
  /// The version of iOS before the event. An update of iOS is judged under the old version.
  let profile: SystemProfile
  let runStart: RunStart
  let facts: RunFacts
  let classes: DeclaredClasses
  /// The container to judge; nil unless iOS acts or the run ends.
  let checkpoint: Checkpoint?
  /// True if the run ends here because a step failed.
  let isAfterFailure: Bool

  var event: Transcript.Event? { entry?.event }
  var isOfStart: Bool { entry?.isOfStart ?? false }
  /// True if the app is killed later in the same step.
  var isOfKilledStep: Bool { entry?.isOfKilledStep ?? false }
  var isOfExtension: Bool { entry?.isOfExtension ?? false }
  var tree: FileTree { entry?.tree ?? treeBefore }
  var profileAfter: SystemProfile { entry?.profile ?? profile }
  var scenario: Scenario { runStart.scenario }
  var isEnd: Bool { entry == nil }

  var changes: [FileTree.Change] {
    if case .changes(let changes) = event { changes } else { [] }
  }

  /// Returns true if a library keeps the item, or a directory above it, beside a database. A mark
  /// on such an item does not last, because the library may create the item again at any time.
  func isBesideDatabase(_ path: ContainerPath) -> Bool { facts.databases.isBesideDatabase(path) }

  func promisedClass(of path: ContainerPath) -> DataClass? { classes.promisedClass(of: path) }

  /// Returns true if the class of an item permits a mark on it.
  ///
  /// A directory permits a mark if it has no files, or if the class of one of its files permits a
  /// mark. Files with their own mark, and files in a marked subdirectory, permit none.
  func permitsMark(
    on path: ContainerPath, in tree: FileTree, under profile: SystemProfile
  ) -> Bool {
    guard let item = tree[path], item.isDirectory else {
      return permitsMark(onFile: path, under: profile)
    }
    var (isEmpty, isPermitted) = (true, false)
    item.walk(at: path) { innerPath, item in
      guard innerPath == path || item.marks.isDisjoint(with: profile.honouredMarks.value) else {
        isEmpty = false
        return false
      }
      if !item.isDirectory, !facts.remnants.contains(innerPath) {
        isEmpty = false
        isPermitted = isPermitted || permitsMark(onFile: innerPath, under: profile)
      }
      return !isPermitted
    }
    return isEmpty || isPermitted
  }

  /// Returns true if the class of a file permits a mark on it, or if the file has no class.
  private func permitsMark(onFile path: ContainerPath, under profile: SystemProfile) -> Bool {
    promisedClass(of: path)?.permitsMark(at: path, on: profile) ?? true
  }
}

/// The container at an event of the system or at the end of the run.
final class Checkpoint {
  /// A container to judge, with its version of iOS and its backup, if any.
  final class View {
    let tree: FileTree
    let profile: SystemProfile
    let backup: BackupSet?
    /// The container after the worst purge.
    private(set) lazy var treeAfterWorstPurge =
      PurgeSimulator(profile: profile).containerAfterPurge(of: tree, .criticalStorage)
    private(set) lazy var leftOutReasons = backup?.leftOutReasons ?? [:]

    init(tree: FileTree, profile: SystemProfile, backup: BackupSet?) {
      self.tree = tree
      self.profile = profile
      self.backup = backup
    }

    /// Returns true if the run ignores a mark on the item or on a directory above it. Runs ignore
    /// marks if the system's `guidance` is `ignored`.
    func ignoresMark(of path: ContainerPath) -> Bool {
      profile.guidance == .ignored
        && (path.ancestors + [path]).contains {
          tree[$0]?.marks.isDisjoint(with: profile.honouredMarks.value) == false
        }
    }
  }

  /// The container that the system finds.
  let currentView: View
  private let control: RunFacts.Control
  private let backupKind: SystemProfile.BackupKind
  /// The label of the backup that is taken here, if any.
  let backupLabel: String?
  var hasAppHadControl: Bool { if case .neither = control { false } else { true } }
  /// The files and links to judge. Left out are remnants of killed saves, and files that the system
  /// has placed since the app last had control.
  let filesToJudge: [PromisedFile]

  /// The container as the app left it, with the backup that iOS would have taken then. Nil if
  /// the app has had control since the system last acted, or if the app has never had control.
  private lazy var viewLeftByApp: View? = {
    guard case .system(leftByApp: let tree, let profile) = control else { return nil }
    let simulator = BackupSimulator(profile: profile, backups: backupKind)
    return View(
      tree: tree, profile: profile, backup: backupLabel == nil ? nil : simulator.backUp(tree))
  }()

  init(
    _ current: View, backupLabel: String?, _ control: RunFacts.Control,
    filesToJudge: [PromisedFile],
    _ backupKind: SystemProfile.BackupKind
  ) {
    self.currentView = current
    self.backupLabel = backupLabel
    self.filesToJudge = filesToJudge
    self.backupKind = backupKind
    self.control = control
  }

  var tree: FileTree { currentView.tree }
  var profile: SystemProfile { currentView.profile }

  /// Returns true if the app is responsible for a fault: the fault exists now, and existed when the
  /// app last had control.
  func isFaultOfApp(_ hasFault: (View) -> Bool) -> Bool {
    hasAppHadControl && hasFault(currentView) && viewLeftByApp.map(hasFault) != false
  }
}
