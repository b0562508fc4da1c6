import BackupCollections
import BackupDevice
import BackupFileTree
import BackupScenarios

/// The user's files, as the app last saved them in a step of the user's.
struct UserFiles: Hashable {
  private(set) var saved = SortedMap<ContainerPath, ContentsVersion>()
  /// Whether the app may have removed any of them, so that all must be looked for.
  private var mayMissSome = false

  mutating func follow(
    _ entry: Transcript.Entry, before: FileTree,
    restoring backups: [String: RunFacts.RestorableBackup], _ classes: PromisedClasses
  ) {
    switch entry.event {
    case .changes(let changes):
      mayMissSome = mayMissSome || changes.contains { mayTakeAway($0, entry, before) }
      guard !entry.isOfStart else { return }
      for change in changes { follow(change, in: entry, before, classes) }
    case .system(.restore(let backup), lost: _):
      saved = backups[backup.label]?.files ?? SortedMap()
      mayMissSome = true
      drop([], in: entry.tree)
    case .system(let event, lost: let items):
      if let path = event.placedFile { save(path, entry.tree, classes) }
      if event.fate != nil { drop(items, in: entry.tree) }
    default: break
    }
  }

  private mutating func follow(
    _ change: FileTree.Change, in entry: Transcript.Entry, _ before: FileTree,
    _ classes: PromisedClasses
  ) {
    switch change {
    case .created(let path), .replaced(let path), .savedInPlace(let path):
      save(path, entry.tree, classes)
    case .moved(let source, to: let path):
      for gone in before.paths(from: source) { saved[gone] = nil }
      for path in entry.tree.paths(from: path) { save(path, entry.tree, classes) }
    case .copied(_, to: let path):
      for path in entry.tree.paths(from: path) { save(path, entry.tree, classes) }
    case .removed(let path): for gone in before.paths(from: path) { saved[gone] = nil }
    case .marked, .cleared: break
    }
  }

  private mutating func save(_ path: ContainerPath, _ tree: FileTree, _ classes: PromisedClasses) {
    // Defaults are the system's to write.
    guard classes.promisedClass(of: path) == .critical, path.location != .preferences,
      !SystemProfile.RemnantPattern.atomicSave.matches(path)
    else { return }
    saved[path] = tree.file(at: path).map(ContentsVersion.init)
  }

  /// Whether files may be gone by a change other than their removal in a step.
  private func mayTakeAway(
    _ change: FileTree.Change, _ entry: Transcript.Entry, _ tree: FileTree
  ) -> Bool {
    switch change {
    case .removed: entry.isOfStart
    case .replaced(let path), .copied(_, to: let path): tree[path]?.isDirectory == true
    case .moved(_, to: let path): entry.isOfStart || tree[path]?.isDirectory == true
    case .created, .savedInPlace, .marked, .cleared: false
    }
  }

  private mutating func drop(_ items: [FileTree.LostItem], in tree: FileTree) {
    guard mayMissSome else {
      return items.forEachItem { path, _ in saved[path] = nil }
    }
    for path in saved.elements.map(\.key) where tree.file(at: path) == nil { saved[path] = nil }
    mayMissSome = false
  }
}
