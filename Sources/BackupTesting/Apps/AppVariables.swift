import BackupContainer
import BackupScenarios
import CBackupProcess
import Foundation

/// The environment variables that the kit reads or sets for the app's processes.
enum AppVariables {
  /// If this variable is set, the app's code runs in the test's process, so that a debugger stops
  /// at breakpoints in that code.
  static let inProcess = "BACKUP_TESTING_IN_PROCESS"
  /// If this variable is set, each process of the app waits for a debugger.
  static let waitForDebugger = "BACKUP_TESTING_WAIT"
  /// If this variable is `off`, the kit starts each process of the app anew. Otherwise, the kit
  /// forks each process from a process that has already loaded the libraries, which is faster.
  static let fork = "BACKUP_TESTING_FORK"
  /// The variable with the mangled name of the app's type. Only processes of an app have it.
  static let type = "BACKUP_TESTING_APP"
  /// The variable with the bundle identifier of the running app or extension. The shim for Linux
  /// reads it.
  private static let bundleIdentifier = "BACKUP_TESTING_BUNDLE_IDENTIFIER"
  /// The variable with the paths of the groups' containers, as a JSON object. The shim for Linux
  /// reads it.
  private static let groupContainers = "BACKUP_TESTING_GROUPS"
  /// Swift's variable for the format of crash reports. If the user has set it, the kit keeps the
  /// user's value.
  static let backtrace = "SWIFT_BACKTRACE"
  /// The kit's value of ``backtrace``: a report of only the thread that crashed.
  ///
  /// With the thread sanitizer, reports are off, because the sanitizer would end a process that
  /// writes a report.
  private static let defaultBacktrace =
    cpr_has_thread_sanitizer() != 0
    ? "enable=no"
    : "enable=yes,color=no,interactive=no,threads=crashed,images=none,registers=none"

  /// The absolute path of the app's container; nil if this process is not a process of the app.
  static let ownContainer: String? = {
    value(of: type) == nil ? nil : value(of: DeviceFolder.containerVariable)
  }()

  /// Returns the value of a variable of this process.
  ///
  /// `ProcessInfo` would copy all variables, which takes 4 % of the time of an app's process.
  static func value(of name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Returns the environment variables for a process of the app: those that tell Foundation where
  /// the container's directories are, and the kit's own.
  static func variables(
    of launch: ActionCall.Launch, type: String, from environment: [String: String]
  ) -> [String: String] {
    let locations = launch.container
    let home = locations.url.path
    return [
      "HOME": home, "CFFIXED_USER_HOME": home, "TMPDIR": locations.temporary.path,
      // On a Mac, a system process writes user defaults, some time later, to the user's own home
      // folder. With this variable, Foundation writes them itself.
      "__CFPREFERENCES_AVOID_DAEMON": "1",
      "XDG_DATA_HOME": locations.applicationSupport.path,
      "XDG_CACHE_HOME": locations.caches.path,
      "XDG_CONFIG_HOME": locations.library.appendingPathComponent("Preferences").path,
      DeviceFolder.containerVariable: home, Self.type: type,
      bundleIdentifier: launch.bundleIdentifier,
      groupContainers: json(locations.groups.mapValues(\.path)),
      backtrace: environment[backtrace] ?? defaultBacktrace,
    ]
  }

  private static func json(_ map: [String: String]) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // The encoder cannot fail on a dictionary of strings.
    return (try? encoder.encode(map)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  static func isSet(_ name: String, in environment: [String: String]) -> Bool {
    environment[name]?.isEmpty == false
  }
}
