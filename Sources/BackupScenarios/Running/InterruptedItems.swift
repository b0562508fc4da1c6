import BackupFileTree

/// The items that interrupted steps have made or removed, until something else changes them.
struct InterruptedItems: Hashable, Sendable {
  /// The items that an interrupted step made, and that nothing has replaced, moved or removed since.
  private(set) var made: Set<ContainerPath> = []
  /// The items that an interrupted step removed, and that nothing has put back since.
  private(set) var removed: Set<ContainerPath> = []
  /// The container before the current interrupted step, with the paths that the step has touched so far.
  private var begun: (before: FileTree, paths: [ContainerPath])?

  static func == (left: Self, right: Self) -> Bool {
    left.made == right.made && left.removed == right.removed
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(made)
    hasher.combine(removed)
  }

  mutating func absorb(_ entry: Transcript.Entry, before: FileTree) {
    switch entry.event {
    case .changes(let changes):
      if entry.isOfKilledStep {
        begun = (begun?.before ?? before, (begun?.paths ?? []) + changes.flatMap(\.touchedPaths))
      }
      guard !made.isEmpty || !removed.isEmpty else { return }
      for change in changes { absorb(change, from: before, to: entry.tree) }
    case .killed:
      for path in begun?.paths ?? [] {
        guard let before = begun?.before else { break }
        made.formUnion(entry.tree.paths(from: path).filter { !before.contains($0) })
        removed.formUnion(before.paths(from: path).filter { !entry.tree.contains($0) })
      }
      begun = nil
    case .system:
      made = made.filter(entry.tree.contains)
      removed = removed.filter { !entry.tree.contains($0) }
    default: break
    }
  }

  private mutating func absorb(
    _ change: FileTree.Change, from before: FileTree, to after: FileTree
  ) {
    switch change {
    case .savedInPlace, .marked, .cleared: return
    case .created, .replaced, .removed, .moved, .copied: break
    }
    for path in change.touchedPaths {
      made.subtract(before.paths(from: path))
      removed.subtract(after.paths(from: path))
    }
  }
}
