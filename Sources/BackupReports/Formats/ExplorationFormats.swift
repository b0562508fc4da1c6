import BackupDiagnostics
import BackupExploration
package import BackupExplorationReports
import BackupFileTree
import BackupRules
import BackupScenarios
package import BackupVerdicts

extension ExplorationReport {
  package static let formats: [OutputFormat<ExplorationReport>] = [
    OutputFormat("text", showsProblems: true) { report in
      (report.results.map(\.text) + report.dependences.map(\.text)).joined()
        + report.results.summary(leftOut: report.leftOut)
    },
    .json { report -> JSONValue in
      let dependences = report.dependences.map { dependence -> JSONValue in
        [
          "app": .string(dependence.app), "loss": .string(dependence.loss.rawValue),
          "scenario": .string(dependence.scenario), "message": .string(dependence.example),
          "evidence": .string("unverified"),
        ]
      }
      return [
        "format": .number(1), "scenarios": .array(report.results.map(\.json)),
        "leftOut": .number(report.leftOut), "updateDependences": .array(dependences),
      ]
    },
    OutputFormat("junit") { report in
      let cases = report.results.map { result in
        let isSkipped = !result.isExplored && !result.hasFailed
        return JUnitTestCase(
          result.scenario.id, result.scenario.file, result.problems,
          end: isSkipped ? "skipped" : "failure")
      }
      return JUnitTestCase.text(of: cases)
    },
    OutputFormat("github", showsProblems: true) { report in
      let problems = report.results.flatMap { result in
        result.problems.map { $0.annotation(in: result.scenario.file, id: result.scenario.id) }
      }
      let notices = report.dependences.map {
        gitHubCommand("notice", [("title", $0.app)], message: $0.text)
      }
      return (problems + notices).joined() + report.results.summary(leftOut: report.leftOut)
    },
    OutputFormat("html") { $0.page },
  ]
}

extension ExploredScenario {
  fileprivate var json: JSONValue {
    [
      "id": .string(scenario.id), "file": .string(scenario.file),
      "obstacle": obstacle.map { .string($0) }, "trouble": trouble.map { .string($0) },
      "firstStep": counts.firstStep.map { .number($0) },
      "complete": .boolean(counts.isWhole),
      "quiescentPoints": .number(counts.quiescentPoints),
      "crashPoints": .number(counts.crashPoints),
      "traces": .number(counts.traces), "abandoned": .number(counts.stopped.count),
      "stopped": .array(counts.stopped.map { $0.json(in: scenario) }),
      "unrepeated": .number(counts.unrepeated.count),
      "unseenActivities": .number(counts.unseenSteps.count),
      "unlikeActivities": .number(counts.unlikeSteps.count),
      "startExplored": .boolean(!counts.hasUnseenStart),
      "counterexamples": .array(counterexamples.map(\.json)),
    ]
  }
}

extension StoppedTrace {
  fileprivate func json(in scenario: Scenario) -> JSONValue {
    [
      "token": .string(injected.token(in: scenario)), "event": .string(injected.phrase),
      "step": step.json, "summary": .string(step.summary), "line": .number(step.position.line),
      "reason": .string(reason), "reported": .boolean(isReported),
    ]
  }
}

extension Scenario.StepReference {
  fileprivate var json: JSONValue {
    switch number {
    case .step(let number): .number(number)
    case .launch, .call, .found: .string(number.description)
    }
  }
}

extension Counterexample {
  fileprivate var json: JSONValue {
    [
      "rule": .string(rule), "severity": .string(severity.rawValue),
      "tier": .string(tier.rawValue), "token": .string(token), "step": step.json,
      "line": .number(step.position.line), "path": finding.path.map { .string($0.description) },
      "message": .string(sentence), "advice": .string(finding.advice), "scenario": .string(text),
      "steps": .number(stepCount), "otherItems": .number(otherItems),
      "otherCrashPoints": .number(otherCrashPoints),
    ]
  }
}
