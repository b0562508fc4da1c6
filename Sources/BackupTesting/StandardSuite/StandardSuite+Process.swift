import BackupApp
import BackupContainer
import BackupDiagnostics
public import BackupScenarios
public import BackupVerdicts

extension StandardSuite {
  /// Returns the suite's scenarios for an app that runs in its own process.
  ///
  /// ```swift
  /// @Test(arguments: try StandardSuite.scenarios(for: CinemaApp.self))
  /// func `the app is right`(_ scenario: Scenario) async {
  ///   await StandardSuite.run(scenario, for: CinemaApp.self)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - systems: The versions of iOS to run under, such as `["9", "26"]`; the newest by default.
  /// - Returns: The scenarios.
  /// - Throws: The errors that `scenarios(for:systems:)` throws for a ``StandardApp``. Also throws
  ///   `RunError` with the code `.invalidApp` for an action such as `save.movies`, which the suite
  ///   does not perform.
  public static func scenarios(
    for app: (some AppUnderTest).Type, systems: [String] = []
  ) throws -> [Scenario] {
    let standardApp = try TestProcess.current.addingFailure(in: "StandardSuite") {
      try StandardApp(app)
    }
    return try scenarios(for: standardApp, systems: systems)
  }

  /// Runs one of the suite's scenarios with the app in its own process, and records an issue for
  /// each mistake of the app.
  ///
  /// ```swift
  /// for scenario in try StandardSuite.scenarios(for: CinemaApp.self) {
  ///   await StandardSuite.run(scenario, for: CinemaApp.self)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - scenario: One of the suite's scenarios for the app.
  ///   - app: The app.
  ///   - timeLimit: The longest time that a launch or an action may take; nil for no limit. After
  ///     this time, the kit kills the process, and the step fails.
  /// - Returns: The result; nil if the scenario could not be run. In that case, the kit has
  ///   recorded an issue.
  @discardableResult
  public static func run(
    _ scenario: Scenario, for app: (some AppUnderTest).Type,
    timeLimit: Duration? = .seconds(60)
  ) async -> ScenarioResult? {
    await runReported(scenario, for: app, timeLimit: timeLimit)?.result
  }

  /// Runs a scenario as ``run(_:for:timeLimit:)`` does, and returns the result with its index in
  /// the report of the tests.
  package static func runReported(
    _ scenario: Scenario, for app: (some AppUnderTest).Type, timeLimit: Duration?
  ) async -> ReportedResult? {
    do throws(RunError) {
      let hosts = try await hosts(for: app, timeLimit: timeLimit, at: scenario)
      let reportedResult = await run(scenario, on: hosts.standard)
      (hosts.own as? ProcessHost)?.showOutput(of: scenario, after: reportedResult?.result)
      return reportedResult
    } catch {
      TestIssue.record("\(error)", at: scenario.sourceLocation(.start))
      return nil
    }
  }

  /// Returns two hosts that start the app. The host `own` has only the app's actions. In the host
  /// `standard`, the suite's other actions do nothing.
  package static func hosts(
    for app: (some AppUnderTest).Type, timeLimit: Duration?, urgency: Int = .max,
    at scenario: Scenario
  ) async throws(RunError) -> (own: any AppHost, standard: any AppHost) {
    let standardApp = try StandardApp(app)
    let host = try await scenario.host(for: app, timeLimit: timeLimit, urgency: urgency)
    return (host, StandardHost(host: host, actions: standardApp.actions))
  }

  /// Runs the whole suite with the app in its own process, records issues, and attaches the outcome
  /// of each requirement to the test.
  ///
  /// The suite warns of each class that the app's `files` contains but no action saves.
  ///
  /// ```swift
  /// let report = try await StandardSuite.run(for: CinemaApp.self)
  /// #expect(report.lines.allSatisfy { $0.isKept })
  /// ```
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - systems: The versions of iOS to run under; the newest by default.
  ///   - timeLimit: The longest time that a launch or an action may take; nil for no limit.
  /// - Returns: The outcome of each requirement.
  /// - Throws: The errors that `scenarios(for:systems:)` throws for the app.
  @discardableResult
  public static func run(
    for app: (some AppUnderTest).Type, systems: [String] = [],
    timeLimit: Duration? = .seconds(60)
  ) async throws -> Report {
    try await report(on: StandardApp(app), systems: systems) {
      await run($0, for: app, timeLimit: timeLimit)
    }
  }
}

/// A host that starts an app for the suite. An action that the app does not bind does nothing.
private struct StandardHost: AppHost {
  let host: any AppHost
  let actions: AppActions

  var runsCodeAtLaunch: Bool { host.runsCodeAtLaunch }
  var runsInTestProcess: Bool { host.runsInTestProcess }
  var lacksLaunchCode: Bool { host.lacksLaunchCode }
  var mayHaveCheck: Bool { host.mayHaveCheck }

  func check(_ launch: AppLaunch, in container: FakeContainer) async throws {
    try await host.check(launch, in: container)
  }

  func start(
    _ launch: AppLaunch, in container: FakeContainer
  ) async throws(AppFailure) -> any RunningApp {
    try await host.start(launch, in: container)
  }
}
