import BackupDiagnostics
public import BackupScenarios
public import BackupVerdicts
import Foundation
public import Testing

extension Scenario: CustomTestArgumentEncodable {
  /// Runs this scenario, and records an issue for each unexpected result at its line in the
  /// scenario file.
  ///
  /// ```swift
  /// @Test(arguments: try Scenario.all())
  /// func `the app's own code survives`(_ scenario: Scenario) async {
  ///   await scenario.run(actions: [
  ///     "downloadMovie": { action in
  ///       try MovieStore(root: action.container.url)
  ///         .save(Data(count: 700), id: action.argument("id"))
  ///     }
  ///   ])
  /// }
  /// ```
  ///
  /// Warnings and advice become issues of severity `.warning`; so does a bound action that no
  /// scenario in the loaded folders performs. The expected and the actual golden text and the
  /// container's last state are attached to a failed test.
  ///
  /// - Parameters:
  ///   - actions: The app's own code for `perform` steps.
  ///   - options: The permissions and limits of the run, and its golden file.
  /// - Returns: The result, for further expectations; nil if the scenario could not be run, which
  ///   is an issue too.
  @discardableResult
  public func run(
    actions: AppActions = AppActions(), options: RunOptions = RunOptions()
  ) async -> ScenarioResult? {
    FoundationWarning.record(at: sourceLocation(.start))
    return await run(on: GuestHost(actions), options)?.result
  }

  /// Runs this scenario with the app in a new process at each launch, and records an issue for each
  /// unexpected result at its line in the scenario file.
  ///
  /// The container is the home folder of the process. The classes in the app's `files` come after those
  /// of the scenario.
  ///
  /// ```swift
  /// @Test(arguments: try Scenario.all())
  /// func `the app survives`(_ scenario: Scenario) async {
  ///   await scenario.run(CinemaApp.self)
  /// }
  /// ```
  ///
  /// The app runs in its own process in a test of Swift Testing on macOS or Linux. In a simulator,
  /// on a device and under XCTest, it runs in the test's process, as with
  /// ``run(actions:options:)``, and the kit warns of that. If the environment variable
  /// `BACKUP_TESTING_IN_PROCESS` is set, for a debugger's breakpoints, it also runs there, without
  /// a warning.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - options: The permissions and limits of the run, and its golden file.
  /// - Returns: The result, for further expectations; nil if the scenario could not be run, which
  ///   is an issue too.
  @discardableResult
  public func run(
    _ app: (some AppUnderTest).Type, options: RunOptions = RunOptions()
  ) async -> ScenarioResult? {
    await runReported(app, options: options)?.result
  }

  /// Runs this scenario as ``run(_:options:)`` does, and returns the result with its place in the
  /// report.
  package func runReported(
    _ app: (some AppUnderTest).Type, options: RunOptions, by caller: ScenarioSuite.Caller = .test
  ) async -> ReportedResult? {
    guard mistakes.isEmpty else { return recordMistakes() }
    let host: any AppHost
    let scenario: Scenario
    do throws(RunError) {
      scenario = if let files = try app.sharedFiles { try adding(shared: files) } else { self }
      host = try await self.host(for: app, timeLimit: options.timeLimit)
    } catch {
      TestIssue.record("\(error)", at: sourceLocation(.start))
      return nil
    }
    let reported = await scenario.run(on: host, options, by: caller)
    (host as? ProcessHost)?.showOutput(of: scenario, after: reported?.result)
    return reported
  }

  /// Returns the host that starts an app for this scenario. Of the hosts that wait, the one with
  /// the greatest urgency is next.
  package func host(
    for app: (some AppUnderTest).Type, timeLimit: Duration?, urgency: Int = .max
  ) async throws(RunError) -> any AppHost {
    try await ProcessHost.host(
      for: app, timeLimit: timeLimit, limit: TestProcess.current.limits.scenarios,
      urgency: urgency, at: sourceLocation(.start))
  }

  private func run(
    on host: any AppHost, _ options: RunOptions, by caller: ScenarioSuite.Caller = .test
  ) async -> ReportedResult? {
    guard mistakes.isEmpty else { return recordMistakes() }
    TestProcess.current.checkEnvironment(at: sourceLocation(.start))
    var suite: ScenarioSuite
    do throws(RunError) {
      let defaultMode = try RecordMode.mode(in: TestProcess.current.environment)
      let mode = options.recordMode ?? RecordingTrait.current ?? defaultMode
      let store = options.goldenFolder.map(GoldenStore.init(folder:))
      let goldens = store ?? GoldenStore(besideScenarios: folder)
      let newTexts = TestProcess.current.environment[GoldenStore.pendingVariable]
      suite = ScenarioSuite(
        goldens: goldens.leavingNewTexts(in: newTexts), recordMode: mode,
        runner: options.runner(host: host))
    } catch {
      TestIssue.record("\(error)", at: sourceLocation(.start))
      return nil
    }
    suite.caller = caller
    suite.isRecordingRequested =
      options.recordMode != nil || RecordingTrait.current != nil
      || RecordMode.isSet(in: TestProcess.current.environment)
    suite.leavesForReview = !RecordMode.isCI(TestProcess.current.environment)
    guard let result = await suite.runInTest(self) else { return nil }
    let problems = result.recordIssues()
    let process = TestProcess.current
    process.failed.note(file, hasFailed: ![.passed, .recorded].contains(result.verdict))
    if result.verdict == .recorded, let path = suite.goldens?.path(of: id) {
      process.recorded.withLock { _ = $0.insert(path) }
    }
    if let test = Test.current, let path = suite.goldens?.path(of: id),
      let complaint = process.sharedGoldens.complaint(
        about: result, problems, of: test.displayName ?? test.name, at: path)
    {
      TestIssue.record(complaint, isFailure: false, at: test.sourceLocation)
    }
    let reported = await process.add(
      result, problems, from: options.goldenFolder == nil ? folder : nil, at: sourceLocation(.start)
    )
    process.usage.note(folder: folder)
    process.sharedUse.withLock { shared in
      shared.use.add(result)
      shared.files.insert(file)
      shared.folders.insert(folder)
    }
    if let complaint = process.usage.complaint(about: host.actions) {
      TestIssue.record(
        complaint, isFailure: false, at: Test.current?.sourceLocation ?? sourceLocation(.start))
    }
    return reported
  }

  /// Returns the line of the app's code that caused a problem if it is known, or else the line of the scenario file.
  package func sourceLocation(of problem: Scenario.Problem) -> SourceLocation {
    guard let code = problem.code.first, code.line > 0 else {
      return sourceLocation(problem.position)
    }
    let name = code.file.split(separator: "/").last ?? "code"
    return SourceLocation(
      fileID: "code/\(name)", filePath: URL(fileURLWithPath: code.file).path, line: code.line,
      column: 1)
  }

  package func sourceLocation(_ position: SourcePosition) -> SourceLocation {
    let name = file.split(separator: "/").last ?? "scenario"
    return SourceLocation(
      fileID: "Scenarios/\(name)", filePath: file, line: position.line, column: position.column)
  }

  /// Records each mistake of the file at its line. The results already have the mistakes.
  private func recordMistakes() -> ReportedResult? {
    for mistake in mistakes {
      TestIssue.show(
        "\(id) (\(mistake.file):\(mistake.position.line)): \(mistake.message)",
        at: sourceLocation(mistake.position))
    }
    return nil
  }

  /// The permissions, limits and golden file for a run of a scenario in a test.
  ///
  /// ```swift
  /// await scenario.run(CinemaApp.self, options: Scenario.RunOptions(allowsBackups: true))
  /// ```
  public struct RunOptions: Hashable, Sendable {
    /// The time that a start or an action of the app may take before its process is killed and the
    /// step fails; nil for no limit.
    ///
    /// An app in the test's own process has no limit.
    public var timeLimit: Duration?
    /// A Boolean value that indicates whether `run` steps may start processes, with all the rights
    /// of your user.
    ///
    /// Permit it only for scenario files that you trust.
    public var allowsProcesses: Bool
    /// A Boolean value that indicates whether scenarios may start from containers, and restore
    /// backups, in folders beside the scenario folder.
    ///
    /// Permit it only for scenario files that you trust.
    public var allowsBackups: Bool
    /// The reader of backups in folders: `.finder` of the library BackupFolders, or nil if no
    /// scenario restores such a backup.
    public var backupReader: BackupReader?
    /// The limits on what a run may take of the machine.
    ///
    /// Raise them only for scenario files that you trust.
    public var limits: RunLimits
    /// The folder of golden files, absolute or relative to the working directory; nil for `Golden`
    /// beside the scenario folder.
    public var goldenFolder: String?
    /// The mode that decides when golden files are written.
    ///
    /// If it is nil, the trait `.recording(_:)` decides, or else the environment variable
    /// `BACKUP_TESTING_RECORD`. Without these, the mode is `.never` if `CI` is set, and `.missing`
    /// if it is not.
    public var recordMode: RecordMode?

    /// Creates options.
    ///
    /// - Parameters:
    ///   - timeLimit: The time that a start or an action of the app may take; nil for no limit.
    ///   - allowsProcesses: `true` if `run` steps may start processes.
    ///   - allowsBackups: `true` if scenarios may read containers and backups in folders.
    ///   - backupReader: The reader of backups in folders, `.finder`; nil for none.
    ///   - limits: The limits on what a run may take of the machine.
    ///   - goldenFolder: The folder of golden files; nil for `Golden` beside the scenario folder.
    ///   - recordMode: The mode that decides when golden files are written; nil to let the trait or
    ///     the environment decide.
    public init(
      timeLimit: Duration? = .seconds(60), allowsProcesses: Bool = false,
      allowsBackups: Bool = false, backupReader: BackupReader? = nil,
      limits: RunLimits = RunLimits(), goldenFolder: String? = nil, recordMode: RecordMode? = nil
    ) {
      self.timeLimit = timeLimit
      self.allowsProcesses = allowsProcesses
      self.allowsBackups = allowsBackups
      self.backupReader = backupReader
      self.limits = limits
      self.goldenFolder = goldenFolder
      self.recordMode = recordMode
    }

    package func runner(host: any AppHost) -> ScenarioRunner {
      var runner = ScenarioRunner(host: host, allowsProcesses: allowsProcesses)
      if allowsBackups { runner.permissions.insert(.folders) }
      runner.backupReader = backupReader
      runner.limits = limits
      return runner
    }
  }

  /// Encodes the id, by which Xcode runs one scenario of a test again.
  ///
  /// - Parameter encoder: The encoder for the id.
  /// - Throws: The error that the encoder throws.
  public func encodeTestArgument(to encoder: some Encoder) throws {
    try id.encode(to: encoder)
  }
}

extension ScenarioSuite {
  /// Runs a scenario, and adds failures that the app's code records itself to the results.
  func runInTest(_ scenario: Scenario) async -> ScenarioResult? {
    let result = Locked<ScenarioResult?>(nil)
    // Only the code of a test throws.
    try? await TestIssue.reportingFailures(in: Test.current, Test.Case.current) {
      let outcome = await run(scenario)
      result.withLock { $0 = outcome }
    }
    return result.withLock { $0 }
  }
}
