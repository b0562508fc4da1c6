import BackupApp
import BackupContainer
import BackupDiagnostics
import BackupScenarios
import Foundation
import Testing

/// Starts the app as a process of its own.
struct ProcessHost: AppHost {
  let actions: AppActions
  let runsCodeAtLaunch = true
  let runsInProcess = false
  let recipe: AppRecipe
  /// The mangled name of the app's type.
  let type: String
  /// How long an answer may take; nil for as long as it does.
  let timeLimit: Duration?
  let sourceLocation: SourceLocation
  /// What the processes have printed, by launch.
  let prints = Locked<[String]>([])
  /// Bounds how many run at once; nil if the caller does.
  var limit: ProcessLimit?
  /// How urgent one is beside others that wait for it.
  var urgency = Int.max

  func start(
    _ launch: AppLaunch, in container: FakeContainer
  ) async throws(AppFailure) -> any RunningApp {
    // An extension counts with its app: a run that waited for a second one could wait for itself.
    let limit = container.isApp(launch.bundleIdentifier) ? self.limit : nil
    let environment = ProcessInfo.processInfo.environment
    let output: FileHandle
    do throws(RunError) {
      output = try container.openOutput(
        ofLaunch: launch.launchCount, of: launch.bundleIdentifier)
    } catch {
      throw AppFailure("the app cannot be started: \(error)")
    }
    await limit?.take(urgency: urgency)
    let variables = AppVariables.variables(of: launch, type: type, from: environment)
      .merging(container.tapVariables) { $1 }
    let command = AppCommand(
      recipe, variables: variables, directory: launch.container.url.path, output: output,
      mayBeForked: TestProcess.current.environment[AppVariables.fork] != "off")
    let process: AppProcess
    do throws(AppFailure) {
      process = try await AppProcess(command)
    } catch {
      await limit?.giveBack()
      throw AppFailure("the app cannot be started: \(error)")
    }
    if AppVariables.isSet(AppVariables.wait, in: environment) { Self.announce(process.id) }
    let app = ProcessApp(
      process, of: self, limit, in: launch.container.url,
      output: AppOutput(output, ofLaunch: launch.launchCount))
    try await app.beReady(as: launch.bundleIdentifier)
    return app
  }

  /// The apps that are known to have no check.
  private static let typesWithoutCheck = Locked<Set<String>>([])

  var mayCheck: Bool { Self.typesWithoutCheck.withLock { !$0.contains(type) } }

  func check(_ launch: AppLaunch, in container: FakeContainer) async throws {
    guard let app = try await start(launch, in: container) as? ProcessApp else { return }
    defer { app.end() }
    let reply = try await app.check(launch)
    if reply.hasNoCheck {
      _ = Self.typesWithoutCheck.withLock { $0.insert(type) }
    }
    try reply.requireCheck()
  }

  /// Says which process waits for a debugger.
  private static func announce(_ process: Int32) {
    let note = "The app's process \(process) is waiting: attach a debugger to it and continue\n"
    try? FileHandle.standardError.write(contentsOf: Data(note.utf8))
  }
}
