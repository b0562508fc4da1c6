import BackupFileTree

/// One walk over a tree that decides for every item.
struct BackupPass {
  /// What the backups of this system hold.
  let policy: SystemProfile.BackupPolicy
  /// The marks that keep an item out.
  let marks: ExclusionMark
  /// The marks that would, were guidance not ignored.
  let ignoredMarks: ExclusionMark
  /// Whether a `.app` at the top is the app's bundle.
  let bundleIsInContainer: Bool
  /// The decisions so far.
  private(set) var decisions: [BackupSet.Decision] = []
  /// The places left out, with the reason each gives.
  private let places: [ContainerPath: BackupSet.LeftOutReason]
  /// How many components the deepest of those places has.
  private let deepestPlace: Int

  /// A walk that has not begun.
  init(
    policy: SystemProfile.BackupPolicy, marks: ExclusionMark, ignoredMarks: ExclusionMark,
    bundleIsInContainer: Bool
  ) {
    self.policy = policy
    self.marks = marks
    self.ignoredMarks = ignoredMarks
    self.bundleIsInContainer = bundleIsInContainer
    var places: [ContainerPath: BackupSet.LeftOutReason] = [:]
    for location in policy.locations.map(\.value) { places[location] = .location(location) }
    for place in policy.systemManaged.map(\.value) { places[place] = .systemManaged(place) }
    self.places = places
    self.deepestPlace = places.keys.map(\.components.count).max() ?? 0
  }

  /// Decides for an item right in the container, among its siblings, and all in it.
  mutating func decideTop(_ entry: FileTree.Children.Entry, siblings: FileTree.Children) {
    let path = ContainerPath(entry.name)
    if places[path] == nil, let reason = reasonAtTop(path) {
      leaveOut(entry.item, at: path, reason, below: reason)
    } else {
      decide(entry.item, at: path, depth: 1, siblings: siblings)
    }
  }

  /// Why an item at the container's top is outside of what backups hold, or nil.
  private func reasonAtTop(_ path: ContainerPath) -> BackupSet.LeftOutReason? {
    if bundleIsInContainer, path.bytes.suffix(4).elementsEqual(".app".utf8) {
      return .bundle(path)
    }
    guard let roots = policy.roots.value, !roots.contains(path) else { return nil }
    return .outsideRoots(path)
  }

  /// Decides for an item and all in it.
  private mutating func decide(
    _ item: FileTree.Item, at path: ContainerPath, depth: Int, siblings: FileTree.Children
  ) {
    if depth <= deepestPlace, let place = places[path] {
      leaveOut(item, at: path, place, below: place)
    } else if !item.marks.isDisjoint(with: marks) {
      let mark = item.marks.intersection(marks)
      leaveOut(item, at: path, .ownMark(mark), below: .markedDirectory(path))
    } else if let reason = reasonOfItsOwn(item, at: path, among: siblings) {
      leaveOut(item, at: path, reason, below: reason)
    } else {
      include(item, at: path, depth: depth)
    }
  }

  /// Puts an item into the backup and decides for what is in it.
  private mutating func include(_ item: FileTree.Item, at path: ContainerPath, depth: Int) {
    let verdict = BackupSet.Decision.Verdict.included(
      despite: item.marks.intersection(ignoredMarks))
    decisions.append(BackupSet.Decision(path: path, kind: item.backupKind, verdict: verdict))
    guard case .directory(let children) = item.kind else { return }
    for entry in children.entries {
      decide(entry.item, at: path.appending(entry.name), depth: depth + 1, siblings: children)
    }
  }

  /// Leaves an item out, and all in it for the reason `below`.
  private mutating func leaveOut(
    _ item: FileTree.Item, at path: ContainerPath, _ reason: BackupSet.LeftOutReason,
    below: BackupSet.LeftOutReason
  ) {
    let verdict = BackupSet.Decision.Verdict.leftOut(reason)
    decisions.append(BackupSet.Decision(path: path, kind: item.backupKind, verdict: verdict))
    guard case .directory(let children) = item.kind else { return }
    for entry in children.entries {
      let inner = path.appending(entry.name)
      leaveOut(entry.item, at: inner, ownReason(below, at: inner), below: below)
    }
  }

  /// What a directory's reason is for an item inside: each too long path has its own length.
  private func ownReason(_ reason: BackupSet.LeftOutReason, at path: ContainerPath)
    -> BackupSet.LeftOutReason
  {
    if case .pathTooLong = reason { .pathTooLong(bytes: deviceLength(of: path)) } else { reason }
  }

  /// How many bytes a path has on a device.
  private func deviceLength(of path: ContainerPath) -> Int {
    policy.containerPathLength.value + path.bytes.count
  }

  /// Why an item is left out by what it is, not where; nil for most.
  private func reasonOfItsOwn(
    _ item: FileTree.Item, at path: ContainerPath, among siblings: FileTree.Children
  ) -> BackupSet.LeftOutReason? {
    let length = deviceLength(of: path)
    if length >= policy.skippedPathLength.value { return .pathTooLong(bytes: length) }
    switch item.kind {
    case .file: return reasonOfFile(at: path, among: siblings)
    case .special: return .specialFile
    case .unreadable(let reason): return .unreadable(reason)
    case .directory, .link: return nil
    }
  }

  /// Why a regular file is left out by its name, or nil.
  private func reasonOfFile(
    at path: ContainerPath, among siblings: FileTree.Children
  ) -> BackupSet.LeftOutReason? {
    if policy.remnants.value.contains(where: { $0.matches(path) }) { return .saveRemnant }
    guard policy.storesDatabasesWhole.value, let database = path.name.databaseName,
      case .file(let information) = siblings[database]?.kind, information.isDatabase
    else { return nil }
    return .databaseSibling(of: path.parent?.appending(database) ?? ContainerPath(database))
  }
}

extension FileTree.Item {
  /// What kind of item this is, as far as a backup cares.
  fileprivate var backupKind: BackupSet.Decision.ItemKind {
    switch kind {
    case .file(let information): .file(size: information.size)
    case .directory(let children): .directory(isEmpty: children.isEmpty)
    case .link: .link
    case .special, .unreadable: .other
    }
  }
}
