import BackupApp
import BackupContainer
import BackupDiagnostics
import BackupFileTree
import BackupScenarios
import Foundation
import Testing

/// A host that starts each launch of the app in a new process.
struct ProcessHost: AppHost {
  let actions: AppActions
  let runsCodeAtLaunch = true
  let runsInTestProcess = false
  /// The executable, arguments and environment with which the processes are started.
  let recipe: AppRecipe
  /// The mangled name of the app's type.
  let typeName: String
  /// The longest time for an answer of the app's process; nil for no limit.
  let timeLimit: Duration?
  let sourceLocation: SourceLocation
  var outputTime = OutputTime.atScenarioEnd
  /// The output of each launch that printed something, to attach to the test.
  let launchOutputs = Locked<[String]>([])
  /// The lines that each launch printed, to print at the end of the scenario. Launches with equal
  /// lines have one element.
  let linesToPrint = Locked<[[String]]>([])
  /// The number of bytes of output that this host has printed.
  let printedByteCount = Locked(0)
  /// The output of the last process that crashed.
  let crashOutput = Locked<String?>(nil)
  /// The limit on the number of processes that run at once; nil if the caller limits them.
  var processLimit: ProcessLimit?
  /// The priority of this host while several hosts wait for ``processLimit``. The greatest value
  /// goes first.
  var urgency = Int.max

  func start(
    _ launch: AppLaunch, in container: FakeContainer
  ) async throws(AppFailure) -> any RunningApp {
    // Only the app waits for the limit. If an extension also waited, the extension could wait
    // forever for the app of the same run.
    let isApp = container.appIdentifier.withLock { $0 == launch.bundleIdentifier }
    let processLimit = isApp ? self.processLimit : nil
    let environment = ProcessInfo.processInfo.environment
    let output: FileHandle
    do throws(RunError) {
      output = try container.openOutput(
        ofLaunch: launch.launchCount, of: launch.bundleIdentifier)
    } catch {
      throw AppFailure("the app cannot be started: \(error)")
    }
    await processLimit?.waitForTurn(urgency: urgency)
    let variables = AppVariables.variables(of: launch, type: typeName, from: environment)
      .merging(container.tapVariables) { $1 }
    let command = AppCommand(
      recipe, variables: variables, directory: launch.container.url.path, output: output,
      mayBeForked: TestProcess.current.environment[AppVariables.fork] != "off")
    let process: AppProcess
    do throws(AppFailure) {
      process = try await AppProcess(command)
    } catch {
      await processLimit?.endTurn()
      throw AppFailure("the app cannot be started: \(error)", because: error.errorNumber)
    }
    if AppVariables.isSet(AppVariables.waitForDebugger, in: environment) {
      FileHandle.note(
        "The app's process \(process.id) is waiting: attach a debugger to it and continue\n")
    }
    let app = ProcessApp(
      process, of: self, processLimit, in: launch.container.url,
      output: AppOutput(file: output, launchNumber: launch.launchCount))
    try await app.waitUntilReady(as: launch.bundleIdentifier)
    return app
  }

  private static let typesWithoutLaunch = Locked<Set<String>>([])

  var lacksLaunchCode: Bool { Self.typesWithoutLaunch.withLock { $0.contains(typeName) } }

  func recordMissingLaunch() { _ = Self.typesWithoutLaunch.withLock { $0.insert(typeName) } }

  private static let typesWithoutCheck = Locked<Set<String>>([])

  var mayHaveCheck: Bool { Self.typesWithoutCheck.withLock { !$0.contains(typeName) } }

  func check(_ launch: AppLaunch, in container: FakeContainer) async throws {
    guard let app = try await start(launch, in: container) as? ProcessApp else { return }
    defer { app.end() }
    let reply = try await app.check(launch)
    if reply.missingCode == .check {
      _ = Self.typesWithoutCheck.withLock { $0.insert(typeName) }
    }
    try reply.requireCheck()
  }

  /// Returns a host that starts the app in its own processes if possible, or otherwise in the
  /// test's process.
  static func host(
    for app: (some AppUnderTest).Type, timeLimit: Duration?, limit: ProcessLimit?,
    urgency: Int = .max, showingOutput outputTime: OutputTime = .atScenarioEnd,
    at sourceLocation: SourceLocation
  ) async throws(RunError) -> any AppHost {
    FoundationWarning.record(at: sourceLocation)
    let inProcessHost = InProcessHost(app.actions) {
      try await app.launch($0)
    } check: { launch in
      try await AppServer.reply { try await app.check(launch) }.requireCheck()
    }
    let environment = TestProcess.current.environment
    guard !AppVariables.isSet(AppVariables.inProcess, in: environment) else { return inProcessHost }
    guard AppRecipe.canBeLearned, Test.current != nil else {
      warnOfAppInTestProcess(at: sourceLocation)
      return inProcessHost
    }
    let typeName = try mangledName(of: app)
    let threadErrorNumber = AppRecipe.threadErrorNumber
    guard threadErrorNumber == 0 else {
      throw RunError(
        .appEnded,
        "the app cannot be run as a process: \(MachineFault.words(forFailedStart: threadErrorNumber))"
      )
    }
    guard let recipe = await AppRecipe.learnedRecipe.value else {
      throw RunError(
        .invalidApp,
        "the app cannot run in its own process, because the kit does not know how the test's "
          + "process was started; set \(AppVariables.inProcess)=1 to run the app in the test's "
          + "process")
    }
    return ProcessHost(
      actions: app.actions, recipe: recipe, typeName: typeName, timeLimit: timeLimit,
      sourceLocation: sourceLocation, outputTime: outputTime, processLimit: limit, urgency: urgency)
  }

  /// Returns the mangled name with which the app's process finds the type.
  private static func mangledName(of app: any AppUnderTest.Type) throws(RunError) -> String {
    if let name = _mangledTypeName(app), _typeByName(name) == app { return name }
    throw RunError(
      .invalidApp,
      "the app's process cannot find the type \(app); declare it internal or public, and outside "
        + "of functions")
  }

  /// Warns, once in each test process, that the app's temporary files are not in its container.
  func warnOfTemporaryFolder(_ folder: String) {
    guard !TestProcess.current.hasWarnedOfTemporaryFolder.exchange(for: true) else { return }
    TestIssue.record(
      "the app keeps its temporary files in \(folder), which it shares with other processes, and not in "
        + "its container's 'tmp', because Foundation on a Mac ignores TMPDIR. The kit does not see these "
        + "files: it skips scenarios that name 'tmp', and no other test shows what becomes of them. Run "
        + "these tests on Linux too, or save to 'launch.container.temporary'",
      isFailure: false, at: sourceLocation)
  }

  /// Warns, once in each test process, that the app runs in the test's process.
  private static func warnOfAppInTestProcess(at sourceLocation: SourceLocation) {
    guard !TestProcess.current.hasWarnedOfAppInTestProcess.exchange(for: true) else { return }
    TestIssue.record(
      "the app would run in the test's process here, because only Swift Testing on macOS or Linux "
        + "can start it in its own: its static variables would outlive a launch, and Foundation "
        + "would return another home folder than the container. Set \(AppVariables.inProcess)=1 "
        + "to accept that",
      isFailure: false, at: sourceLocation)
  }
}
