import BackupFileTree

/// What became of an item with all in it at some of a run's moments.
///
/// A finding that accounts for it keeps later rules from reporting it again. What became of the
/// item at other moments, before or after, is another cause's doing.
struct ItemFate {
  /// Where the items ended.
  enum Outcome: Hashable {
    /// They are in a backup.
    case backedUp
    /// They are not in a backup, or not in what the system leaves of the container.
    case leftOut
  }

  /// Where the items ended.
  let outcome: Outcome
  /// The item, with all in it.
  let path: ContainerPath
  /// The moments' indices in the run.
  let moments: Range<Int>

  /// The item and all in it being in the backups of some moments.
  static func backedUp(_ path: ContainerPath, during moments: Range<Int>) -> ItemFate {
    ItemFate(outcome: .backedUp, path: path, moments: moments)
  }

  /// The item and all in it being in the backup of a moment.
  static func backedUp(_ path: ContainerPath, at moment: Int) -> ItemFate {
    .backedUp(path, during: moment..<moment + 1)
  }

  /// The item and all in it not being in the backups of some moments, nor in what is left then.
  static func leftOut(_ path: ContainerPath, during moments: Range<Int>) -> ItemFate {
    ItemFate(outcome: .leftOut, path: path, moments: moments)
  }

  /// The item and all in it not being in the backup of a moment, nor in what is left then.
  static func leftOut(_ path: ContainerPath, at moment: Int) -> ItemFate {
    .leftOut(path, during: moment..<moment + 1)
  }

  /// What became, at the same moments, of an item with all in it that this one is in.
  func ofDirectory(_ path: ContainerPath) -> ItemFate {
    ItemFate(outcome: outcome, path: path, moments: moments)
  }
}
