#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupExploring
@testable import BackupScenarios
@testable import BackupTesting
@testable import BackupVerdicts

/// A run or exploration of a few steps with an app in its own process, and its results.
struct AppTrial {
  /// An issue that the run recorded.
  struct RecordedIssue: Sendable, CustomStringConvertible {
    let file: String
    let line: Int
    /// Whether the issue fails the test. Otherwise, it is a warning.
    let isError: Bool
    let text: String

    init(_ issue: TestIssue.CollectedIssue) {
      file = issue.sourceLocation.fileName
      line = issue.sourceLocation.line
      isError = issue.isFailure
      text = issue.text
    }

    var description: String { "\(file):\(line) \(isError ? "error" : "warning") \(text)" }
  }

  let result: ScenarioResult?
  let seen: [RecordedIssue]
  /// The app's output, as the kit shows it.
  let shown: String
  /// The summary of explorations that the kit prints when the test process ends.
  let summary: String

  /// Runs steps in the notation of a scenario file. Step 1 is on line 2, step 2 on line 3.
  init(
    _ app: (some AppUnderTest).Type, _ steps: [String], head: String = "",
    timeLimit: Duration = .seconds(60), environment: [String: String] = [:],
    exploring isExplored: Bool = false
  ) async throws {
    let folder = try TestFolder([
      "Scenarios/x.json5":
        "{ title: 'Trial', golden: { compare: false }, \(head) steps: [\n"
        + "\(steps.joined(separator: ",\n"))\n] }"
    ])
    var process = TestProcess(
      environment: environment, folder: folder.url, limits: TestProcess.current.limits)
    let shown = CollectedValues<String>()
    process.printOutput = { shown.add($0) }
    let summary = ExplorationSummary()
    (self.result, self.seen) = try await TestProcess.$current.withValue(process) {
      let scenario = try #require(try Scenario.all(in: folder.path + "/Scenarios").first)
      let results = CollectedValues<ScenarioResult>()
      let issues = await TestIssue.collecting {
        let result =
          isExplored
          ? await ExplorationSummary.$current.withValue(summary) {
            await scenario.explore(
              app, bounds: .init(duration: .seconds(3600)), options: .init(timeLimit: timeLimit))
          }
          : await scenario.run(app, options: .init(timeLimit: timeLimit))
        if let result { results.add(result) }
      }
      return (results.values.first, issues.map(RecordedIssue.init))
    }
    self.shown = shown.values.joined()
    self.summary = TestProcess.$current.withValue(process) { summary.text }
  }

  var errors: [RecordedIssue] { seen.filter(\.isError) }

  /// Why the first run failed; nil if it reached its end.
  var failure: String? { result?.runs.first?.transcript?.failure?.message }

  /// The text that the scenario's golden file would have.
  var golden: String { result?.actualGolden ?? "" }

  /// The paths in the container at the end of the first run.
  var files: [String] { result?.runs.first?.transcript?.lastTree.paths.map(\.string) ?? [] }
}
#endif
