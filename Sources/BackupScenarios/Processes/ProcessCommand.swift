package import BackupApp
import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import CBackupProcess
import Foundation

/// A command that runs a tool, with its arguments, environment and time limit.
package struct ProcessCommand: Sendable {
  package struct End: Sendable {
    package let cause: Termination
    package let output: ProcessOutput
  }

  /// The destination of a tool's standard output and standard error.
  package enum Destination: Sendable {
    /// The property ``End/output``, which has the output after the tool's end.
    case collectedOutput
    /// This process's standard output, without delay.
    case standardOutput
  }

  /// The absolute path of the executable.
  let executable: String
  /// The tool's name in the scenario, then its arguments.
  let words: [String]
  let environment: [String: String]
  let directory: String
  /// The time limit in seconds.
  let timeLimit: Double
  var destination = Destination.collectedOutput
  /// Starts a thread, and returns 0 or an error number. A test replaces this function to simulate a
  /// machine that cannot start a thread.
  var startThread: @Sendable (@escaping @Sendable () -> Void) -> Int32 = BackupContainer.startThread

  /// Waits until `limit` permits another tool. Then runs the tool to its end on a new thread. Kills
  /// the tool if the task is cancelled.
  ///
  /// A waiting command has no open file, so any number of commands may wait.
  package func run(within limit: ProcessLimit = .shared) async -> Result<End, AppFailure> {
    await limit.waitForTurn()
    let result = await runInItsTurn()
    await limit.endTurn()
    return result
  }

  /// Runs the tool to its end. Does not start it if the task is already cancelled.
  private func runInItsTurn() async -> Result<End, AppFailure> {
    guard !Task.isCancelled else {
      return .success(End(cause: .cancelled, output: ProcessOutput()))
    }
    let wakeUpPipe: WakeUpPipe
    do throws(AppFailure) {
      wakeUpPipe = try WakeUpPipe(for: words.first ?? executable)
    } catch {
      return .failure(error)
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let error = startThread {
          continuation.resume(
            returning: Result { () throws(AppFailure) in try run(waking: wakeUpPipe) })
        }
        if error != 0 { continuation.resume(returning: .failure(self.startFailure(error))) }
      }
    } onCancel: {
      wakeUpPipe.signal(.cancelled)
    }
  }

  /// Runs the tool on this thread until it ends, its time is over, or `wakeUpPipe` reports that the
  /// test is cancelled.
  func run(waking wakeUpPipe: WakeUpPipe) throws(AppFailure) -> End {
    let deadline = SuspendingClock.now + .seconds(timeLimit)
    let child = try start()
    var process = ChildProcess(child: child, wakeUpPipe: wakeUpPipe, deadline: deadline)
    let error = startThread { wakeUpPipe.signal(cpr_wait(child) == 0 ? .ended : .lost) }
    guard error == 0 else {
      process.killAndReap()
      throw self.startFailure(error)
    }
    return process.waitForEnd()
  }

  private func startFailure(_ errorNumber: Int32) -> AppFailure {
    AppFailure(errorNumber, starting: words.first ?? executable)
  }

  /// Starts the tool. Its output goes into a pipe, or to this process's standard output.
  private func start() throws(AppFailure) -> cpr_child {
    var child = cpr_child()
    try start { command in
      switch destination {
      case .collectedOutput: cpr_start(&command, &child)
      case .standardOutput: cpr_start_app(&command, STDOUT_FILENO, -1, &child)
      }
    }
    cpr_end_if_stopped(child)
    return child
  }

  /// Starts the tool with its output on standard output, and does not wait for it. The tool and the
  /// processes that it starts may outlive this process.
  package func startDetached() throws(AppFailure) {
    var processID: Int32 = 0
    try start { cpr_start_alone(&$0, STDOUT_FILENO, -1, &processID) }
  }

  private func start(by call: (inout cpr_command) -> Int32) throws(AppFailure) {
    let error = [executable, directory].withCStrings { paths in
      words.withCStrings { words in
        environment.map { "\($0.key)=\($0.value)" }.withCStrings { environment in
          var command = cpr_command(
            executable: paths[0], arguments: words, environment: environment, directory: paths[1])
          return call(&command)
        }
      }
    }
    guard error == 0 else { throw self.startFailure(error) }
  }

  /// Returns the command that runs a program from `PATH` in the working directory; nil if no folder
  /// of `PATH` has the program.
  package static func programOnPath(
    _ words: [String], in environment: [String: String], printingTo destination: Destination,
    timeLimit: Double = longestTimeLimit
  ) -> ProcessCommand? {
    let directory = FileManager.default.currentDirectoryPath
    let executable = try? findExecutable(
      words[0], from: URL(fileURLWithPath: directory), searchPath: searchPath(in: environment))
    return executable.map { executable in
      ProcessCommand(
        executable: executable, words: words, environment: environment, directory: directory,
        timeLimit: timeLimit, destination: destination)
    }
  }

  /// A year in seconds, which is in effect no limit.
  package static let longestTimeLimit = 31_536_000.0

  /// Returns the absolute path of the executable in a `run` step. A name with a `/` is a path, and
  /// begins at `folder` if it is relative. Any other name is in a folder of `searchPath`. Relative
  /// folders of `searchPath` are skipped: they would be in the container, where the tool runs.
  static func findExecutable(
    _ name: String, from folder: URL, searchPath: String
  ) throws(AppFailure) -> String {
    let escapedName = EscapedText.escape(name.cut(to: 200))
    if name.contains("/") {
      let path = name.hasPrefix("/") ? name : "\(folder.path)/\(name)"
      guard let kind = try kind(at: path, of: name) else {
        let locationPhrase =
          name.hasPrefix("/") ? "" : " in \(folder.path), beside the scenario folder"
        throw AppFailure("there is no '\(escapedName)'\(locationPhrase)")
      }
      guard isExecutable(path, kind) else { throw notExecutableFailure(escapedName) }
      return path
    }
    var hasFoundFile = false
    for folder in searchPath.split(separator: ":") where folder.hasPrefix("/") {
      let path = "\(folder)/\(name)"
      let kind: FileKind?
      do throws(AppFailure) {
        kind = try Self.kind(at: path, of: name)
      } catch {
        // A shell also skips a folder that it cannot search.
        if error.isMachineFault { throw error }
        continue
      }
      guard let kind else { continue }
      if isExecutable(path, kind) { return path }
      hasFoundFile = true
    }
    guard !hasFoundFile else { throw notExecutableFailure(escapedName) }
    throw AppFailure(
      "'\(escapedName)' is not on PATH; write './\(escapedName)' for a tool beside the scenario folder"
    )
  }

  private static func notExecutableFailure(_ escapedName: String) -> AppFailure {
    AppFailure("'\(escapedName)' is not an executable file; make it executable with 'chmod +x'")
  }

  private static func kind(at path: String, of name: String) throws(AppFailure) -> FileKind? {
    do throws(RegularFile.AccessError) {
      return try FileKind.ofItem(at: path, followingLinks: true)
    } catch {
      throw AppFailure(error.errorNumber ?? EIO, starting: name)
    }
  }

  private static func isExecutable(_ path: String, _ kind: FileKind) -> Bool {
    kind != .folder && FileManager.default.isExecutableFile(atPath: path)
  }
}

extension AppFailure {
  /// Creates the failure of a tool that did not start, from the system's error number.
  init(_ errorNumber: Int32, starting tool: String) {
    let toolName = EscapedText.escape(tool.cut(to: 200))
    let reason =
      switch errorNumber {
      case ENOTSUP: "cannot be run, because the kit does not run processes on this platform"
      case ENOEXEC: "is neither a program for this system nor a script with a #! line"
      case ENOENT: "cannot be run, because the program that its #! line names is missing"
      default: "cannot be run: \(MachineFault.words(forFailedStart: errorNumber))"
      }
    self.init("'\(toolName)' \(reason)", because: errorNumber)
  }
}

// A tool gets only the variables that it needs to run and to write text, because a build machine's
// environment may contain secrets.
extension ProcessCommand {
  /// The search path if the environment has none.
  private static let usualSearchPath = "/usr/bin:/bin"

  static func searchPath(in environment: [String: String]) -> String {
    environment["PATH"] ?? usualSearchPath
  }

  /// Returns the environment variables for a tool. The tool's home is the container.
  static func environmentVariables(
    container: FakeContainer, system: SystemVersion, appVersion: String, launchCount: Int,
    from environment: [String: String]
  ) -> [String: String] {
    var variables = environment.filter { $0.key == "LANG" || $0.key.hasPrefix("LC_") }
    variables["PATH"] = searchPath(in: environment)
    variables["HOME"] = container.url.path
    variables["CFFIXED_USER_HOME"] = container.url.path
    // With this variable, Foundation on a Mac writes preferences itself, into this home.
    variables["__CFPREFERENCES_AVOID_DAEMON"] = "1"
    variables["TMPDIR"] = container.temporary.path
    variables["BACKUP_TESTING_CONTAINER"] = container.url.path
    variables["BACKUP_TESTING_SYSTEM"] = "\(system)"
    variables["BACKUP_TESTING_APP_VERSION"] = appVersion
    variables["BACKUP_TESTING_LAUNCH_COUNT"] = "\(launchCount)"
    return variables.merging(container.recordingVariables) { $1 }
  }
}
