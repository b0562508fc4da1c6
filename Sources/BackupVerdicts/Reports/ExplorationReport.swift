package import BackupExploration
import BackupScenarios

/// What came of explorations, as reports are written from it.
package struct ExplorationReport: Sendable {
  /// The formats of `explore --format`.
  package static let formats: [OutputFormat<ExplorationReport>] = [.text, .json, .junit, .github]

  /// What came of each scenario, in the order of the scenarios.
  package let results: [ExploredScenario]
  /// What depends on what an update of the app may lose.
  let dependences: [UpdateDependence]
  /// How many others name findings by `expect`, and so are wrong on purpose.
  package let leftOut: Int

  package init(
    _ results: [ExploredScenario], _ dependences: [UpdateDependence] = [], leftOut: Int
  ) {
    self.results = results
    self.dependences = dependences
    self.leftOut = leftOut
  }

  /// Whether something was explored, all of it was, and nothing is wrong.
  package var isGreen: Bool {
    results.contains(where: \.isExplored)
      && results.allSatisfy { !$0.isWrong && $0.counts.isComplete && !$0.hasFailed }
  }
}

extension OutputFormat<ExplorationReport> {
  /// For people: each mistake with its trace, and a line for each scenario.
  fileprivate static var text: OutputFormat {
    OutputFormat("text", showsProblems: true) { report in
      (report.results.map(\.text) + report.dependences.map(\.text)).joined()
        + report.results.summary(leftOut: report.leftOut)
    }
  }

  /// JUnit's XML: a test case for each scenario.
  fileprivate static var junit: OutputFormat {
    OutputFormat("junit") { JUnitTestCase.text(of: $0.results.map(JUnitTestCase.init)) }
  }

  /// For GitHub's workflows: each problem as an annotation at its line, then a summary.
  fileprivate static var github: OutputFormat {
    OutputFormat("github", showsProblems: true) { report in
      let problems = report.results.flatMap { result in
        result.problems.map { $0.annotation(in: result.scenario) }
      }
      return (problems + report.dependences.map(\.annotation)).joined()
        + report.results.summary(leftOut: report.leftOut)
    }
  }
}

extension ExploredScenario {
  /// What a reader must know of the exploration, each at its place.
  var problems: [Scenario.Problem] {
    let mistakes = counterexamples.map { example in
      Scenario.Problem(
        kind: .finding(rule: example.rule), severity: example.severity,
        isFailure: example.severity == .error, position: example.step.position,
        message: example.sentence,
        details: example.lines(replayedBy: example.toolReplay(of: scenario)),
        variants: nil)
    }
    let complaint = complaint.map { complaint in
      Scenario.Problem(
        kind: isExplored ? .idle : .skipped, severity: .warning,
        isFailure: !counts.isComplete || hasFailed,
        position: Scenario.Problem.fileStart, message: complaint, details: [], variants: nil)
    }
    return mistakes + [complaint].compactMap(\.self)
  }
}
