import BackupDiagnostics
public import BackupScenarios
public import BackupVerdicts
import Foundation
public import Testing

extension Scenario: CustomTestArgumentEncodable {
  /// Runs this scenario, and records an issue for each problem.
  ///
  /// Each issue is at the line that caused it, in the scenario file or in the app's code.
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
  /// Warnings and advice become issues of severity `.warning`. The kit also warns of a bound action
  /// that no scenario in the loaded folders performs. If the scenario does not pass, the kit
  /// attaches the expected golden text, the actual golden text and a list of the container's items
  /// to the test.
  ///
  /// - Parameters:
  ///   - actions: The app's own code for `perform` steps.
  ///   - options: The permissions and limits of the run, and its golden file.
  /// - Returns: The result, for further expectations; nil if the scenario could not be run. In that
  ///   case, the kit has recorded an issue.
  @discardableResult
  public func run(
    actions: AppActions = AppActions(), options: RunOptions = RunOptions()
  ) async -> ScenarioResult? {
    FoundationWarning.record(at: sourceLocation(.start))
    return await run(on: InProcessHost(actions), options)?.result
  }

  /// Runs this scenario with the app in a new process at each launch, and records an issue for each
  /// problem.
  ///
  /// Each issue is at the line that caused it, in the scenario file or in the app's code.
  ///
  /// The container is the home folder of the process. If a pattern in the scenario's `files` and
  /// one in the app's `files` match the same file, the scenario's pattern decides.
  ///
  /// ```swift
  /// @Test(arguments: try Scenario.all())
  /// func `the app survives`(_ scenario: Scenario) async {
  ///   await scenario.run(CinemaApp.self)
  /// }
  /// ```
  ///
  /// In a test of Swift Testing on macOS or Linux, the app runs in its own process. In a simulator,
  /// on a device and in a test of XCTest, the app runs in the test's process, and the kit warns of
  /// that. To use a debugger's breakpoints in the app, set the environment variable
  /// `BACKUP_TESTING_IN_PROCESS`: the app then runs in the test's process, without a warning.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - options: The permissions and limits of the run, and its golden file.
  /// - Returns: The result, for further expectations; nil if the scenario could not be run. In that
  ///   case, the kit has recorded an issue.
  @discardableResult
  public func run(
    _ app: (some AppUnderTest).Type, options: RunOptions = RunOptions()
  ) async -> ScenarioResult? {
    await runReported(app, options: options)?.result
  }

  /// Runs this scenario as ``run(_:options:)`` does, and returns the result with its index in the
  /// report of the tests.
  package func runReported(
    _ app: (some AppUnderTest).Type, options: RunOptions, by caller: ScenarioSuite.Caller = .test
  ) async -> ReportedResult? {
    guard mistakes.isEmpty else { return recordMistakes() }
    let host: any AppHost
    let scenario: Scenario
    do throws(RunError) {
      scenario =
        if let files = try app.sharedFiles { try adding(sharedPromises: files) } else { self }
      host = try await self.host(for: app, timeLimit: options.timeLimit)
    } catch {
      TestIssue.record("\(error)", at: sourceLocation(.start))
      return nil
    }
    let reportedResult = await scenario.run(on: host, options, by: caller)
    (host as? ProcessHost)?.showOutput(of: scenario, after: reportedResult?.result)
    return reportedResult
  }

  /// Returns the host that starts an app for this scenario.
  ///
  /// Only a limited number of apps run at once. The next app to start is that of the waiting host
  /// with the greatest `urgency`.
  package func host(
    for app: (some AppUnderTest).Type, timeLimit: Duration?, urgency: Int = .max
  ) async throws(RunError) -> any AppHost {
    try await ProcessHost.host(
      for: app, timeLimit: timeLimit, limit: TestProcess.current.limits.scenarioApps,
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
      let chosenGoldens = options.goldenFolder.map(GoldenStore.init(folder:))
      let goldens = chosenGoldens ?? GoldenStore(besideScenarios: scenarioFolder)
      let pendingFolder = TestProcess.current.environment[GoldenStore.pendingVariable]
      suite = ScenarioSuite(
        goldens: goldens.leavingNewTexts(in: pendingFolder), recordMode: mode,
        runner: options.runner(host: host))
    } catch {
      TestIssue.record("\(error)", at: sourceLocation(.start))
      return nil
    }
    suite.caller = caller
    suite.isRecordingRequested =
      options.recordMode != nil || RecordingTrait.current != nil
      || RecordMode.isSet(in: TestProcess.current.environment)
    suite.leavesNewTextsForReview = !RecordMode.isCI(TestProcess.current.environment)
    guard let result = await suite.runInTest(self) else { return nil }
    let problems = result.recordIssues()
    let process = TestProcess.current
    process.failedScenarios.record(file, hasFailed: ![.passed, .recorded].contains(result.verdict))
    if result.verdict == .recorded, let path = suite.goldens?.path(of: id) {
      process.recordedGoldenPaths.withLock { _ = $0.insert(path) }
    }
    if let test = Test.current, let path = suite.goldens?.path(of: id),
      let complaint = process.sharedGoldenFiles.complaint(
        about: result, problems, of: test.displayName ?? test.name, at: path)
    {
      TestIssue.record(complaint, isFailure: false, at: test.sourceLocation)
    }
    let reportedResult = await process.add(
      result, problems, from: options.goldenFolder == nil ? scenarioFolder : nil,
      at: sourceLocation(.start)
    )
    process.actionUsage.addLoaded(folder: scenarioFolder)
    process.sharedFileUse.withLock { sharedUse in
      sharedUse.use.add(result)
      sharedUse.files.insert(file)
      sharedUse.folders.insert(scenarioFolder)
    }
    if let complaint = process.actionUsage.complaint(about: host.actions) {
      TestIssue.record(
        complaint, isFailure: false, at: Test.current?.sourceLocation ?? sourceLocation(.start))
    }
    return reportedResult
  }

  /// Returns the line of the app's code that caused a problem. If that line is unknown, returns the
  /// line of the scenario file.
  package func sourceLocation(of problem: Scenario.Problem) -> SourceLocation {
    guard let code = problem.code.first, code.line > 0 else {
      return sourceLocation(problem.position)
    }
    let fileName = code.file.split(separator: "/").last ?? "code"
    return SourceLocation(
      fileID: "code/\(fileName)", filePath: URL(fileURLWithPath: code.file).path, line: code.line,
      column: 1)
  }

  package func sourceLocation(_ position: SourcePosition) -> SourceLocation {
    let fileName = file.split(separator: "/").last ?? "scenario"
    return SourceLocation(
      fileID: "Scenarios/\(fileName)", filePath: file, line: position.line, column: position.column)
  }

  /// Records an issue for each mistake in the scenario file, at its line. The report of the tests
  /// has the mistakes already, so this method does not add them.
  private func recordMistakes() -> ReportedResult? {
    for mistake in mistakes {
      TestIssue.recordWithoutReport(
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
    /// The longest time that a launch or an action of the app may take; nil for no limit.
    ///
    /// After this time, the kit kills the app's process, and the step fails. An app in the test's
    /// own process has no limit.
    public var timeLimit: Duration?
    /// A Boolean value that indicates whether `run` steps may start processes.
    ///
    /// These processes have all rights of your user account. Permit them only for scenario files
    /// that you trust.
    public var allowsProcesses: Bool
    /// A Boolean value that indicates whether scenarios may read containers and backups on disk.
    ///
    /// The containers and backups are in folders beside the scenario folder. Permit this only for
    /// scenario files that you trust.
    public var allowsBackups: Bool
    /// The reader of backups in folders; nil if no scenario restores a backup from a folder.
    ///
    /// The library BackupFolders has the reader `.finder`.
    public var backupReader: BackupReader?
    /// The limits on the work of a run, and on the size of its files.
    ///
    /// Raise them only for scenario files that you trust.
    public var limits: RunLimits
    /// The path of the folder with the golden files; nil for the folder `Golden` beside the
    /// scenario folder.
    ///
    /// The path is absolute or relative to the working directory.
    public var goldenFolder: String?
    /// The mode that decides when golden files are written; nil to let the trait or the environment
    /// decide.
    ///
    /// If the mode is nil, the trait `.recording(_:)` decides. Without the trait, the environment
    /// variable `BACKUP_TESTING_RECORD` decides. Without the trait and the variable, the mode is
    /// `.never` on CI (if the environment variable `CI` is set), and otherwise `.missing`.
    public var recordMode: RecordMode?

    /// Creates options.
    ///
    /// - Parameters:
    ///   - timeLimit: The longest time that a launch or an action of the app may take; nil for no
    ///     limit.
    ///   - allowsProcesses: `true` if `run` steps may start processes.
    ///   - allowsBackups: `true` if scenarios may read containers and backups on disk.
    ///   - backupReader: The reader of backups in folders, such as `.finder`; nil for none.
    ///   - limits: The limits on the work of a run, and on the size of its files.
    ///   - goldenFolder: The path of the folder with the golden files; nil for the folder `Golden`
    ///     beside the scenario folder.
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

  /// Encodes the scenario's id. Xcode uses the id to run one scenario of a test again.
  ///
  /// - Parameter encoder: The encoder for the id.
  /// - Throws: The error that the encoder throws.
  public func encodeTestArgument(to encoder: some Encoder) throws {
    try id.encode(to: encoder)
  }
}

extension ScenarioSuite {
  /// Runs a scenario. Failures that the app's code records itself are added to the report of the
  /// tests.
  func runInTest(_ scenario: Scenario) async -> ScenarioResult? {
    let result = Locked<ScenarioResult?>(nil)
    // The call throws only if its closure does, and this closure does not.
    try? await TestIssue.reportingFailures(in: Test.current, Test.Case.current) {
      let scenarioResult = await run(scenario)
      result.withLock { $0 = scenarioResult }
    }
    return result.withLock { $0 }
  }
}
