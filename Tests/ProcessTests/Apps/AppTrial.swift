#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupExploring
@testable import BackupScenarios
@testable import BackupTesting
@testable import BackupVerdicts

/// What came of a scenario of a few steps with an app of its own process.
struct AppTrial {
  struct Seen: Sendable, CustomStringConvertible {
    let file: String
    let line: Int
    /// Whether it fails the test.
    let isError: Bool
    let text: String

    init(_ issue: TestIssue.Collected) {
      file = issue.sourceLocation.fileName
      line = issue.sourceLocation.line
      isError = issue.isFailure
      text = issue.text
    }

    var description: String { "\(file):\(line) \(isError ? "error" : "warning") \(text)" }
  }

  let result: ScenarioResult?
  let seen: [Seen]
  /// What is shown of the app's own output.
  let shown: String
  /// What the process prints of its explorations when it ends.
  let summary: String

  /// Runs steps, written as in a scenario file, each on a line of its own from line 2 on.
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
    let shown = Notes<String>()
    process.printOutput = { shown.add($0) }
    let summary = ExplorationSummary()
    (self.result, self.seen) = try await TestProcess.$current.withValue(process) {
      let scenario = try #require(try Scenario.all(in: folder.path + "/Scenarios").first)
      let result = Notes<ScenarioResult>()
      let issues = await TestIssue.collecting {
        let one =
          isExplored
          ? await ExplorationSummary.$current.withValue(summary) {
            await scenario.explore(
              app, bounds: .init(duration: .seconds(3600)), options: .init(timeLimit: timeLimit))
          }
          : await scenario.run(app, options: .init(timeLimit: timeLimit))
        if let one { result.add(one) }
      }
      return (result.values.first, issues.map(Seen.init))
    }
    self.shown = shown.values.joined()
    self.summary = TestProcess.$current.withValue(process) { summary.text }
  }

  var errors: [Seen] { seen.filter(\.isError) }

  /// Why the run broke off; nil where it did not.
  var failure: String? { result?.runs.first?.transcript?.failure?.message }

  /// The golden file that it would have.
  var golden: String { result?.actualGolden ?? "" }

  /// What the container held in the end.
  var files: [String] { result?.runs.first?.transcript?.lastTree.paths.map(\.string) ?? [] }
}
#endif
