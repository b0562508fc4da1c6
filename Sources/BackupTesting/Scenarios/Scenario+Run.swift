import BackupContainer
import BackupDiagnostics
public import BackupScenarios
public import BackupVerdicts
import Foundation
public import Testing

extension Scenario {
  /// Runs this scenario and records an issue for whatever is not as expected, at its line in the
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
  ///   - options: What the run may do and take, and its golden file.
  /// - Returns: What came of it, for further expectations; nil if it could not be run, which is
  ///   an issue too.
  @discardableResult
  public func run(
    actions: AppActions = AppActions(), options: RunOptions = RunOptions()
  ) async -> ScenarioResult? {
    await run(on: GuestHost(actions), options)
  }

  /// Runs this scenario with the app as a process of its own at each launch, whose home is the
  /// container, and records an issue for whatever is not as expected, at its line in the scenario
  /// file.
  ///
  /// ```swift
  /// @Test(arguments: try Scenario.all())
  /// func `the app survives`(_ scenario: Scenario) async {
  ///   await scenario.run(CinemaApp.self)
  /// }
  /// ```
  ///
  /// In a test of Swift Testing's on macOS or Linux. In a simulator, on a device and under XCTest
  /// the app runs in the test's process, as by ``run(actions:options:)``, with a warning; with the environment variable `BACKUP_TESTING_IN_PROCESS` set, for a debugger's
  /// breakpoints, it does without one.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - options: What the run may do and take, and its golden file.
  /// - Returns: What came of it, for further expectations; nil if it could not be run, which is
  ///   an issue too.
  @discardableResult
  public func run(
    _ app: (some AppUnderTest).Type, options: RunOptions = RunOptions()
  ) async -> ScenarioResult? {
    let host: any AppHost
    do throws(RunError) {
      host = try await ProcessHost.host(
        for: app, timeLimit: options.timeLimit, limit: TestProcess.current.limits.scenarios,
        at: sourceLocation(.start))
    } catch {
      TestIssue.record("\(error)", at: sourceLocation(.start))
      return nil
    }
    let result = await run(on: host, options)
    (host as? ProcessHost)?.attachPrints(of: self, after: result)
    return result
  }

  /// Runs this scenario with an app that a host starts.
  private func run(on host: any AppHost, _ options: RunOptions) async -> ScenarioResult? {
    var suite: ScenarioSuite
    do throws(RunError) {
      let defaultMode = try RecordMode.mode(in: TestProcess.current.environment)
      let mode = options.recordMode ?? defaultMode
      let store = options.goldenFolder.map(GoldenStore.init(folder:))
      suite = ScenarioSuite(
        goldens: store ?? GoldenStore(besideScenarios: folder), recordMode: mode,
        runner: options.runner(host: host))
    } catch {
      TestIssue.record("\(error)", at: sourceLocation(.start))
      return nil
    }
    suite.isInTest = true
    guard let result = await suite.run(self) else { return nil }
    result.recordIssues()
    let process = TestProcess.current
    process.failed.note(file, hasFailed: result.verdict != .passed)
    await process.add(
      result, from: options.goldenFolder == nil ? folder : nil, at: sourceLocation(.start))
    warnOfUnused(host.actions, in: process)
    return result
  }

  /// Records a warning, at the test, of bindings that no scenario of the process performs.
  private func warnOfUnused(_ actions: AppActions, in process: TestProcess) {
    process.usage.note(folder: folder)
    guard let complaint = process.usage.complaint(about: actions) else { return }
    TestIssue.record(
      complaint, isFailure: false, at: Test.current?.sourceLocation ?? sourceLocation(.start))
  }
}

extension Scenario: CustomTestArgumentEncodable {
  /// Writes the id, by which Xcode runs one scenario of a test again.
  ///
  /// - Parameter encoder: Takes the id.
  /// - Throws: What the encoder throws.
  public func encodeTestArgument(to encoder: some Encoder) throws {
    try id.encode(to: encoder)
  }
}

extension Scenario {
  func sourceLocation(_ position: SourcePosition) -> SourceLocation {
    let name = file.split(separator: "/").last ?? "scenario"
    return SourceLocation(
      fileID: "Scenarios/\(name)", filePath: file, line: position.line, column: position.column)
  }
}

extension SourcePosition {
  /// The first character of a file.
  static let start = SourcePosition(line: 1, column: 1)
}
