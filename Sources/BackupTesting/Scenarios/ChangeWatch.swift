import BackupContainer

/// What notes the changes that the app's own code makes while it is explored.
enum ChangeWatch: Hashable, Sendable {
  /// The library FileSystemTap, which does not see all.
  case tap
  /// Nothing, since the library is not there.
  case missing
  /// Nothing, since it is not made for this platform.
  case unsupported
  /// Nothing, since the code runs in the test's process.
  case inProcess

  init(inProcess: Bool, library: TapLibrary?) {
    self =
      switch (inProcess, library) {
      case (true, _): .inProcess
      case (false, .some): .tap
      case (false, nil): TapLibrary.isSupported ? .missing : .unsupported
      }
  }

  /// What to do that the app is killed where it was not.
  var advice: String {
    switch self {
    case .tap:
      "see “seen” and “not seen” in Exploring: an action has to change its files alike each time, by "
        + "calls that are seen; the other activities were explored"
    case .missing:
      "have the test target depend on what notes them: "
        + #".product(name: "FileSystemTap", package: "swift-backup-testing")"#
    case .unsupported: "explore on Linux too, where FileSystemTap notes them"
    case .inProcess:
      "explore where the app is a process of its own, on Linux: nothing notes what the test's does"
    }
  }
}
