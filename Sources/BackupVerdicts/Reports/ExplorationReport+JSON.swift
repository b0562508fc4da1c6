import BackupDiagnostics
import BackupExploration
import BackupFileTree
import BackupRules
import BackupScenarios

extension OutputFormat<ExplorationReport> {
  /// JSON for other programs: an entry for each scenario.
  static var json: OutputFormat {
    json { report -> JSONValue in
      [
        "format": .number(1), "scenarios": .array(report.results.map(\.json)),
        "leftOut": .number(report.leftOut),
        "updateDependences": .array(report.dependences.map(\.json)),
      ]
    }
  }
}

extension ExploredScenario {
  fileprivate var json: JSONValue {
    [
      "id": .string(scenario.id), "file": .string(scenario.file),
      "obstacle": obstacle.map { .string($0) }, "trouble": trouble.map { .string($0) },
      "firstStep": counts.firstStep.map { .number($0) },
      "complete": .boolean(
        counts.isComplete && counts.unseenSteps.isEmpty && counts.unlikeSteps.isEmpty),
      "quiescentPoints": .number(counts.quiescentPoints),
      "crashPoints": .number(counts.crashPoints),
      "traces": .number(counts.traces), "abandoned": .number(counts.abandoned),
      "unseenActivities": .number(counts.unseenSteps.count),
      "unlikeActivities": .number(counts.unlikeSteps.count),
      "counterexamples": .array(counterexamples.map(\.json)),
    ]
  }
}

extension UpdateDependence {
  fileprivate var json: JSONValue {
    [
      "app": .string(app), "loss": .string(loss.rawValue), "scenario": .string(scenario),
      "message": .string(example), "evidence": .string("unverified"),
    ]
  }
}

extension Counterexample {
  fileprivate var json: JSONValue {
    [
      "rule": .string(rule), "severity": .string(severity.rawValue),
      "tier": .string(tier.rawValue), "token": .string(token), "step": .step(step),
      "line": .number(step.position.line), "path": finding.path.map { .string($0.description) },
      "message": .string(sentence), "advice": .string(finding.advice), "scenario": .string(text),
      "steps": .number(stepCount),
    ]
  }
}
