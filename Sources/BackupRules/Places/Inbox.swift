import BackupFileTree

/// Documents/Inbox: the system puts files there that the app is asked to open, which can read and
/// delete them but not write to them (`apple-fspg`).
enum Inbox {
  /// What to do with a file in it that belongs somewhere else, whatever its class.
  static let advice =
    "move it out of Documents/Inbox when it is opened, or delete it there once it has served: the "
    + "system put it there, and the app cannot write to it"

  /// Whether an item is in it.
  static func holds(_ path: ContainerPath) -> Bool { path.isInInbox }
}
