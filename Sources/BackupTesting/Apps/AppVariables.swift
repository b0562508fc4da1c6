import BackupContainer
import BackupScenarios
import CBackupProcess
import Foundation

enum AppVariables {
  /// The variable that makes the app's code run in the test's process, where a debugger stops at
  /// its breakpoints.
  static let inProcess = "BACKUP_TESTING_IN_PROCESS"
  /// The variable that makes each process of the app wait for a debugger.
  static let wait = "BACKUP_TESTING_WAIT"
  /// The variable that, with the value `off`, forbids forking the app's processes from one that has
  /// loaded its libraries.
  static let fork = "BACKUP_TESTING_FORK"
  /// The variable with the mangled name of the app's type. Only processes of an app have it.
  static let type = "BACKUP_TESTING_APP"
  /// The variables for the shim: the bundle identifier of the running code, and the containers of the app's groups.
  private static let identifier = "BACKUP_TESTING_BUNDLE_IDENTIFIER"
  private static let groups = "BACKUP_TESTING_GROUPS"
  /// Swift's variable for the format of crash reports. A value in the environment takes precedence.
  static let backtrace = "SWIFT_BACKTRACE"
  /// The kit's setting: a backtrace of the crashed thread only. With the thread sanitizer there is
  /// none, because the sanitizer would end the process for it.
  private static let usualBacktrace =
    cpr_has_thread_sanitizer() != 0
    ? "enable=no"
    : "enable=yes,color=no,interactive=no,threads=crashed,images=none,registers=none"

  /// The absolute path of the app's container if this process is an app's; nil otherwise.
  static let ownContainer: String? = {
    let environment = ProcessInfo.processInfo.environment
    return environment[type] == nil ? nil : environment[DeviceFolder.containerVariable]
  }()

  /// Returns the variables from which Foundation derives the container's directories, and the kit's own.
  static func variables(
    of launch: ActionCall.Launch, type: String, from environment: [String: String]
  ) -> [String: String] {
    let locations = launch.container
    let home = locations.url.path
    return [
      "HOME": home, "CFFIXED_USER_HOME": home, "TMPDIR": locations.temporary.path,
      // On a Mac, a system process writes preferences, later and into the user's own home. With this
      // variable, Foundation writes them itself.
      "__CFPREFERENCES_AVOID_DAEMON": "1",
      "XDG_DATA_HOME": locations.applicationSupport.path,
      "XDG_CACHE_HOME": locations.caches.path,
      "XDG_CONFIG_HOME": locations.library.appendingPathComponent("Preferences").path,
      DeviceFolder.containerVariable: home, Self.type: type,
      identifier: launch.bundleIdentifier, groups: json(locations.groups.mapValues(\.path)),
      backtrace: environment[backtrace] ?? usualBacktrace,
    ]
  }

  private static func json(_ map: [String: String]) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Text can always be encoded.
    return (try? encoder.encode(map)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  static func isSet(_ name: String, in environment: [String: String]) -> Bool {
    environment[name]?.isEmpty == false
  }
}
