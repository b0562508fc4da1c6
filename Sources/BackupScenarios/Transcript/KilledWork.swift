import BackupFileTree

/// What steps in which the app was killed have made, as far as it still stands, and what they have
/// taken away, as far as it is not back.
struct KilledWork: Sendable {
  /// The items that such a step made and nothing has replaced, moved or removed since.
  private(set) var made: Set<ContainerPath> = []
  /// The items that such a step took away and nothing has put back since.
  private(set) var taken: Set<ContainerPath> = []

  /// Follows what happens.
  ///
  /// - Parameters:
  ///   - entry: What happens.
  ///   - entries: What happened before.
  ///   - firstTree: The container before all that.
  mutating func follow(
    _ entry: Transcript.Entry, after entries: [Transcript.Entry], in firstTree: FileTree
  ) {
    switch entry.event {
    case .killed(let kill):
      let before = entries[..<kill.entryCount].last?.tree ?? firstTree
      add(entries[kill.entryCount...], from: before, to: entry.tree)
    case .changes(let changes):
      guard !made.isEmpty || !taken.isEmpty else { return }
      let before = entries.last?.tree ?? firstTree
      for change in changes { follow(change, from: before, to: entry.tree) }
    case .purge, .appUpdate, .systemUpdate, .restore, .offload, .reinstall, .place:
      made = made.filter(entry.tree.contains)
      taken = taken.filter { !entry.tree.contains($0) }
    default: break
    }
  }

  /// Notes what was done in a step until the app was killed.
  private mutating func add(
    _ entries: ArraySlice<Transcript.Entry>, from before: FileTree, to after: FileTree
  ) {
    for entry in entries {
      guard case .changes(let changes) = entry.event else { continue }
      for path in changes.flatMap(\.touchedPaths) {
        made.formUnion(after.paths(from: path).filter { !before.contains($0) })
        taken.formUnion(before.paths(from: path).filter { !after.contains($0) })
      }
    }
  }

  /// Leaves out what a change has put in the place of something, taken away or put back.
  private mutating func follow(
    _ change: FileTree.Change, from before: FileTree, to after: FileTree
  ) {
    switch change {
    case .savedInPlace, .marked, .cleared: return
    case .created, .replaced, .removed, .moved, .copied: break
    }
    for path in change.touchedPaths {
      made.subtract(before.paths(from: path))
      taken.subtract(after.paths(from: path))
    }
  }
}
