import BackupDevice
import BackupFileTree
import BackupScenarios

/// What happens next in a run, as a rule sees it.
package struct ObservedEvent {
  /// What the transcript says of it; nil at the run's end.
  let entry: Transcript.Entry?
  let step: Scenario.StepReference
  let before: FileTree
  /// The system; for an update of it the one before, under which the app ran.
  let profile: SystemProfile
  let start: RunStart
  let facts: RunFacts
  let classes: PromisedClasses
  /// The container where the system acts, or at the end; nil for what the app does.
  let checkpoint: Checkpoint?
  /// Whether it is the end because a step failed.
  let isAfterFailure: Bool

  /// What happens; nil at the run's end.
  var event: Transcript.Event? { entry?.event }
  var isOfStart: Bool { entry?.isOfStart ?? false }
  /// Whether it is a part of a step in which the app is then killed.
  var isOfKilledStep: Bool { entry?.isOfKilledStep ?? false }
  var isOfCode: Bool { entry?.isOfCode ?? false }
  var isOfExtension: Bool { entry?.isOfExtension ?? false }
  var tree: FileTree { entry?.tree ?? before }
  var systemAfter: SystemProfile { entry?.profile ?? profile }
  var scenario: Scenario { start.scenario }
  var isEnd: Bool { entry == nil }

  var changes: [FileTree.Change] {
    if case .changes(let changes) = event { changes } else { [] }
  }

  /// Whether a library keeps an item beside a database, or a directory above it: it makes it anew at any
  /// time, so that a mark on it does not last.
  func isBesideDatabase(_ path: ContainerPath) -> Bool { facts.databases.isBeside(path) }

  func promisedClass(of path: ContainerPath) -> DataClass? { classes.promisedClass(of: path) }

  /// Whether a mark can be what an item lacks, by the app's promise of it; for a directory with
  /// files, whether it can be for any that is not kept out by a mark of its own or of a directory
  /// between.
  func canBeHelpedByMark(
    _ path: ContainerPath, in tree: FileTree, on profile: SystemProfile
  ) -> Bool {
    guard let item = tree[path], item.isDirectory else { return isHelpedByMark(path, on: profile) }
    var (isEmpty, isHelped) = (true, false)
    item.walk(at: path) { found, item in
      guard found == path || item.marks.isDisjoint(with: profile.honouredMarks.value) else {
        isEmpty = false
        return false
      }
      if !item.isDirectory, !facts.remnants.contains(found) {
        isEmpty = false
        isHelped = isHelped || isHelpedByMark(found, on: profile)
      }
      return !isHelped
    }
    return isEmpty || isHelped
  }

  /// Whether a mark can be what a file lacks; of one that was promised nothing it can.
  private func isHelpedByMark(_ path: ContainerPath, on profile: SystemProfile) -> Bool {
    promisedClass(of: path)?.isHelpedByMark(at: path, on: profile) ?? true
  }
}

/// The container where the system acts, or at the end.
final class Checkpoint {
  /// What there is to judge: the container, under a system, and the backup taken of it, if any.
  final class View {
    let tree: FileTree
    let profile: SystemProfile
    let backup: BackupSet?
    private(set) lazy var worstPurge =
      PurgeSimulator(profile: profile).remains(of: tree, .criticalStorage)
    private(set) lazy var leftOutReasons = backup?.leftOutReasons ?? [:]

    init(tree: FileTree, profile: SystemProfile, backup: BackupSet?) {
      self.tree = tree
      self.profile = profile
      self.backup = backup
    }

    /// Whether an item is marked in a way that the system honours, and this run's system ignores.
    func ignoresMark(of path: ContainerPath) -> Bool {
      profile.guidance == .ignored
        && (path.ancestors + [path]).contains {
          tree[$0]?.marks.isDisjoint(with: profile.honouredMarks.value) == false
        }
    }
  }

  /// The container that the system finds.
  let now: View
  private let control: RunFacts.Control
  private let backupKind: SystemProfile.BackupKind
  /// The label of the backup that is taken here, if any.
  let label: String?
  var hasAppHadControl: Bool { if case .neither = control { false } else { true } }
  /// The files and links in the container, each with the class that the app promised; without those
  /// that the system has handed over since the app had control.
  let files: [PromisedFile]

  /// How the app left the container, with the backup that would have been taken then; nil where nothing
  /// was changed since.
  private lazy var leftView: View? = {
    guard case .system(since: let tree, let profile) = control else { return nil }
    let simulator = BackupSimulator(profile: profile, backups: backupKind)
    return View(
      tree: tree, profile: profile, backup: label == nil ? nil : simulator.backUp(tree))
  }()

  init(
    _ now: View, label: String?, _ control: RunFacts.Control, files: [PromisedFile],
    _ backupKind: SystemProfile.BackupKind
  ) {
    self.now = now
    self.label = label
    self.files = files
    self.backupKind = backupKind
    self.control = control
  }

  var tree: FileTree { now.tree }
  var profile: SystemProfile { now.profile }

  /// Whether something is wrong here that the app is responsible for: it is wrong now, and was wrong
  /// when the app last had control.
  func isFault(_ isWrong: (View) -> Bool) -> Bool {
    hasAppHadControl && isWrong(now) && leftView.map(isWrong) != false
  }
}
