import BackupCollections
package import BackupFileTree
import BackupScenarios

extension RunHistory {
  /// What the app owes at the end of a run so far, whoever caused it: two runs in the same state of
  /// the device are judged alike from here on where this is the same.
  package struct Owed: Hashable, Sendable {
    /// What it owes an item that it once marked.
    struct Duty: Hashable, Sendable {
      /// The kinds of mark it had last.
      let mark: ExclusionMark
      /// Whether a save since kept the mark by luck.
      let isLucky: Bool
      /// How it came to lack it; nil where it does not.
      let loss: ItemLedger.Loss?
      /// Whether it lacks it.
      let isLost: Bool
    }

    /// The duties to mark.
    let duties: [ContainerPath: Duty]
    /// The items that the app is to blame for.
    let origins: Set<ContainerPath>
    /// The files that the system put there.
    let placed: Set<ContainerPath>
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

  /// What the app owes at the end of the run.
  package var owed: Owed {
    var losses = CriticalLosses(in: self)
    var files = UserFiles(in: self)
    var remains = TemporaryRemains()
    for entry in transcript.entries {
      losses.follow(entry)
      files.follow(entry)
      remains.follow(entry)
    }
    let ledger = moments.last?.ledger ?? ItemLedger()
    var duties: [ContainerPath: Owed.Duty] = [:]
    for (path, duty) in ledger.duties.elements {
      duties[path] = Owed.Duty(
        mark: duty.mark, isLucky: duty.luckySave != nil, loss: duty.loss,
        isLost: duty.lostBy != nil)
    }
    return Owed(
      duties: duties, origins: Set(ledger.origins.elements.map(\.key)),
      placed: Set(ledger.placed.elements.map(\.key)), losses: losses.lostPaths,
      saved: files.memory, critical: Set(criticalPaths),
      hasAppRun: moments.last?.hasAppRun ?? true, remains: remains.paths)
  }
}
