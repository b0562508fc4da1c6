import BackupDiagnostics
import Foundation

/// The result of a suite, as data. All reports show this data. The user's test process writes the
/// data as JSON, which the command `backup-testing` reads.
package struct SuiteReport: Codable, Sendable {
  package var scenarios: [ScenarioReport] = []
  /// The tests that failed for a reason outside any scenario. Passed tests are not listed.
  package var failedTests: [ScenarioReport] = []
  /// The reason why the run is not complete; nil for a complete run.
  package var obstacle: String?
  /// The paths of golden files without a scenario. Only complete runs look for such files.
  package var orphans: [String] = []
  package var orphansFail = false
  /// The number of scenarios that were not run because the user selected none of their iOS
  /// versions.
  package var unselectedScenarioCount = 0
  /// The origin of the report; nil if it is not known.
  package var origin: ReportOrigin?

  /// The scenarios, then the tests.
  package var scenariosAndTests: [ScenarioReport] { scenarios + failedTests }

  package init(
    _ scenarios: [ScenarioReport] = [], failedTests: [ScenarioReport] = [], obstacle: String? = nil,
    orphans: [String] = [], orphansFail: Bool = false
  ) {
    self.scenarios = scenarios
    self.failedTests = failedTests
    self.obstacle = obstacle
    self.orphans = orphans.map(\.relativeToWorkingDirectory)
    self.orphansFail = orphansFail
  }

  package func count(_ verdict: ScenarioResult.Verdict) -> Int {
    scenarios.count { $0.verdict == verdict }
  }

  /// The number of scenarios and tests that failed, including scenarios that stopped early.
  private var failureCount: Int {
    scenarios.count(where: \.hasFailed) + failedTests.count
  }

  package var isGreen: Bool {
    failureCount == 0 && obstacle == nil && (orphans.isEmpty || !orphansFail)
  }

  /// Lines with the number of scenarios for each outcome, of explorations, and of other failed
  /// tests.
  ///
  /// Each line ends in LF. The text is empty if no scenario was selected and no test failed.
  package var summary: String {
    outcomeSummary + explorationSummary + (failedTestSummary.map { "\($0)\n" } ?? "")
  }

  /// The last line of the output on a terminal: the names of the failed scenarios and tests. Empty
  /// if none failed.
  package var failedLine: String { scenariosAndTests.failedLine }

  /// The number of ``failedTests`` in words, such as `2 other tests failed`; nil if there are none.
  package var failedTestSummary: String? {
    failedTests.isEmpty ? nil : "\(failedTests.count.counted("other test")) failed"
  }

  private var explorationSummary: String {
    let explorations = scenarios.compactMap(\.exploration).filter { $0.obstacle == nil }
    guard !explorations.isEmpty else { return "" }
    let points = explorations.reduce(0) { $0 + $1.crashPoints }.counted("crash point")
    let traces = explorations.reduce(0) { $0 + $1.traces }.counted("trace")
    return "\(explorations.count.counted("scenario")) explored: \(points), \(traces)\n"
  }

  private var outcomeSummary: String {
    let readableScenarios = scenarios.filter { !$0.isUnreadable }
    guard !readableScenarios.isEmpty else { return "" }
    let runs = readableScenarios.reduce(0) { $0 + $1.runCount }.counted("run")
    let counts = [
      ("passed", count(.passed)), ("failed", count(.failed)), ("recorded", count(.recorded)),
      ("stopped early", readableScenarios.count { $0.verdict == .error }),
      ("skipped", count(.skipped)),
      ("not run under these systems", unselectedScenarioCount),
    ].filter { $0.1 > 0 || $0.0 == "passed" }.map { "\($0.1) \($0.0)" }
    return
      "\(readableScenarios.count.counted("scenario")) in \(runs): \(counts.joined(separator: ", "))\n"
  }

  /// The message about a golden file without a scenario.
  package static let orphanMessage =
    "no scenario has this golden file; delete it, or run 'backup-testing run --delete-orphans'"

  /// The number of the JSON format that the kit writes. The kit reads no other format.
  private static let format = 3

  private enum CodingKeys: String, CodingKey {
    case format, scenarios, tests, passed, failed, skipped, obstacle, orphans, orphansFail, leftOut
    case origin
    /// A key that only the output of `explore` has.
    case updateDependences
  }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let format = try members.decode(Int.self, forKey: .format)
    guard !members.contains(.updateDependences) else {
      throw RunError(
        .laterFormat,
        "this is what 'explore --format json' writes, which 'report' does not read; run 'explore' "
          + "with the format that you need")
    }
    guard format == Self.format else {
      throw RunError(
        .laterFormat,
        "these are results of format \(format), but this version reads format \(Self.format); use "
          + "the version of the kit that wrote them")
    }
    failedTests = try members.decodeIfPresent([ScenarioReport].self, forKey: .tests) ?? []
    scenarios = try members.decode([ScenarioReport].self, forKey: .scenarios)
    obstacle = try members.decodeIfPresent(String.self, forKey: .obstacle)
    orphans = try members.decodeIfPresent([String].self, forKey: .orphans) ?? []
    orphansFail = try members.decodeIfPresent(Bool.self, forKey: .orphansFail) ?? false
    unselectedScenarioCount = try members.decodeIfPresent(Int.self, forKey: .leftOut) ?? 0
    origin = try members.decodeIfPresent(ReportOrigin.self, forKey: .origin)
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    let (passed, skipped) = (count(.passed) + count(.recorded), count(.skipped))
    try members.encode(Self.format, forKey: .format)
    try members.encode(scenarios, forKey: .scenarios)
    if !failedTests.isEmpty { try members.encode(failedTests, forKey: .tests) }
    try members.encode(passed, forKey: .passed)
    try members.encode(skipped, forKey: .skipped)
    try members.encode(failureCount, forKey: .failed)
    try members.encodeIfPresent(obstacle, forKey: .obstacle)
    if !orphans.isEmpty { try members.encode(orphans, forKey: .orphans) }
    if orphansFail { try members.encode(true, forKey: .orphansFail) }
    if unselectedScenarioCount > 0 { try members.encode(unselectedScenarioCount, forKey: .leftOut) }
    try members.encodeIfPresent(origin, forKey: .origin)
  }
}

extension [ScenarioReport] {
  /// The names of the failed scenarios and tests, on a line that ends in LF; empty if none failed.
  ///
  /// The line does not name files that could not be read.
  package var failedLine: String {
    let names = Set(filter { $0.hasFailed && !$0.isUnreadable }.map(\.id)).sorted()
    return names.isEmpty ? "" : "failed: \(names.shortList)\n"
  }
}

extension OutputFormat<SuiteReport> {
  /// JSON for other programs, and for `backup-testing report`.
  package static var json: OutputFormat { json([.showsRuns]) { $0 } }
}
