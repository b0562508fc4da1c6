import BackupCollections
import BackupFileTree
import BackupScenarios

extension RunHistory {
  /// What the app owes the items that there are, whoever caused it: two runs in the same state of
  /// the device are judged alike from here on where this is the same, and ``Remembered``.
  package struct OwedItems: Hashable, Sendable {
    /// What it owes an item that it once marked.
    struct Duty: Hashable, Sendable {
      /// The item.
      let path: ContainerPath
      /// The kinds of mark it had last.
      let mark: ExclusionMark
      /// Whether a save since kept the mark by luck.
      let isLucky: Bool
      /// How it came to lack it; nil where it does not.
      let loss: ItemLedger.Loss?
      /// Whether it lacks it.
      let isLost: Bool

      /// A duty of an item's.
      init(_ path: ContainerPath, _ duty: ItemLedger.MarkDuty) {
        self.path = path
        self.mark = duty.mark
        self.isLucky = duty.luckySave != nil
        self.loss = duty.loss
        self.isLost = duty.lostBy != nil
      }
    }

    /// The duties to mark, in byte order of the paths.
    let duties: [Duty]
    /// The items that the app is to blame for, likewise.
    let origins: [ContainerPath]
    /// The files that the system put there, likewise.
    let placed: [ContainerPath]
    /// The files that were ever there and are the user's.
    let critical: Set<ContainerPath>
  }

  /// What is remembered of the items that there were.
  package struct Remembered: Hashable, Sendable {
    /// The user's files that are lost.
    let losses: Set<ContainerPath>
    /// The user's files as they were last saved for the user.
    let saved: [UserFiles.SavedFile]
    /// The items in tmp since before the app last ended.
    let remains: Set<ContainerPath>

    /// What rules remember.
    init(_ memory: RunMemory) {
      self.losses = memory.losses.lostPaths
      self.saved = memory.files.memory
      self.remains = memory.remains.paths
    }
  }
}
