import BackupDevice
import BackupScenarios

/// What the rest of a history depends on, by the numbers of what it consists of.
struct ExploredState: Hashable, Sendable {
  /// The part that comes next.
  var part: Int
  /// Whether a backup is owed.
  let owesBackup: Bool
  /// The container and the device.
  var place: Int
  /// The backups that were taken.
  var backups: Int
  /// The app's version.
  var appVersion: Int
  /// What the app owes the items that there are.
  let items: Int
  /// What is remembered of those that there were.
  var memory: Int
  /// Whether the app has run since it was restored, updated or put on another system.
  var hasAppRun: Bool
}

/// The number of a state, and that of the app's version in it, on which nothing depends that the kit
/// does.
struct StateNumber: Hashable, Sendable {
  /// The number of the state, as of any version.
  let state: Int
  /// The number of the app's version.
  let version: Int
}

/// What decides what the system can do in a state.
struct ExploredDevice: Sendable {
  /// Whether the app runs.
  let isAppRunning: Bool
  /// The system.
  let system: SystemVersion
}
