import BackupFileTree
import BackupScenarios

/// What rules that look at a part of a run remember of what was before it.
struct RunMemory {
  /// How many entries were before.
  private(set) var entryCount = 0
  /// How many moments were.
  private(set) var momentCount = 0
  /// The container.
  private(set) var tree: FileTree
  /// The user's files that are lost.
  private(set) var losses = CriticalLosses()
  /// The user's files as they were saved.
  private(set) var files: UserFiles
  /// What is in tmp since before the app last ended.
  private(set) var remains = TemporaryRemains()

  /// The begin of a run, before which nothing was.
  init(_ transcript: Transcript) {
    self.tree = transcript.firstTree
    self.files = UserFiles(in: transcript.firstTree)
  }

  /// Follows what happened.
  ///
  /// - Parameters:
  ///   - entry: What happened.
  ///   - classes: The classes of the files that there were.
  mutating func follow(_ entry: Transcript.Entry, _ classes: PromisedClasses) {
    losses.follow(entry, classes)
    files.follow(entry, classes)
    remains.follow(entry)
    entryCount += 1
    if entry.event.isBySystem { momentCount += 1 }
    tree = entry.tree
  }
}
