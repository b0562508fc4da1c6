import BackupFileTree

/// The items that interrupted steps have created or removed. If something else later replaces,
/// moves, removes or creates such an item, the item leaves this list.
struct InterruptedItems: Hashable, Sendable {
  /// The items that an interrupted step created, and that nothing has replaced, moved or removed
  /// since.
  private(set) var createdItems: Set<ContainerPath> = []
  /// The items that an interrupted step removed, and that nothing has created again since.
  private(set) var removedItems: Set<ContainerPath> = []
  /// While a step runs in which the app will be killed: the container before the step, and the
  /// paths that the step has touched so far.
  private var killedStep: (treeBefore: FileTree, touchedPaths: [ContainerPath])?

  static func == (left: Self, right: Self) -> Bool {
    left.createdItems == right.createdItems && left.removedItems == right.removedItems
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(createdItems)
    hasher.combine(removedItems)
  }

  /// Keeps only the created items at `paths`. Only these can make a later simulated step fail.
  mutating func keepCreated(at paths: Set<ContainerPath>) {
    createdItems.formIntersection(paths)
    removedItems = []
  }

  mutating func absorb(_ entry: Transcript.Entry, from treeBefore: FileTree) {
    switch entry.event {
    case .changes(let changes):
      if entry.isOfKilledStep {
        let (stepTreeBefore, touchedPaths) =
          killedStep ?? (treeBefore: treeBefore, touchedPaths: [])
        killedStep = (stepTreeBefore, touchedPaths + changes.flatMap(\.touchedPaths))
      }
      guard !createdItems.isEmpty || !removedItems.isEmpty else { return }
      for change in changes { absorb(change, from: treeBefore, to: entry.tree) }
    case .killed:
      for path in killedStep?.touchedPaths ?? [] {
        guard let treeBefore = killedStep?.treeBefore else { break }
        createdItems.formUnion(entry.tree.paths(from: path).filter { !treeBefore.contains($0) })
        removedItems.formUnion(treeBefore.paths(from: path).filter { !entry.tree.contains($0) })
      }
      killedStep = nil
    case .system:
      createdItems = createdItems.filter(entry.tree.contains)
      removedItems = removedItems.filter { !entry.tree.contains($0) }
    default: break
    }
  }

  private mutating func absorb(
    _ change: FileTree.Change, from treeBefore: FileTree, to treeAfter: FileTree
  ) {
    switch change {
    case .savedInPlace, .marked, .cleared: return
    case .created, .replaced, .removed, .moved, .copied: break
    }
    for path in change.touchedPaths {
      createdItems.subtract(treeBefore.paths(from: path))
      removedItems.subtract(treeAfter.paths(from: path))
    }
  }
}
