import BackupContainer
import Foundation

/// The environment of a tool: nothing of this process's but what a program needs to run and to
/// write text, for a build machine's environment holds secrets.
enum ProcessEnvironment {
  /// The search path where this process has none.
  private static let usualPath = "/usr/bin:/bin"

  /// The folders in which a tool is looked for by its name.
  static func searchPath(in environment: [String: String]) -> String {
    environment["PATH"] ?? usualPath
  }

  /// The variables for a tool.
  ///
  /// - Parameters:
  ///   - container: The container, which is its home.
  ///   - appVersion: The app's version now.
  ///   - launchCount: How often the app was started.
  ///   - environment: What this process has.
  /// - Returns: The variables by name.
  static func variables(
    container: FakeContainer, appVersion: String, launchCount: Int,
    from environment: [String: String]
  ) -> [String: String] {
    var variables = environment.filter { $0.key == "LANG" || $0.key.hasPrefix("LC_") }
    variables["PATH"] = searchPath(in: environment)
    variables["HOME"] = container.url.path
    variables["CFFIXED_USER_HOME"] = container.url.path
    variables["TMPDIR"] = container.temporary.path
    variables["BACKUP_TESTING_CONTAINER"] = container.url.path
    variables["BACKUP_TESTING_APP_VERSION"] = appVersion
    variables["BACKUP_TESTING_LAUNCH_COUNT"] = "\(launchCount)"
    return variables
  }
}
