import BackupDiagnostics
package import BackupExploration
import BackupFileTree
import BackupRules
import BackupScenarios

extension ExploredScenario {
  /// Its mistakes with their traces, and a line on the whole.
  package var text: String {
    if let obstacle { return "not explored: \(scenario.id.shown): \(obstacle)\n" }
    let mistakes = counterexamples.map { $0.text(in: scenario) }
    return mistakes.joined() + line { "--tier \($0)" }
  }

  /// The line on the whole, with what names a tier.
  package func line(tier option: (String) -> String) -> String {
    "explored \(scenario.id.shown): \(summary(option))\n"
  }
}

extension [ExploredScenario] {
  /// What was explored altogether, in a line; `leftOut` others name findings, and so are wrong on
  /// purpose.
  package func summary(leftOut: Int = 0) -> String {
    let explored = filter { $0.obstacle == nil }
    let traces = explored.reduce(0) { $0 + $1.counts.traces }
    var parts = [
      "\(explored.count.counted("scenario")) explored",
      traces.counted("trace"),
      "\(explored.count(where: \.isWrong)) wrong", "\(count - explored.count) not explored",
    ]
    if leftOut > 0 { parts.append("\(leftOut) with 'expect' skipped") }
    for shortfall in ExplorationCounts.Shortfall.allCases {
      let count = explored.count { $0.counts.shortfall == shortfall }
      if count > 0 { parts.append("\(count) INCOMPLETE because \(shortfall.ofMany)") }
    }
    return parts.joined(separator: ", ") + "\n"
  }
}

extension ExploredScenario {
  /// What was done, in a line.
  fileprivate func summary(_ option: (String) -> String) -> String {
    let untilRetried = option(Scenario.ExplorationBounds.Tier.untilRetried.rawValue)
    let momentary = option(Scenario.ExplorationBounds.Tier.momentary.rawValue)
    let found = Scenario.ExplorationBounds.Tier.allCases.compactMap { tier -> String? in
      guard let count = mistakes[tier] else { return nil }
      switch tier {
      case .permanent: return "\(count) permanent"
      case .untilRetried: return "\(count) until-retried (shown with \(untilRetried))"
      case .momentary where tellsTiersApart: return "\(count) momentary (shown with \(momentary))"
      case .momentary:
        return "\(count) momentary or until-retried (\(untilRetried) distinguishes "
          + "them)"
      }
    }
    let from = counts.firstStep.map { " from step \($0) on" } ?? ""
    let done =
      "\(counts.quiescentPoints.counted("quiescent point")), "
      + "\(counts.crashPoints.counted("crash point"))\(from), \(counts.traces.counted("trace"))"
    let abandoned =
      counts.abandoned > 0
      ? ", \(counts.abandoned) of them stopped because a later step failed" : ""
    let unseen = [
      (counts.unseenSteps, "NOT ALL SEEN"), (counts.unlikeSteps, "NOT THE SAME when repeated"),
    ]
    .filter { steps, _ in !steps.isEmpty }
    .map { ", \($0.count) activities of the app's own code whose changes were \($1)" }.joined()
    let end =
      counts.shortfall.map { "INCOMPLETE because \($0.ofOne)" }
      ?? (unseen.isEmpty ? "complete" : "not complete")
    let broken = trouble.map { ", STOPPED EARLY: \($0)" } ?? ""
    return "\(done)\(abandoned)\(unseen), \(end)\(broken)"
      + (found.isEmpty ? "" : "; \(found.joined(separator: ", "))")
  }
}

extension ExplorationCounts.Shortfall {
  /// What kept a scenario's exploration from its end.
  fileprivate var ofOne: String {
    switch self {
    case .budget: "the budget ran out"
    case .time: "the time ran out"
    case .cancellation: "it was cancelled"
    }
  }

  /// What kept those of several from their ends.
  fileprivate var ofMany: String {
    switch self {
    case .budget: "their budget ran out"
    case .time: "their time ran out"
    case .cancellation: "they were cancelled"
    }
  }
}

extension Counterexample.Reproduction {
  fileprivate var phrase: String {
    switch self {
    case .shown: "also fails with 'run'"
    case .notShown: "did NOT fail with 'run'; make sure that the app does the same each time"
    case .unchecked(let reason): "could NOT be checked with 'run': \(reason)"
    }
  }
}

extension Counterexample {
  /// `recreatable-data-backed-up: killed in step 2, before it marked …: …`: what is wrong.
  var sentence: String {
    let others = otherCount > 0 ? " (and \(otherCount.counted("more item")))" : ""
    return "\(rule): \(injected.phrase): \(finding.message)\(others)"
  }

  /// The trace, what to do, and how to see it again.
  func lines(replayedBy replay: String) -> [String] {
    changeLines + text.split(separator: "\n").map { "  \($0)" } + [
      "do: \(finding.advice)",
      "replay: \(replay); the scenario above (\(stepCount.counted("step")), reduced from "
        + "\(formerStepCount)) \(reproduction.phrase)",
    ]
  }

  /// The command that runs the trace again, with what the scenario needs to be permitted.
  func toolReplay(of scenario: Scenario) -> String {
    let permission = scenario.stepsOfCode.isEmpty ? "" : "--allow-run "
    return "backup-testing explore \(permission)--replay '\(token)'"
  }

  /// How many changes are listed before the kill, and after it.
  private static let listedBefore = 8
  private static let listedAfter = 3

  /// How many changes came before the app was killed; nil if it was not, or they were not recorded.
  private var changesBeforeKill: Int? {
    guard !changes.isEmpty else { return nil }
    return injected.reversed().lazy.compactMap { event -> Int? in
      if case .within(let change, _, _) = event.point { change - 1 } else { nil }
    }.first
  }

  /// The changes of the activity around the kill, a line each.
  private var changeLines: [String] {
    guard let count = changesBeforeKill, count <= changes.count else { return [] }
    func line(_ index: Int) -> String {
      let number = String(index + 1)
      let margin = String(repeating: " ", count: max(0, 4 - number.count))
      return "\(margin)\(number) \(named(changes[index]))"
    }
    let first = max(0, count - Self.listedBefore)
    let last = min(changes.count, count + Self.listedAfter)
    return (first > 0 ? ["     …"] : []) + (first..<count).map(line) + [" ▶ killed here"]
      + (count..<last).map { line($0) + " (not reached)" }
      + (last < changes.count ? ["     …"] : [])
  }

  /// A change with the name that its item has in the finding: what is random in a name was another when the
  /// changes were recorded.
  private func named(_ change: Scenario.KillPoint) -> Scenario.KillPoint {
    func form(_ path: ContainerPath?) -> String? {
      path.map { NameForm.withoutRandomParts("\($0)") }
    }
    guard form(change.path) == form(finding.path) else { return change }
    return Scenario.KillPoint(
      kind: change.kind, path: finding.path, occurrence: change.occurrence)
  }

  /// What is wrong, the trace, what to do, and how to see it again, where a test has explored the
  /// scenario.
  package var messageOfTest: String {
    message(replayedBy: "BACKUP_TESTING_REPLAY='\(token)' swift test")
  }

  /// What is wrong, the trace, what to do, and how to see it again.
  private func message(replayedBy replay: String) -> String {
    ([sentence] + lines(replayedBy: replay).map { "  \($0)" }).joined(separator: "\n")
  }

  /// The same at its place.
  fileprivate func text(in scenario: Scenario) -> String {
    "\(step.position.place(in: scenario.file)): \(severity): "
      + "\(message(replayedBy: toolReplay(of: scenario)))\n"
  }
}

extension ExploredScenario {
  /// What was not explored, in a sentence; nil where all was.
  package var complaint: String? {
    if let obstacle { return "not explored: \(obstacle)" }
    let parts = [
      trouble,
      counts.shortfall.map {
        "INCOMPLETE: \($0.ofOne) after \(counts.traces.counted("trace"))"
      },
      phrase(of: counts.unseenSteps).map {
        "the app was not killed in the middle of \($0), because the kit did not see all of its "
          + "changes"
      },
      phrase(of: counts.unlikeSteps).map {
        "\($0) changed the files in a different order when repeated, so the app was killed in "
          + "only one of several orders"
      },
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// Steps of some numbers in words; nil for none.
  private func phrase(of numbers: Set<Int>) -> String? {
    let steps = scenario.steps.compactMap { step -> String? in
      guard case .step(let number) = step.reference.number, numbers.contains(number) else {
        return nil
      }
      return "step \(number) (\(step.reference.summary))"
    }
    return steps.isEmpty ? nil : steps.joined(separator: ", ")
  }
}
