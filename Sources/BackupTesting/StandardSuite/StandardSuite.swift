import BackupDevice
import BackupDiagnostics
public import BackupScenarios
public import BackupVerdicts
import Foundation
import Testing

/// Scenarios that every app must pass.
///
/// In these scenarios, the app saves an item, saves it again, and loads it. In between, iOS takes
/// backups, purges, updates the app, and restores a backup on a new device.
///
/// ```swift
/// @Test func `the app keeps what every app must keep`() async throws {
///   var cinema = StandardApp(
///     bundleIdentifier: "com.example.cinema", files: ["Documents/**": .critical])
///   cinema.save(.critical) { action in
///     try Data("[]".utf8).write(to: action.container.documents.appending(path: "list.json"))
///   }
///   try await StandardSuite.run(for: cinema)
/// }
/// ```
///
/// To run each scenario as its own test case, use `scenarios(for:systems:)` as the arguments of the
/// test.
public enum StandardSuite {
  /// Returns the suite's scenarios for an app: one for the launch of the app, and one for each
  /// class that the app saves.
  ///
  /// ```swift
  /// @Test(arguments: try StandardSuite.scenarios(for: .cinema, systems: ["9", "26"]))
  /// func `the app is right`(_ scenario: Scenario) async {
  ///   await StandardSuite.run(scenario, for: .cinema)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - systems: The versions of iOS to run under, such as `["9", "26"]`; the newest by default.
  /// - Returns: The scenarios.
  /// - Throws: `RunError` with one of these codes:
  ///   - `.unknownSystem` for a version of iOS that the kit does not know.
  ///   - `.invalidApp` for an invalid bundle identifier, and for an app that saves nothing, loads
  ///     an item without saving it, or deletes an item that is not temporary.
  ///   - `.invalidPath` for an invalid pattern in the app's `files`.
  ///   - `.unreadable` if the kit's resources are not in the bundle of the tests.
  public static func scenarios(for app: StandardApp, systems: [String] = []) throws -> [Scenario] {
    try TestProcess.current.addingFailure(in: "StandardSuite") {
      try adaptedScenarios(for: app, systems: systems)
    }
  }

  private static func adaptedScenarios(
    for app: StandardApp, systems: [String]
  ) throws -> [Scenario] {
    guard !app.savedClasses.isEmpty else {
      throw RunError(
        .invalidApp,
        "the app saves nothing: bind at least one action, such as app.save(.critical)")
    }
    if let problem = app.problem { throw RunError(.invalidApp, problem) }
    let files = try FilePromises(app.files)
    let versions = try systems.map { try SystemProfile.named($0).version }
    let scenarioApp = app.scenarioApp
    return try ScenarioFolder(path: folder()).scenarios()
      // The id of a scenario about a class is the class, such as `cached`. Other scenarios, such as
      // `launch`, are for every app.
      .filter { DataClass(rawValue: $0.id).map(app.savedClasses.contains) ?? true }
      .map { $0.adapted(to: scenarioApp, files: files, systems: versions.isEmpty ? nil : versions) }
  }

  /// Runs one of the suite's scenarios, and records an issue for each mistake of the app.
  ///
  /// ```swift
  /// for scenario in try StandardSuite.scenarios(for: cinema) {
  ///   await StandardSuite.run(scenario, for: cinema)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - scenario: One of the scenarios that `scenarios(for:systems:)` returns.
  ///   - app: The app.
  /// - Returns: The result; nil if the scenario could not be run. In that case, the kit has
  ///   recorded an issue.
  @discardableResult
  public static func run(_ scenario: Scenario, for app: StandardApp) async -> ScenarioResult? {
    await run(scenario, on: InProcessHost(app.actions))?.result
  }

  static func run(_ scenario: Scenario, on host: any AppHost) async -> ReportedResult? {
    var suite = ScenarioSuite(
      goldens: nil, recordMode: .never, runner: ScenarioRunner(host: host))
    suite.caller = .test
    guard let result = await suite.runInTest(scenario) else { return nil }
    let problems = result.recordIssues()
    return await TestProcess.current.add(
      result, problems, from: nil, at: scenario.sourceLocation(.start))
  }

  /// Runs the whole suite, records issues, and attaches the outcome of each requirement to the
  /// test.
  ///
  /// The suite warns of each class that the app's `files` contains but no action saves.
  ///
  /// ```swift
  /// let report = try await StandardSuite.run(for: cinema, systems: ["18", "26"])
  /// #expect(report.lines.allSatisfy { $0.isKept })
  /// ```
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - systems: The versions of iOS to run under; the newest by default.
  /// - Returns: The outcome of each requirement.
  /// - Throws: The errors that `scenarios(for:systems:)` throws.
  @discardableResult
  public static func run(for app: StandardApp, systems: [String] = []) async throws -> Report {
    try await report(on: app, systems: systems) { await run($0, for: app) }
  }

  /// Calls `run` with each scenario of the suite, and attaches the outcome of each requirement to
  /// the test.
  static func report(
    on app: StandardApp, systems: [String], _ run: (Scenario) async -> ScenarioResult?
  ) async throws -> Report {
    for dataClass in app.unsavedClasses {
      TestIssue.record(
        "'files' has \(dataClass.rawValue) items, but save(.\(dataClass.rawValue)) is not bound, "
          + "so nothing of that class is tested; bind it", isFailure: false,
        at: Test.current?.sourceLocation
          ?? SourceLocation(fileID: #fileID, filePath: #filePath, line: #line, column: #column))
    }
    var results: [ScenarioResult] = []
    for scenario in try scenarios(for: app, systems: systems) {
      if let result = await run(scenario) { results.append(result) }
    }
    let report = Report(results)
    Attachment.record(report.description, named: "requirements.txt")
    return report
  }

  /// The outcome of each requirement in the standard suite.
  public struct Report: Sendable, CustomStringConvertible {
    /// The outcome of one requirement.
    public struct Line: Hashable, Sendable {
      /// The requirement's id, such as `mark.reapply-on-save`.
      public let requirement: String
      /// A Boolean value that indicates whether the app keeps the requirement.
      ///
      /// It is `true` if every scenario that tests the requirement ran to its end, and had no error
      /// or warning about the requirement. It is `false` if a step of such a scenario had no
      /// effect, because the requirement was then not tested.
      public let isKept: Bool
      /// The ids of the scenarios that test the requirement.
      public let scenarios: [String]
    }

    /// The outcomes, sorted by the ids of the requirements.
    public let lines: [Line]

    init(_ results: [ScenarioResult]) {
      var resultsByRequirement: [String: [ScenarioResult]] = [:]
      for result in results {
        for requirement in result.scenario.requirements {
          resultsByRequirement[requirement.value, default: []].append(result)
        }
      }
      let brokenRequirements = Set(results.flatMap(\.brokenRequirements))
      self.lines = resultsByRequirement.keys.sorted().map { id in
        let results = resultsByRequirement[id] ?? []
        return Line(
          requirement: id, isKept: !brokenRequirements.contains(id),
          scenarios: results.map(\.scenario.id))
      }
    }

    /// A line for each requirement, such as `kept   mark.reapply-on-save  (offline, support)`.
    public var description: String {
      lines.map { line in
        "\(line.isKept ? "kept  " : "broken") \(line.requirement)  "
          + "(\(line.scenarios.joined(separator: ", ")))\n"
      }.joined()
    }
  }

  /// Returns the folder with the suite's scenario files, from the resources of this package.
  static func folder() throws(RunError) -> String {
    // The bundle finds the folder, because Xcode puts resources in a deeper folder than SwiftPM.
    guard let url = Bundle.module.url(forResource: "StandardSuite", withExtension: nil) else {
      throw RunError(
        .unreadable,
        "\(Bundle.module.bundlePath): the standard suite's scenarios are missing from this "
          + "bundle; add the package's resources to it")
    }
    return url.path
  }

  /// The ids of all scenarios of the suite; empty if the files are missing.
  package static var ids: Set<String> {
    Set((try? ScenarioFolder(path: folder()))?.files.map(\.id) ?? [])
  }
}
