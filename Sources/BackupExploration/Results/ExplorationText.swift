import BackupDiagnostics
import BackupRules
package import BackupScenarios

/// What came of explorations, as people read it.
package enum ExplorationText {
  /// The mistakes of a scenario, and what was done; empty lines for nothing.
  ///
  /// - Parameter result: What came of it.
  /// - Returns: Lines that end in LF.
  package static func text(of result: ExploredScenario) -> String {
    let scenario = result.scenario
    if let obstacle = result.obstacle {
      return "not explored: \(scenario.id.shown): \(obstacle)\n"
    }
    let mistakes = result.counterexamples.map { $0.text(in: scenario) }
    return mistakes.joined() + "explored \(scenario.id.shown): \(result.summary)\n"
  }

  /// What was explored altogether.
  ///
  /// - Parameters:
  ///   - results: What came of each scenario.
  ///   - leftOut: How many others name findings, and so are wrong on purpose.
  /// - Returns: A line that ends in LF.
  package static func summary(of results: [ExploredScenario], leftOut: Int = 0) -> String {
    let explored = results.filter { $0.obstacle == nil }
    let incomplete = explored.count { !$0.counts.isComplete }
    let histories = explored.reduce(0) { $0 + $1.counts.histories }
    var parts = [
      "\(explored.count.counted("scenario")) explored",
      histories.counted("history", plural: "histories"),
      "\(explored.count(where: \.isWrong)) wrong", "\(results.count - explored.count) not explored",
    ]
    if leftOut > 0 { parts.append("\(leftOut) with 'expect' left out") }
    if incomplete > 0 { parts.append("\(incomplete) INCOMPLETE: their budget ran out") }
    return parts.joined(separator: ", ") + "\n"
  }
}

extension ExploredScenario {
  /// Whether anything of it is an error.
  package var isWrong: Bool { counterexamples.contains { $0.severity == .error } }

  /// What was done, in a line.
  fileprivate var summary: String {
    let found = ExplorationSettings.Tier.allCases.compactMap { tier -> String? in
      guard let count = mistakes[tier] else { return nil }
      switch tier {
      case .lasting: return "\(count) lasting"
      case .interrupted: return "\(count) until done again (--tier interrupted)"
      }
    }
    let done =
      "\(counts.innerPoints) inner and \(counts.restPoints.counted("rest point")), "
      + counts.histories.counted("history", plural: "histories")
    let abandoned =
      counts.abandoned > 0 ? ", \(counts.abandoned) that the steps could not go on with" : ""
    let end = counts.isComplete ? "complete" : "INCOMPLETE: the budget ran out"
    return "\(done)\(abandoned), \(end)"
      + (found.isEmpty ? "" : "; \(found.joined(separator: ", "))")
  }
}

extension Counterexample {
  /// The mistake at its place, the story, what to do, and how to see it again.
  fileprivate func text(in scenario: Scenario) -> String {
    let place = step.position.place(in: scenario.file)
    let story = text.split(separator: "\n").map { "    \($0)\n" }.joined()
    return """
      \(place): \(severity): \(rule): \(acts.inWords): \
      \(finding.message)
      \(story)  do: \(finding.advice)
        story: \(token), \(stepCount.counted("step")) from \(formerStepCount); 'run' a file of it to see it again

      """
  }
}
