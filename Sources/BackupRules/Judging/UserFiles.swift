import BackupCollections
import BackupDevice
import BackupFileTree
import BackupScenarios

/// The user's files, as the app last saved them outside its starts.
struct UserFiles: Hashable {
  private(set) var saved = SortedMap<ContainerPath, ContentsVersion>()
  /// True if the app may have removed any of the files, so that each must be looked up in the tree.
  private var mayLackFiles = false

  mutating func record(
    _ entry: Transcript.Entry, before: FileTree,
    restoring backups: [String: RunFacts.RestorableBackup], _ classes: PromisedClasses
  ) {
    switch entry.event {
    case .changes(let changes):
      mayLackFiles = mayLackFiles || changes.contains { mayRemoveFiles($0, entry, before) }
      guard !entry.isOfStart else { return }
      for change in changes { record(change, in: entry, before, classes) }
    case .system(.restore(let backup), lost: _):
      saved = backups[backup.label]?.files ?? SortedMap()
      mayLackFiles = true
      removeLost([], in: entry.tree)
    case .system(let event, lost: let items):
      if let path = event.placedFile { save(path, entry.tree, classes) }
      if event.fate != nil { removeLost(items, in: entry.tree) }
    default: break
    }
  }

  private mutating func record(
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
    // Only the system writes user defaults.
    guard classes.promisedClass(of: path) == .critical, path.location != .preferences,
      !SystemProfile.RemnantPattern.atomicSave.matches(path)
    else { return }
    saved[path] = tree.file(at: path).map(ContentsVersion.init)
  }

  /// Returns true if the change may have removed files in a way that `record` does not see.
  private func mayRemoveFiles(
    _ change: FileTree.Change, _ entry: Transcript.Entry, _ tree: FileTree
  ) -> Bool {
    switch change {
    case .removed: entry.isOfStart
    case .replaced(let path), .copied(_, to: let path): tree[path]?.isDirectory == true
    case .moved(_, to: let path): entry.isOfStart || tree[path]?.isDirectory == true
    case .created, .savedInPlace, .marked, .cleared: false
    }
  }

  private mutating func removeLost(_ items: [FileTree.LostItem], in tree: FileTree) {
    guard mayLackFiles else {
      return items.forEachItem { path, _ in saved[path] = nil }
    }
    for path in saved.elements.map(\.key) where tree.file(at: path) == nil { saved[path] = nil }
    mayLackFiles = false
  }
}
