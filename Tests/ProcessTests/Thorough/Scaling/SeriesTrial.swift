#if os(macOS) || os(Linux)
import BackupRules
import BackupTesting
import BackupVerdicts
import Foundation
import TestSupport

@testable import BackupScenarios

/// Runs a scenario template of the scaling benchmark once, with a small number of repeated lines.
struct SeriesTrial: Sendable {
  /// The number n for the template. It is small, but fractions such as n/10 are at least one.
  private static let count = 40

  let template: SeriesTemplate
  /// The scenario that the template creates for n.
  let scenario: Scenario
  let result: ScenarioResult

  /// The trials of all templates, which all tests share.
  private static let trials = Task {
    let folder = Checkout.root.appendingPathComponent("Tests/Benchmarks/Series")
    return try await SeriesTemplate.all(in: folder).asyncMap { try await SeriesTrial($0) }
  }

  static var all: [SeriesTrial] {
    get async throws { try await trials.value }
  }

  /// Runs a template's scenario.
  ///
  /// If the template has other lines for the golden file, a run with these lines first records it.
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

  /// The keywords of the scenario's steps.
  var keywords: Set<StepKeyword> {
    Set((scenario.launch + scenario.steps).map(\.action.keyword))
  }

  /// The rules that report a finding.
  var rules: Set<String> {
    Set(result.runs.flatMap(\.findings).map(\.rule))
  }

  /// Why a run failed; nil if all runs reached their end.
  var failure: String? {
    for run in result.runs where run.hasBrokenOff {
      let reason = run.error.map { "\($0)" } ?? run.transcript?.failure?.message
      return "\(template.name): \(reason ?? "no reason")"
    }
    return nil
  }
}
#endif
