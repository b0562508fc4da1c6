import BackupFileTree

/// What steps in which the app was killed have made, as far as it is still there, and what they have
/// taken away, as far as it is not back.
package struct InterruptedWork: Hashable, Sendable {
  /// The items that such a step made and nothing has replaced, moved or removed since.
  private(set) var made: Set<ContainerPath> = []
  /// The items that such a step took away and nothing has put back since.
  private(set) var taken: Set<ContainerPath> = []
  /// The container before the step that is being interrupted, and what the step has touched so far.
  private var begun: (before: FileTree, paths: [ContainerPath])?

  package static func == (left: Self, right: Self) -> Bool {
    left.made == right.made && left.taken == right.taken
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(made)
    hasher.combine(taken)
  }

  /// Takes up what happens next.
  mutating func follow(_ entry: Transcript.Entry, before: FileTree) {
    switch entry.event {
    case .changes(let changes):
      if entry.isOfKilledStep {
        begun = (begun?.before ?? before, (begun?.paths ?? []) + changes.flatMap(\.touchedPaths))
      }
      guard !made.isEmpty || !taken.isEmpty else { return }
      for change in changes { follow(change, from: before, to: entry.tree) }
    case .killed:
      for path in begun?.paths ?? [] {
        guard let before = begun?.before else { break }
        made.formUnion(entry.tree.paths(from: path).filter { !before.contains($0) })
        taken.formUnion(before.paths(from: path).filter { !entry.tree.contains($0) })
      }
      begun = nil
    case .purge, .appUpdate, .systemUpdate, .restore, .offload, .reinstall, .place:
      made = made.filter(entry.tree.contains)
      taken = taken.filter { !entry.tree.contains($0) }
    default: break
    }
  }

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
