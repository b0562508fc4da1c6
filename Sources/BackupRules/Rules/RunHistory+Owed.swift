import BackupCollections
import BackupFileTree
import BackupScenarios

extension RunHistory {
  /// What the app owes at the end of a run so far, whoever caused it: two runs in the same state of
  /// the device are judged alike from here on where this is the same.
  package struct Owed: Hashable, Sendable {
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
    /// The user's files that are lost.
    let losses: Set<ContainerPath>
    /// The user's files as they were last saved for the user.
    let saved: [ContainerPath: [Int]]
    /// The files that were ever there and are the user's.
    let critical: Set<ContainerPath>
    /// Whether the app has run since it was restored, updated or put on another system.
    let hasAppRun: Bool
    /// The items in tmp since before the app last ended.
    let remains: Set<ContainerPath>
  }
}
