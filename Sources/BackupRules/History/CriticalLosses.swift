import BackupDevice
import BackupFileTree
import BackupScenarios

/// The critical files that the system took from the app, or did not bring back, and that the app
/// has not had again since.
struct CriticalLosses {
  /// The index of the next moment at which the system acts.
  private var nextMoment = 0
  /// The moment at which the last backup of each label was taken.
  private var backups: [String: Int] = [:]
  /// The moment at which each file was left out: of what the system leaves, or of the backup that
  /// it brought back.
  private var moments: [ContainerPath: Int] = [:]

  /// The moment at which a file was left out; nil for one that was not lost so.
  func moment(leavingOut path: ContainerPath) -> Int? { moments[path] }

  /// The files that are lost.
  var lostPaths: Set<ContainerPath> { Set(moments.keys) }

  /// Follows what happened.
  ///
  /// - Parameters:
  ///   - entry: What happened.
  ///   - classes: The classes of the files that there were.
  mutating func follow(_ entry: Transcript.Entry, _ classes: PromisedClasses) {
    switch entry.event {
    case .changes(let changes):
      for change in changes where !moments.isEmpty { follow(change, in: entry.tree) }
    case .backup(let backup):
      backups[backup.label] = nextMoment
    case .purge(_, taken: let items), .appUpdate(_, lost: let items), .offload(lost: let items):
      lose(items, at: nextMoment, classes)
    case .reinstall(let items):
      // The user deleted them with the app.
      for lost in items { lost.item.walk(at: lost.path) { path, _ in forget(path) } }
    case .restore(let backup, missing: let items):
      moments = moments.filter { !entry.tree.contains($0.key) }
      if let moment = backups[backup.label] { lose(items, at: moment, classes) }
    default: break
    }
    if entry.event.isBySystem { nextMoment += 1 }
  }

  /// Notes that the app has files again.
  private mutating func follow(_ change: FileTree.Change, in tree: FileTree) {
    switch change {
    case .created(let path), .replaced(let path), .savedInPlace(let path):
      moments[path] = nil
    case .moved(_, to: let path), .copied(_, to: let path):
      tree[path]?.walk(at: path) { found, _ in
        moments[found] = nil
        return true
      }
    case .removed, .marked, .cleared: break
    }
  }

  /// Forgets what became of a file.
  private mutating func forget(_ path: ContainerPath) -> Bool {
    moments[path] = nil
    return true
  }

  /// Notes that critical files are gone.
  private mutating func lose(
    _ items: [FileTree.LostItem], at moment: Int, _ classes: PromisedClasses
  ) {
    for lost in items {
      lost.item.walk(at: lost.path) { path, item in
        if !item.isDirectory, classes.knownClass(of: path) == .critical { moments[path] = moment }
        return true
      }
    }
  }
}
