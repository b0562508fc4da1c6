import BackupFileTree

/// What became of an item with all in it at one of a run's moments.
///
/// A finding that accounts for it keeps later rules from reporting it again, then and afterwards.
/// What became of the item before is another cause's doing.
struct ItemFate {
  /// Where the items ended.
  enum Outcome: Hashable {
    /// They are in a backup.
    case backedUp
    /// They are not in a backup.
    case leftOut
  }

  /// Where the items ended.
  let outcome: Outcome
  /// The item, with all in it.
  let path: ContainerPath
  /// The moment's index in the run.
  let moment: Int

  /// The item and all in it being in the backup of a moment.
  static func backedUp(_ path: ContainerPath, at moment: Int) -> ItemFate {
    ItemFate(outcome: .backedUp, path: path, moment: moment)
  }

  /// The item and all in it not being in the backup of a moment.
  static func leftOut(_ path: ContainerPath, at moment: Int) -> ItemFate {
    ItemFate(outcome: .leftOut, path: path, moment: moment)
  }

  /// What became, at the same moment, of an item with all in it that this one is in.
  func ofDirectory(_ path: ContainerPath) -> ItemFate {
    ItemFate(outcome: outcome, path: path, moment: moment)
  }
}
