import BackupApp
import BackupContainer
import BackupDiagnostics
import BackupFileTree
import BackupScenarios
import Foundation
import Testing

struct ProcessHost: AppHost {
  let actions: AppActions
  let runsCodeAtLaunch = true
  let runsInProcess = false
  let recipe: AppRecipe
  /// The mangled name of the app's type.
  let type: String
  /// The time that an answer may take; nil for no limit.
  let timeLimit: Duration?
  let sourceLocation: SourceLocation
  var outputTime = OutputTime.atScenarioEnd
  /// The output of each launch that printed something.
  let launches = Locked<[String]>([])
  /// The lines of the launches, equal ones once.
  let keptLines = Locked<[[String]]>([])
  /// The number of bytes of output that were shown.
  let shownCount = Locked(0)
  /// The output of the last process that crashed.
  let crash = Locked<String?>(nil)
  /// The limit on the number of processes that run at once; nil if the caller limits them.
  var limit: ProcessLimit?
  /// The priority among the hosts that wait for the limit. The greatest comes first.
  var urgency = Int.max

  func start(
    _ launch: AppLaunch, in container: FakeContainer
  ) async throws(AppFailure) -> any RunningApp {
    // An extension counts as part of its app. A run that waited for a second process could wait for itself.
    let isApp = container.appIdentifier.withLock { $0 == launch.bundleIdentifier }
    let limit = isApp ? self.limit : nil
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
      throw AppFailure("the app cannot be started: \(error)", because: error.number)
    }
    if AppVariables.isSet(AppVariables.wait, in: environment) {
      FileHandle.note(
        "The app's process \(process.id) is waiting: attach a debugger to it and continue\n")
    }
    let app = ProcessApp(
      process, of: self, limit, in: launch.container.url,
      output: AppOutput(file: output, launch: launch.launchCount))
    try await app.waitUntilReady(as: launch.bundleIdentifier)
    return app
  }

  private static let typesWithoutLaunch = Locked<Set<String>>([])

  var lacksLaunch: Bool { Self.typesWithoutLaunch.withLock { $0.contains(type) } }

  func noteMissingLaunch() { _ = Self.typesWithoutLaunch.withLock { $0.insert(type) } }

  private static let typesWithoutCheck = Locked<Set<String>>([])

  var mayCheck: Bool { Self.typesWithoutCheck.withLock { !$0.contains(type) } }

  func check(_ launch: AppLaunch, in container: FakeContainer) async throws {
    guard let app = try await start(launch, in: container) as? ProcessApp else { return }
    defer { app.end() }
    let reply = try await app.check(launch)
    if reply.missingCode == .check {
      _ = Self.typesWithoutCheck.withLock { $0.insert(type) }
    }
    try reply.requireCheck()
  }

  /// Returns the host for an app: in the app's own processes if possible, or else in the test's process.
  static func host(
    for app: (some AppUnderTest).Type, timeLimit: Duration?, limit: ProcessLimit?,
    urgency: Int = .max, showingOutput outputTime: OutputTime = .atScenarioEnd,
    at sourceLocation: SourceLocation
  ) async throws(RunError) -> any AppHost {
    FoundationWarning.record(at: sourceLocation)
    let guest = GuestHost(app.actions) {
      try await app.launch($0)
    } check: { launch in
      try await AppServer.reply { try await app.check(launch) }.requireCheck()
    }
    let environment = TestProcess.current.environment
    guard !AppVariables.isSet(AppVariables.inProcess, in: environment) else { return guest }
    guard AppRecipe.canBeLearned, Test.current != nil else {
      warnOfGuest(at: sourceLocation)
      return guest
    }
    let type = try name(of: app)
    let lack = AppRecipe.missingResource
    guard lack == 0 else {
      throw RunError(
        .appEnded,
        "the app cannot be run as a process: \(MachineFault.words(forStarting: lack))")
    }
    guard let recipe = await AppRecipe.learned.value else {
      throw RunError(
        .invalidApp,
        "the app cannot run in its own process, because the kit does not know how the test's "
          + "process was started; set \(AppVariables.inProcess)=1 to run the app in the test's "
          + "process")
    }
    return ProcessHost(
      actions: app.actions, recipe: recipe, type: type, timeLimit: timeLimit,
      sourceLocation: sourceLocation, outputTime: outputTime, limit: limit, urgency: urgency)
  }

  /// Returns the name by which the app's process finds the type.
  private static func name(of app: any AppUnderTest.Type) throws(RunError) -> String {
    if let name = _mangledTypeName(app), _typeByName(name) == app { return name }
    throw RunError(
      .invalidApp,
      "the app's process cannot find the type \(app); declare it internal or public, and outside "
        + "of functions")
  }

  /// Warns once in each test process that the app's temporary files are not in its container.
  func warnOfTemporaryFolder(_ folder: String) {
    guard !TestProcess.current.hasWarnedOfTemporaryFolder.exchange(for: true) else { return }
    TestIssue.record(
      "the app keeps its temporary files in \(folder), which it shares with other processes, and not in "
        + "its container's 'tmp', because Foundation on a Mac ignores TMPDIR. The kit does not see these "
        + "files: it skips scenarios that name 'tmp', and no other test shows what becomes of them. Run "
        + "these tests on Linux too, or save to 'launch.container.temporary'",
      isFailure: false, at: sourceLocation)
  }

  /// Warns once in each test process that the app runs in it.
  private static func warnOfGuest(at sourceLocation: SourceLocation) {
    guard !TestProcess.current.hasWarnedOfGuest.exchange(for: true) else { return }
    TestIssue.record(
      "the app would run in the test's process here, because only Swift Testing on macOS or Linux "
        + "can start it in its own: its static variables would outlive a launch, and Foundation "
        + "would return another home folder than the container. Set \(AppVariables.inProcess)=1 "
        + "to accept that",
      isFailure: false, at: sourceLocation)
  }
}
