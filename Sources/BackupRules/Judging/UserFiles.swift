import BackupCollections
import BackupDevice
import BackupFileTree
import BackupScenarios

/// What the user's files held when the app last saved them for the user, and which starts of the app
/// have written over them since.
struct UserFiles: Hashable {
  /// A start that wrote over a file.
  struct ContentChange: Hashable {
    let step: Scenario.StepReference
    /// Whether the contents are known to differ, not just the number of bytes.
    let isKnown: Bool
  }

  /// What a file held, contents included: two of the same size are equal only if their contents are.
  struct Version: Hashable {
    let information: FileTree.FileInformation
    let contents: ContentsSum

    init(_ information: FileTree.FileInformation) {
      self.information = information
      self.contents = information.contents
    }

    var canBeFollowed: Bool { contents.isKnown && information.size > 0 }

    /// The words of a text or property list; empty for anything else.
    var words: Set<String> { information.words ?? [] }
  }

  private(set) var saved = SortedMap<ContainerPath, Version>()
  /// Those that a restore brought back.
  private var restored: Set<ContainerPath> = []
  /// Those that no later version of the app has saved since an update: its start may bring them to a new format.
  private var ofFormerVersion: Set<ContainerPath> = []
  /// The files that a start has written over.
  private(set) var changes: [ContainerPath: ContentChange] = [:]
  /// Whether a start has changed any, and may still save its contents in another file.
  private var isStarting = false
  /// Whether the app may have removed any of them, so that all must be looked for.
  private var mayMissSome = false

  /// The restored files that a start has written over, in byte order of their paths.
  var restoredAndChanged: [(path: ContainerPath, change: ContentChange)] {
    guard !restored.isEmpty, !changes.isEmpty else { return [] }
    return changes.filter { restored.contains($0.key) }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }

  mutating func follow(
    _ entry: Transcript.Entry, before: FileTree,
    restoring backups: [String: RunFacts.RestorableBackup],
    _ classes: PromisedClasses
  ) {
    switch entry.event {
    case .changes(let changes):
      mayMissSome = mayMissSome || changes.contains { mayTakeAway($0, entry, before) }
      for change in changes { follow(change, in: entry, before, classes) }
    case .system(.restore(let backup), lost: _):
      saved = backups[backup.label]?.files ?? SortedMap()
      changes = [:]
      mayMissSome = true
      drop([], in: entry.tree)
      restored = Set(saved.elements.map(\.key))
    case .system(let event, lost: let items):
      if let path = event.placedFile { save(path, entry.tree, classes) }
      if event.fate != nil { drop(items, in: entry.tree) }
      if event.fate == .notCarriedOver { ofFormerVersion = Set(saved.elements.map(\.key)) }
    default: break
    }
  }

  private mutating func follow(
    _ change: FileTree.Change, in entry: Transcript.Entry, _ before: FileTree,
    _ classes: PromisedClasses
  ) {
    let isStart = entry.isOfStart
    switch change {
    case .created(let path), .replaced(let path):
      isStart ? writeOver(path, entry) : save(path, entry.tree, classes)
    case .savedInPlace(let path):
      let grew = saved[path].map { $0.information.size < entry.tree[path]?.size ?? 0 } ?? false
      isStart && !grew ? writeOver(path, entry) : save(path, entry.tree, classes)
    case .moved(let source, to: _) where !isStart:
      for gone in before.paths(from: source) { forget(gone) }
      for path in entry.tree.paths(from: change.path) { save(path, entry.tree, classes) }
    case .moved(_, to: let path), .copied(_, to: let path):
      for path in entry.tree.paths(from: path) {
        isStart ? writeOver(path, entry) : save(path, entry.tree, classes)
      }
    case .removed(let path):
      guard !isStart else { return }
      for gone in before.paths(from: path) { forget(gone) }
    case .marked, .cleared: break
    }
  }

  private mutating func save(_ path: ContainerPath, _ tree: FileTree, _ classes: PromisedClasses) {
    // Defaults are the system's to write.
    guard classes.promisedClass(of: path) == .critical, path.location != .preferences,
      !SystemProfile.RemnantPattern.atomicSave.matches(path)
    else { return }
    changes[path] = nil
    restored.remove(path)
    ofFormerVersion.remove(path)
    saved[path] = tree.file(at: path).map(Version.init)
  }

  private mutating func writeOver(_ path: ContainerPath, _ entry: Transcript.Entry) {
    guard let former = saved[path]?.information, let now = entry.tree.file(at: path) else { return }
    // What code writes may be the same in a new format.
    let isOfFormerVersion = ofFormerVersion.contains(path)
    let words = former.words ?? []
    // A new format may leave some out, but a device that was restored is no reason to.
    let isHalfEnough = isOfFormerVersion || !restored.contains(path)
    let keptCount = words.intersection(now.words ?? []).count * (isHalfEnough ? 2 : 1)
    let keepsWords = !words.isEmpty && keptCount >= words.count
    let isLonger = isOfFormerVersion && now.size > former.size
    let isConverted = entry.isOfCode && (keepsWords || isLonger)
    guard !now.mayHoldTheSame(as: former), !entry.isOfCode || now.size != former.size,
      !isConverted
    else {
      changes[path] = nil
      return
    }
    let isKnown = !entry.isOfCode && former.contents.isKnown && now.contents.isKnown
    changes[path] = ContentChange(step: entry.step, isKnown: isKnown)
    isStarting = true
  }

  /// Leaves out the files whose contents another file has when a start ends.
  mutating func endStart(in tree: FileTree, on profile: SystemProfile) {
    guard isStarting else { return }
    isStarting = false
    let lasting = tree.lastingVersions(on: profile)
    changes = changes.filter { path, _ in
      saved[path].map { $0.canBeFollowed && lasting.contains($0) } != true
    }
  }

  /// Whether files may be gone by a change other than their removal.
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
      return items.forEachItem { path, _ in forget(path) }
    }
    for path in saved.elements.map(\.key) where tree.file(at: path) == nil { forget(path) }
    mayMissSome = false
  }

  private mutating func forget(_ path: ContainerPath) {
    guard saved[path] != nil else { return }
    saved[path] = nil
    changes[path] = nil
    restored.remove(path)
    ofFormerVersion.remove(path)
  }
}

extension FileTree {
  /// What a file holds; nil if it does not exist.
  func version(at path: ContainerPath) -> UserFiles.Version? {
    file(at: path).map(UserFiles.Version.init)
  }

  /// What the files hold that a predicate accepts and that are in no place which the system purges.
  func lastingVersions(
    on profile: SystemProfile, of files: (ContainerPath) -> Bool = { _ in true }
  ) -> Set<UserFiles.Version> {
    var versions: Set<UserFiles.Version> = []
    forEachItem { path, item in
      if case .file(let information) = item.kind, !profile.mayPurge(path), files(path) {
        versions.insert(UserFiles.Version(information))
      }
    }
    return versions
  }
}
