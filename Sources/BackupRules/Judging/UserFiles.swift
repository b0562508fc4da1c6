import BackupCollections
import BackupDevice
import BackupFileTree
import BackupScenarios

/// The user's files, as the app last saved them. Saves during a start do not count.
struct UserFiles: Hashable {
  private(set) var savedVersions = SortedMap<ContainerPath, ContentsVersion>()
  /// True if `savedVersions` may contain removed files. The next loss of files then removes from
  /// `savedVersions` all files that no longer exist.
  private var mayHaveRemovedFiles = false

  mutating func record(
    _ entry: Transcript.Entry, before treeBefore: FileTree,
    restoring backups: [String: RunFacts.RestorableBackup], _ classes: DeclaredClasses
  ) {
    switch entry.event {
    case .changes(let changes):
      mayHaveRemovedFiles =
        mayHaveRemovedFiles || changes.contains { leavesRemovedFiles($0, entry, treeBefore) }
      guard !entry.isOfStart else { return }
      for change in changes { record(change, in: entry, treeBefore, classes) }
    case .system(.restore(let backup), lost: _):
      savedVersions = backups[backup.label]?.userFiles ?? SortedMap()
      mayHaveRemovedFiles = true
      removeLostFiles([], in: entry.tree)
    case .system(let event, lost: let items):
      if let path = event.placedFile { recordSave(path, entry.tree, classes) }
      if event.lossReason != nil { removeLostFiles(items, in: entry.tree) }
    default: break
    }
  }

  private mutating func record(
    _ change: FileTree.Change, in entry: Transcript.Entry, _ treeBefore: FileTree,
    _ classes: DeclaredClasses
  ) {
    switch change {
    case .created(let path), .replaced(let path), .savedInPlace(let path):
      recordSave(path, entry.tree, classes)
    case .moved(let source, to: let path):
      for formerPath in treeBefore.paths(from: source) { savedVersions[formerPath] = nil }
      for path in entry.tree.paths(from: path) { recordSave(path, entry.tree, classes) }
    case .copied(_, to: let path):
      for path in entry.tree.paths(from: path) { recordSave(path, entry.tree, classes) }
    case .removed(let path):
      for removedPath in treeBefore.paths(from: path) { savedVersions[removedPath] = nil }
    case .marked, .cleared: break
    }
  }

  private mutating func recordSave(
    _ path: ContainerPath, _ tree: FileTree, _ classes: DeclaredClasses
  ) {
    // The files of user defaults do not count, because only the system writes them.
    guard classes.promisedClass(of: path) == .critical, path.location != .preferences,
      !SystemProfile.RemnantPattern.atomicSave.matches(path)
    else { return }
    savedVersions[path] = tree.fileInformation(at: path).map(ContentsVersion.init)
  }

  /// Returns true if the change may have removed files that `record` leaves in `savedVersions`.
  private func leavesRemovedFiles(
    _ change: FileTree.Change, _ entry: Transcript.Entry, _ treeBefore: FileTree
  ) -> Bool {
    switch change {
    case .removed: entry.isOfStart
    case .replaced(let path), .copied(_, to: let path): treeBefore[path]?.isDirectory == true
    case .moved(_, to: let path): entry.isOfStart || treeBefore[path]?.isDirectory == true
    case .created, .savedInPlace, .marked, .cleared: false
    }
  }

  private mutating func removeLostFiles(_ items: [FileTree.LostItem], in tree: FileTree) {
    guard mayHaveRemovedFiles else {
      return items.forEachItem { path, _ in savedVersions[path] = nil }
    }
    for path in savedVersions.elements.map(\.key) where tree.fileInformation(at: path) == nil {
      savedVersions[path] = nil
    }
    mayHaveRemovedFiles = false
  }
}
