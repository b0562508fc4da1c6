#if os(macOS) || os(Linux)
import BackupRules
import BackupTesting
import BackupVerdicts
import Foundation
import TestSupport

@testable import BackupScenarios

/// A series of the scaling benchmark, run once for a small number with everything bound.
struct SeriesTrial: Sendable {
  /// The n: small, and every share of it is at least one.
  private static let count = 40

  let template: SeriesTemplate
  /// The scenario that was made of it.
  let scenario: Scenario
  let result: ScenarioResult

  /// Every series, each run once for all tests.
  private static let trials = Task {
    let folder = Checkout.root.appendingPathComponent("Tests/Benchmarks/Series")
    return try await SeriesTemplate.all(in: folder).asyncMap { try await SeriesTrial($0) }
  }

  static var all: [SeriesTrial] {
    get async throws { try await trials.value }
  }

  /// Runs a template's scenario, after its golden file was recorded from other lines if it has
  /// such.
  private init(_ template: SeriesTemplate) async throws {
    self.template = template
    let folder = try TestFolder()
    let runner = ScenarioRunner(actions: SeriesActions().actions, allowsProcesses: true)
    let goldens = template.isRecorded ? GoldenStore(folder: folder.path) : nil
    if template.isRecorded {
      let text = template.scenario(Self.count, isRecording: true)
      let suite = ScenarioSuite(goldens: goldens, recordMode: .all, runner: runner)
      _ = await suite.run(try Scenario(text: text, id: template.name))
    }
    let suite = ScenarioSuite(goldens: goldens, recordMode: .never, runner: runner)
    scenario = try Scenario(text: template.scenario(Self.count), id: template.name)
    guard let result = await suite.run(scenario) else {
      throw TestError("\(template.name) runs under no system")
    }
    self.result = result
  }

  /// The keywords of its steps.
  var keywords: Set<StepKeyword> {
    Set((scenario.launch + scenario.steps).map(\.action.keyword))
  }

  /// The rules that find something in it.
  var rules: Set<String> {
    Set(result.runs.flatMap(\.findings).map(\.rule))
  }

  /// Why it broke off; nil where it ran to its end.
  var failure: String? {
    for run in result.runs where run.hasBrokenOff {
      let reason = run.error.map { "\($0)" } ?? run.transcript?.failure?.message
      return "\(template.name): \(reason ?? "no reason")"
    }
    return nil
  }
}
#endif
