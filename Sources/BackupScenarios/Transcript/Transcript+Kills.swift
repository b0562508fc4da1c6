import BackupFileTree

extension Transcript {
  /// Whether the app was killed in a step that had taken an item away, which is not back.
  func isConsumedByKilledStep(_ path: ContainerPath) -> Bool {
    killedSteps.contains { $0.before.contains(path) && !$0.after.contains(path) }
      && !lastTree.contains(path)
  }

  /// Whether the app was killed in a step that had made an item, which is still there.
  func isMadeByKilledStep(_ path: ContainerPath) -> Bool {
    killedSteps.contains { !$0.before.contains(path) && $0.after.contains(path) }
      && lastTree.contains(path)
  }

  /// The container before each step in which the app was killed, and after it.
  private var killedSteps: [(before: FileTree, after: FileTree)] {
    entries.compactMap { entry in
      guard case .killed(let kill) = entry.event else { return nil }
      return (kill.entryCount > 0 ? entries[kill.entryCount - 1].tree : firstTree, entry.tree)
    }
  }
}
