import BackupApp
import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import Foundation

// The environment of a tool: nothing of this process's but what a program needs to run and to write
// text, for a build machine's environment holds secrets.
extension ProcessCommand {
  /// The search path where this process has none.
  private static let usualPath = "/usr/bin:/bin"

  /// The folders in which a tool is looked for by its name.
  static func searchPath(in environment: [String: String]) -> String {
    environment["PATH"] ?? usualPath
  }

  /// The variables for a tool, whose home is the container.
  static func variables(
    container: FakeContainer, system: SystemVersion, appVersion: String, launchCount: Int,
    from environment: [String: String]
  ) -> [String: String] {
    var variables = environment.filter { $0.key == "LANG" || $0.key.hasPrefix("LC_") }
    variables["PATH"] = searchPath(in: environment)
    variables["HOME"] = container.url.path
    variables["CFFIXED_USER_HOME"] = container.url.path
    variables["TMPDIR"] = container.temporary.path
    variables["BACKUP_TESTING_CONTAINER"] = container.url.path
    variables["BACKUP_TESTING_SYSTEM"] = "\(system)"
    variables["BACKUP_TESTING_APP_VERSION"] = appVersion
    variables["BACKUP_TESTING_LAUNCH_COUNT"] = "\(launchCount)"
    return variables.merging(container.recordingVariables) { $1 }
  }
}

extension ProcessCommand {
  /// The absolute path of the executable that a `run` step names: a path if it has a `/`, else a
  /// name on the search path. Folders that are not absolute are passed over, because they would be
  /// in the container.
  static func findExecutable(
    _ name: String, from folder: URL, searchPath: String
  ) throws(AppFailure) -> String {
    let shown = EscapedText.escape(name.cut(to: 200))
    if name.contains("/") {
      let path = name.hasPrefix("/") ? name : "\(folder.path)/\(name)"
      guard let kind = try kind(at: path, of: name) else {
        let place = name.hasPrefix("/") ? "" : " in \(folder.path), beside the scenario folder"
        throw AppFailure("there is no '\(shown)'\(place)")
      }
      guard isExecutable(path, kind) else { throw notExecutable(shown) }
      return path
    }
    var isThere = false
    for folder in searchPath.split(separator: ":") where folder.hasPrefix("/") {
      let path = "\(folder)/\(name)"
      guard let kind = try kind(at: path, of: name) else { continue }
      if isExecutable(path, kind) { return path }
      isThere = true
    }
    guard !isThere else { throw notExecutable(shown) }
    throw AppFailure(
      "'\(shown)' is not on PATH; write './\(shown)' for a tool beside the scenario folder")
  }

  /// The failure of a file that is no program.
  private static func notExecutable(_ shown: String) -> AppFailure {
    AppFailure("'\(shown)' is not an executable file; make it executable with 'chmod +x'")
  }

  /// What a path leads to; nil if that does not exist.
  private static func kind(at path: String, of name: String) throws(AppFailure) -> FileKind? {
    if let kind = FileKind(at: path, followingLinks: true) { return kind }
    let number = errno
    if MachineFault.isOne(number) { throw AppFailure(number, starting: name) }
    return nil
  }

  /// Whether this process may execute what is at a path.
  private static func isExecutable(_ path: String, _ kind: FileKind) -> Bool {
    kind != .folder && FileManager.default.isExecutableFile(atPath: path)
  }
}
