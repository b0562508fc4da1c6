import BackupDiagnostics
public import BackupScenarios
public import BackupTesting
public import BackupVerdicts

extension StandardSuite {
  /// Runs one of the suite's scenarios as ``run(_:for:timeLimit:)`` does, and then explores it like
  /// `Scenario.explore`.
  ///
  /// ```swift
  /// func `at every moment`(_ scenario: Scenario) async {
  ///   await StandardSuite.explore(scenario, for: CinemaApp.self)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - scenario: One of the suite's scenarios for the app.
  ///   - app: The app.
  ///   - bounds: The bounds of the exploration.
  ///   - timeLimit: The longest time that a launch or an action may take; nil for no limit.
  /// - Returns: The result of the first run; nil if the scenario could not be run. In that case,
  ///   the kit has recorded an issue.
  @discardableResult
  public static func explore(
    _ scenario: Scenario, for app: (some AppUnderTest).Type,
    bounds: Scenario.ExplorationBounds = Scenario.ExplorationBounds(),
    timeLimit: Duration? = .seconds(60)
  ) async -> ScenarioResult? {
    await scenario.explore(app) {
      await runReported(scenario, for: app, timeLimit: timeLimit)
    } _: { reportedResult throws(RunError) in
      let host = try await hosts(
        for: app, timeLimit: timeLimit, urgency: scenario.stepsRunningCode.count, at: scenario)
      try await scenario.explore(
        app, by: ScenarioRunner(host: host.standard), within: bounds, after: reportedResult)
      scenario.attachCrash(of: host.own)
    }
  }
}
