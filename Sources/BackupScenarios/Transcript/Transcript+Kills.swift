import BackupFileTree

extension Transcript {
  /// Whether the app was killed in a step that had taken an item away, which is not back since.
  func isConsumedByKilledStep(_ path: ContainerPath) -> Bool { killedWork.taken.contains(path) }

  /// Whether the app was killed in a step that had made an item, which is there ever since.
  func isMadeByKilledStep(_ path: ContainerPath) -> Bool { killedWork.made.contains(path) }

  /// Adds what happened.
  mutating func record(_ entry: Entry) {
    killedWork.follow(entry, after: entries, in: firstTree)
    entries.append(entry)
  }
}
