import BackupCollections
import BackupDevice
import BackupFileTree
import BackupScenarios

/// What the user's files held when the app last saved them for the user, and which starts of the app
/// have written over them since.
struct UserFiles {
  /// A start that wrote over a file.
  struct Change {
    /// The step of the start.
    let step: Scenario.StepReference
    /// Whether the contents are known to be others, not just another number of bytes.
    let isKnown: Bool
  }

  /// What each file held.
  private var saved = SortedMap<ContainerPath, FileTree.FileInformation>()
  /// What each held when a backup was taken, by its label.
  private var backups: [String: SortedMap<ContainerPath, FileTree.FileInformation>] = [:]
  /// Those that a restore brought back.
  private var restored: Set<ContainerPath> = []
  /// The files that a start has written over.
  private(set) var changes: [ContainerPath: Change] = [:]

  /// The container before what is followed next.
  private var tree: FileTree
  /// Whether the app may have taken any of them away since somebody looked.
  private var mayMissSome = false

  /// Nothing is saved yet.
  init(in tree: FileTree) {
    self.tree = tree
  }

  /// The restored files that a start has written over, in byte order of their paths.
  var restoredAndChanged: [(path: ContainerPath, change: Change)] {
    guard !restored.isEmpty, !changes.isEmpty else { return [] }
    return changes.filter { restored.contains($0.key) }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }

  /// What is remembered of a file.
  struct SavedFile: Hashable, Sendable {
    /// Where it is, or was.
    let path: ContainerPath
    /// What it held.
    let file: FileTree.FileInformation
    /// What tells this from other contents.
    let contents: ContentsSum
    /// Whether a restore brought it back.
    let isRestored: Bool
    /// Whether a start has written over it, and is known to have written something else.
    let isChangeKnown: Bool?
  }

  /// What is remembered of each file, in byte order of the paths.
  var memory: [SavedFile] {
    saved.elements.map { path, file in
      SavedFile(
        path: path, file: file, contents: file.contents, isRestored: restored.contains(path),
        isChangeKnown: changes[path]?.isKnown)
    }
  }

  /// Follows what happened.
  ///
  /// - Parameters:
  ///   - entry: What happened.
  ///   - classes: The classes of the files that there were.
  mutating func follow(_ entry: Transcript.Entry, _ classes: PromisedClasses) {
    switch entry.event {
    case .changes(let changes):
      mayMissSome = mayMissSome || changes.contains { mayTakeAway($0, entry) }
      for change in changes { follow(change, in: entry, classes) }
    case .place(let path): save(path, entry.tree, classes)
    case .backup(let backup): backups[backup.label] = saved
    case .restore(let backup, _):
      saved = backups[backup.label] ?? SortedMap()
      changes = [:]
      mayMissSome = true
      drop([], in: entry.tree)
      restored = Set(saved.elements.map(\.key))
    case .purge(_, taken: let items), .appUpdate(_, lost: let items), .offload(lost: let items),
      .reinstall(let items):
      drop(items, in: entry.tree)
    default: break
    }
    tree = entry.tree
  }

  /// Follows one thing that the app did.
  private mutating func follow(
    _ change: FileTree.Change, in entry: Transcript.Entry, _ classes: PromisedClasses
  ) {
    let isStart = entry.isOfStart
    switch change {
    case .created(let path), .replaced(let path):
      isStart ? writeOver(path, entry) : save(path, entry.tree, classes)
    case .savedInPlace(let path):
      let grew = saved[path].map { $0.size < entry.tree[path]?.size ?? 0 } ?? false
      isStart && !grew ? writeOver(path, entry) : save(path, entry.tree, classes)
    case .moved(let source, to: _) where !isStart:
      for gone in tree.paths(from: source) { forget(gone) }
      for path in entry.tree.paths(from: change.path) { save(path, entry.tree, classes) }
    case .moved(_, to: let path), .copied(_, to: let path):
      for path in entry.tree.paths(from: path) {
        isStart ? writeOver(path, entry) : save(path, entry.tree, classes)
      }
    case .removed(let path):
      guard !isStart else { return }
      for gone in tree.paths(from: path) { forget(gone) }
    case .marked, .cleared: break
    }
  }

  /// Notes that the app saved a file for the user.
  private mutating func save(
    _ path: ContainerPath, _ tree: FileTree, _ classes: PromisedClasses
  ) {
    // Defaults are the system's to write.
    guard classes.promisedClass(of: path) == .critical, path.location != .preferences else {
      return
    }
    changes[path] = nil
    restored.remove(path)
    saved[path] = tree[path]?.information
  }

  /// Notes that a start of the app saved a file.
  private mutating func writeOver(_ path: ContainerPath, _ entry: Transcript.Entry) {
    guard let former = saved[path], let now = entry.tree[path]?.information else { return }
    guard !now.mayHoldTheSame(as: former) else {
      changes[path] = nil
      return
    }
    let isKnown = former.contents.isKnown && now.contents.isKnown
    changes[path] = Change(step: entry.step, isKnown: isKnown)
  }

  /// Whether files may be gone by what the app did that nobody forgets for it.
  private func mayTakeAway(_ change: FileTree.Change, _ entry: Transcript.Entry) -> Bool {
    switch change {
    case .removed: entry.isOfStart
    case .replaced(let path), .copied(_, to: let path): tree[path]?.isDirectory == true
    case .moved(_, to: let path): entry.isOfStart || tree[path]?.isDirectory == true
    case .created, .savedInPlace, .marked, .cleared: false
    }
  }

  /// Forgets the files that are not there any more.
  ///
  /// - Parameters:
  ///   - items: What the system has taken.
  ///   - tree: What it has left.
  private mutating func drop(_ items: [FileTree.LostItem], in tree: FileTree) {
    guard mayMissSome else {
      for lost in items {
        lost.item.walk(at: lost.path) { path, _ in
          forget(path)
          return true
        }
      }
      return
    }
    for path in saved.elements.map(\.key) where tree[path]?.information == nil { forget(path) }
    mayMissSome = false
  }

  /// Forgets a file.
  private mutating func forget(_ path: ContainerPath) {
    guard saved[path] != nil else { return }
    saved[path] = nil
    changes[path] = nil
    restored.remove(path)
  }
}

extension FileTree.Item {
  /// What is known of a file's contents; nil for anything else.
  fileprivate var information: FileTree.FileInformation? {
    if case .file(let information) = kind { information } else { nil }
  }
}
