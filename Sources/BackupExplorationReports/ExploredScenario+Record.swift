import BackupDiagnostics
import BackupExploration
import BackupFileTree
import BackupRules
import BackupScenarios
package import BackupVerdicts

/// The caller that explores a scenario: a test or the tool. The user can repeat a trace with the
/// same caller.
package enum ExplorationCaller: Sendable {
  /// A test. `adviceOnUnseen` says what to do if the kit did not see all changes of an action.
  case test(adviceOnUnseen: String)
  case tool

  /// Returns the command that repeats a counterexample's trace.
  func replayCommand(of example: Counterexample, in scenario: Scenario) -> String {
    switch self {
    case .tool: example.toolReplayCommand(of: scenario)
    case .test: "BACKUP_TESTING_REPLAY='\(example.token)' swift test"
    }
  }

  /// Returns advice on an omission in a test; nil in the tool, or if the complaint already has
  /// advice.
  func advice(on omissionReason: ExplorationCounts.OmissionReason) -> String? {
    guard case .test(let adviceOnUnseen) = self else { return nil }
    return switch omissionReason {
    case .stepFailed, .notRepeatable: nil
    case .unseenChanges: adviceOnUnseen
    case .reorderedChanges:
      "make the action change its files in the same order each time, for example sorted by name"
    }
  }
}

extension ExploredScenario {
  /// A line with the summary of the exploration, which ends in LF.
  package var summaryLine: String { "explored \(scenario.id.escapedExcerpt): \(summary)\n" }

  /// Returns the exploration as data for reports.
  package func record(for caller: ExplorationCaller) -> ExplorationRecord {
    ExplorationRecord(
      obstacle: obstacle, trouble: earlyStopReason,
      summary: obstacle.map { "not explored: \($0)" } ?? String(summaryLine.dropLast()),
      firstStep: counts.firstStepNumber, isComplete: counts.leavesNothingOut,
      quiescentPoints: counts.quiescentPoints, crashPoints: counts.crashPoints,
      traces: counts.traces, stopped: counts.stoppedTraces.map { $0.record(in: scenario) },
      unrepeated: counts.repetitionFailures.count,
      unseenActivities: counts.stepsWithUnseenChanges.count,
      unlikeActivities: counts.stepsWithReorderedChanges.count,
      isStartExplored: !counts.hasUnseenStart,
      counterexamples: counterexamples.map {
        $0.record(replayedBy: caller.replayCommand(of: $0, in: scenario))
      }, points: rows)
  }

  /// The points of each step at which exploration injected events.
  private var rows: [ExplorationRecord.Row] {
    let eventsByStep = Dictionary(grouping: firstEvents, by: \.stepNumber)
    // The key is an event that leads to a problem, with the recovery `retry`. The value has the
    // index of the first counterexample, and the event with its own recovery.
    var problems: [InjectedEvent: (index: Int, event: InjectedEvent)] = [:]
    for (index, example) in counterexamples.enumerated() {
      for event in example.causingEvents.union(example.injectedEvents.suffix(1)) {
        let earlierProblem = problems[event.withoutRecovery]
        problems[event.withoutRecovery] = earlierProblem ?? (index, event)
      }
    }
    return eventsByStep.keys.sorted().map { stepNumber in
      let step = scenario.steps.first { $0.number == stepNumber }?.reference
      return ExplorationRecord.Row(
        step: step.map { "\($0.withLineNumber): \($0.summary)" } ?? "the end",
        parts: parts(of: eventsByStep[stepNumber] ?? [], problems))
    }
  }

  /// Returns the points of a step in order, in parts. Consecutive points without a problem form one
  /// part, and each point with a problem is a part of its own.
  private func parts(
    of events: [InjectedEvent], _ problems: [InjectedEvent: (index: Int, event: InjectedEvent)]
  ) -> [ExplorationRecord.Part] {
    let points = Set(events.map(\.withoutRecovery)).sorted {
      $0.sortKey.lexicographicallyPrecedes($1.sortKey)
    }
    var (parts, goodCount): ([ExplorationRecord.Part], Int) = ([], 0)
    func addGoodPoints() {
      if goodCount > 0 { parts.append(ExplorationRecord.Part(count: goodCount)) }
      goodCount = 0
    }
    for event in points {
      guard let problem = problems[event] else {
        goodCount += 1
        continue
      }
      addGoodPoints()
      parts.append(
        ExplorationRecord.Part(
          count: 1,
          problem: ExplorationRecord.Problem(
            event: event.label, title: "\(problem.event.phrase) (\(scenario.id):\(problem.event))",
            counterexample: problem.index)))
    }
    addGoodPoints()
    return parts
  }
}

extension StoppedTrace {
  fileprivate func record(in scenario: Scenario) -> ExplorationRecord.Stop {
    ExplorationRecord.Stop(
      token: injectedEvents.token(in: scenario), event: injectedEvents.phrase,
      step: ExplorationRecord.Step(step.number), summary: step.summary, line: step.position.line,
      reason: reason, isReported: isReported)
  }
}

extension Counterexample {
  fileprivate func record(replayedBy replayCommand: String) -> ExplorationRecord.Counterexample {
    ExplorationRecord.Counterexample(
      rule: finding.rule, severity: finding.severity, token: token,
      step: ExplorationRecord.Step(firstEventStep.number), line: firstEventStep.position.line,
      path: finding.path?.description, message: sentence, advice: finding.advice, note: note,
      scenario: text, steps: stepCount, otherItems: otherItemCount,
      otherCrashPoints: otherCrashPointCount,
      replay: replayCommand)
  }
}

extension InjectedEvent {
  /// The event with the recovery `retry`. Events that differ only in what the app does after the
  /// kill become equal.
  fileprivate var withoutRecovery: InjectedEvent {
    guard case .within(let change, let interruptionPoint, then: _) = point else { return self }
    return InjectedEvent(
      stepNumber: stepNumber, isAtEnd: isAtEnd,
      point: .within(change: change, interruptionPoint, then: .retry))
  }

  /// The event in a word, such as `lowStorage`, `mark` or `full`.
  fileprivate var label: String {
    switch point {
    case .before(let event): event.rawValue
    case .within(_, let point, then: _): point.isStorageFull ? "full" : point.changeKind.rawValue
    }
  }

  /// The sort key. System events come first, in the order of their cases. Then come kills and full
  /// storage, in the order of the changes.
  fileprivate var sortKey: [Int] {
    switch point {
    case .before(let event): [0, Scenario.InjectableEvent.allCases.firstIndex(of: event) ?? 0]
    case .within(let change, let point, then: _): [change, point.isStorageFull ? 1 : 0]
    }
  }
}
