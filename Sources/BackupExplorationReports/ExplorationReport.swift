import BackupCollections
import BackupContainer
import BackupDevice
import BackupDiagnostics
package import BackupExploration
import BackupFileTree
import BackupRules
package import BackupScenarios
package import BackupVerdicts
import Foundation

/// The results of explorations, for a report.
package struct ExplorationReport: Sendable {
  package let results: [ExploredScenario]
  /// The problems that occur if an update of an app loses something.
  package let updateLossProblems: [UpdateLossProblem]
  /// The number of scenarios that were not explored, because they have `expect` and break rules on
  /// purpose.
  package let skippedScenarioCount: Int

  package init(
    _ results: [ExploredScenario], _ updateLossProblems: [UpdateLossProblem] = [],
    skippedScenarioCount: Int
  ) {
    self.results = results
    self.updateLossProblems = updateLossProblems
    self.skippedScenarioCount = skippedScenarioCount
  }

  /// True if at least one scenario was explored, and all explorations are complete and found no
  /// problem.
  package var isGreen: Bool {
    results.contains(where: \.isExplored) && results.allSatisfy(\.isCompleteWithoutProblem)
  }
}

extension ExploredScenario {
  /// True if the exploration is complete and found no problem.
  package var isCompleteWithoutProblem: Bool { !hasError && counts.isWithinLimits && !hasFailed }

  /// Returns the problems of the exploration in this order:
  ///
  /// * a problem for each counterexample
  /// * if something was not explored, a problem that says what and why
  /// * a problem for each unnecessary entry of `updatesKeep`
  package func problems(for caller: ExplorationCaller) -> [Scenario.Problem] {
    let counterexampleProblems = counterexamples.map { example in
      Scenario.Problem(
        kind: .finding(rule: example.finding.rule), severity: example.finding.severity,
        isFailure: example.finding.severity == .error, position: example.firstEventStep.position,
        message: example.sentence,
        details: example.lines(replayedBy: caller.replayCommand(of: example, in: scenario)),
        variants: nil, actor: scenario.actor(of: example.firstEventStep),
        path: example.finding.path?.description, code: example.code?.places ?? [])
    }
    let omissionProblem = complaint.map { complaint in
      Scenario.Problem(
        kind: isExplored ? .idle : .skipped, severity: .warning,
        isFailure: !counts.isWithinLimits || hasFailed,
        position: SourcePosition.start, message: complaint,
        details: counts.omissionReasons.compactMap(caller.advice).prefix(1).map { "do: \($0)" },
        variants: nil)
    }
    let updatesKeepProblems = updatesKeepSentences.map { sentence in
      Scenario.Problem(
        kind: .idle, severity: .warning, isFailure: false, position: SourcePosition.start,
        message: sentence, details: [], variants: nil)
    }
    return counterexampleProblems + [omissionProblem].compactMap(\.self) + updatesKeepProblems
  }

  /// A sentence for each unnecessary entry of `updatesKeep`.
  private var updatesKeepSentences: [String] {
    UpdateLoss.allCases.filter(unneededUpdatesKeep.contains).map { loss in
      "nothing fails here if an update of the app does not keep \(loss.phrase); remove "
        + "\"\(loss.rawValue)\" from 'updatesKeep'"
    }
  }

  /// The counterexamples with their traces, a line on the whole exploration, the stopped traces,
  /// and the unnecessary entries of `updatesKeep`. If there is an obstacle, only the
  /// counterexamples and a line with the obstacle.
  package var text: String {
    let counterexampleTexts = counterexamples.map { $0.text(in: scenario) }
    if let obstacle {
      return counterexampleTexts.joined()
        + "not explored: \(scenario.id.escapedExcerpt): \(obstacle)\n"
    }
    let stopLines = Self.sentences(on: counts.stoppedTraces).map { "  stopped: \($0)\n" }
    let adviceLine =
      counts.stoppedTraces.allSatisfy(\.isReported) ? "" : "  do: \(Self.adviceOnStops)\n"
    let warningLines = updatesKeepSentences.map { "  warning: \($0)\n" }
    return counterexampleTexts.joined() + summaryLine + stopLines.joined() + adviceLine
      + warningLines.joined()
  }

  /// Advice on a step that stopped traces.
  private static let adviceOnStops =
    "if the app checks first, add ifMissing: \"skip\" to the step; if it first removes items of an "
    + "interrupted attempt, add a step that does this; if it handles the error, add "
    + "mayThrow: true; if the event cannot happen there, exclude it in 'explore'"

  /// Groups stopped traces by step and reason. Returns a sentence for each group, with the injected
  /// events of its traces.
  private static func sentences(on stoppedTraces: [StoppedTrace]) -> [String] {
    stoppedTraces.grouped { [$0.step.withSummary, $0.reason] }.map { similarStops in
      let eventPhrases = similarStops.map(\.injectedEvents.phrase).grouped { $0 }.compactMap(
        \.first)
      return "\(similarStops[0].step.withSummary) failed (\(similarStops[0].reason)) after: "
        + eventPhrases.joined(separator: "; ")
    }
  }

  /// The numbers of explored points and traces, the omissions, and the number of problems, in a
  /// line.
  var summary: String {
    let firstStepPhrase = counts.firstStepNumber.map { " from step \($0) on" } ?? ""
    let amounts =
      "\(counts.quiescentPoints.counted("quiescent point")), "
      + "\(counts.crashPoints.counted("crash point"))\(firstStepPhrase), "
      + "\(counts.traces.counted("trace"))"
    let gapPhrases = counts.omissionReasons.map { ", \(words(for: $0).summary)" }.joined()
    let completeness =
      counts.reachedLimit.map { "INCOMPLETE because \($0.phrase)" }
      ?? (counts.leavesNothingOut ? "complete" : "not complete")
    let earlyStopPhrase = earlyStopReason.map { ", STOPPED EARLY: \($0)" } ?? ""
    let unseenStartPhrase =
      counts.hasUnseenStart
      ? "; the app has no 'launch', so its start was not explored" : ""
    return "\(amounts)\(gapPhrases), \(completeness)\(earlyStopPhrase)\(unseenStartPhrase)"
      + (counterexamples.isEmpty ? "" : "; \(counterexamples.count.counted("problem"))")
  }

  /// A sentence on what was not explored; nil if everything was explored, or if findings already
  /// report each omission.
  package var complaint: String? {
    if let obstacle { return "not explored: \(obstacle)" }
    var reasons = [
      earlyStopReason,
      counts.reachedLimit.map {
        "INCOMPLETE after \(counts.traces.counted("trace")): \($0.phrase)"
          + ($0 == .bytes
            ? "; the saved copies of the container take \(counts.savedBytes.formattedSize), the "
              + "recorded changes take \(counts.recordedBytes.formattedSize), and each may take "
              + "\(counts.byteLimit.formattedSize)" : "")
      },
    ].compactMap(\.self)
    reasons += counts.omissionReasons.compactMap { words(for: $0).complaint }
    return reasons.isEmpty ? nil : reasons.joined(separator: "; ")
  }

  /// Returns the words for an omission in the summary and in the complaint. If findings already
  /// report the omission, `complaint` is nil.
  private func words(for omissionReason: ExplorationCounts.OmissionReason) -> (
    summary: String, complaint: String?
  ) {
    let count = counts.count(of: omissionReason)
    let stepPhrase = "\(count.counted("step")) of the app's own code whose changes were"
    switch omissionReason {
    case .stepFailed:
      let unreportedStops = counts.stoppedTraces.filter { !$0.isReported }
      let complaint =
        "\(unreportedStops.count.counted("trace")) stopped, so the steps after that were not "
        + "explored: " + Self.sentences(on: unreportedStops).joined(separator: "; ")
        + "; \(Self.adviceOnStops)"
      return (
        "\(count) of them stopped because a "
          + (unreportedStops.isEmpty ? "step failed, as reported" : "later step failed"),
        unreportedStops.isEmpty ? nil : complaint
      )
    case .notRepeatable:
      let subjectAndVerb = count.wordForm("it was", plural: "they were")
      let complaint = counts.repetitionFailures.first.map {
        "\(count.counted("trace")) could not be repeated, so \(subjectAndVerb) not judged: \($0)"
      }
      return ("\(count) of them NOT REPEATED", complaint)
    case .unseenChanges:
      let complaint = phrase(of: counts.stepsWithUnseenChanges).map {
        "the app was not killed in the middle of \($0), because the kit did not see all of its "
          + "changes"
      }
      return ("\(stepPhrase) NOT ALL SEEN", complaint)
    case .reorderedChanges:
      let complaint = phrase(of: counts.stepsWithReorderedChanges).map {
        "\($0) changed the files in a different order when repeated, so the app was killed in "
          + "only one of several orders"
      }
      return ("\(stepPhrase) NOT THE SAME when repeated", complaint)
    }
  }

  /// Returns the steps with these numbers, in words; nil if there are none.
  private func phrase(of numbers: Set<Int>) -> String? {
    let stepPhrases =
      scenario.steps.filter { numbers.contains($0.number) }
      .map { "step \($0.number) (\($0.reference.summary))" }
      + (numbers.contains(scenario.steps.count + 1) ? ["the start at the end"] : [])
    return stepPhrases.isEmpty ? nil : stepPhrases.joined(separator: ", ")
  }
}

extension [ExploredScenario] {
  /// Returns a line on all explorations.
  ///
  /// `skippedScenarioCount` is the number of scenarios that were not explored because they have
  /// `expect`.
  package func summary(skippedScenarioCount: Int = 0) -> String {
    let exploredScenarios = filter { $0.obstacle == nil }
    let traceCount = exploredScenarios.reduce(0) { $0 + $1.counts.traces }
    var phrases = [
      "\(exploredScenarios.count.counted("scenario")) explored",
      traceCount.counted("trace"),
      "\(exploredScenarios.count(where: \.hasError)) wrong",
      "\(count - exploredScenarios.count) not explored",
    ]
    let stoppedTraceCount = exploredScenarios.reduce(0) { $0 + $1.counts.stoppedTraces.count }
    if stoppedTraceCount > 0 { phrases.append("\(stoppedTraceCount.counted("trace")) stopped") }
    if skippedScenarioCount > 0 { phrases.append("\(skippedScenarioCount) with 'expect' skipped") }
    for shortfall in ExplorationCounts.SearchLimit.allCases {
      let count = exploredScenarios.count { $0.counts.reachedLimit == shortfall }
      if count > 0 { phrases.append("\(count) INCOMPLETE because \(shortfall.phrase)") }
    }
    return phrases.joined(separator: ", ") + "\n"
  }
}

extension ExplorationCounts.SearchLimit {
  /// The reason why explorations ended early, with the remedies in a test and in the tool.
  fileprivate var phrase: String {
    switch self {
    case .budget: "the limit on traces was reached (raise 'budget' or --budget)"
    case .time: "the time limit was reached (raise 'duration' or --seconds)"
    case .bytes:
      "the limit 'bytes' was reached (save smaller files, use fewer steps, or raise "
        + "'limits: .init(bytes:)' or --limit bytes)"
    case .memory:
      "the search took more than 2 GB of memory (use fewer steps and backups, or lower 'depth' or "
        + "--depth)"
    case .cancellation: "the exploration was cancelled"
    }
  }
}

extension FileTree.Change {
  fileprivate var pastTense: String {
    switch self {
    case .created(let path): "created '\(path)'"
    case .savedInPlace(let path): "wrote '\(path)'"
    case .replaced(let path): "replaced '\(path)'"
    case .removed(let path): "removed '\(path)'"
    case .moved(let source, to: let path): "renamed '\(source)' to '\(path)'"
    case .copied(let source, to: let path): "copied '\(source)' to '\(path)'"
    case .marked(let path, _): "marked '\(path)'"
    case .cleared(let path, _): "unmarked '\(path)'"
    }
  }
}

extension Counterexample.Reproduction {
  fileprivate var phrase: String {
    switch self {
    case .shown: "shows this without exploration too"
    case .shownByComparison:
      "does not show this alone: exploration compares it with a run without the event"
    case .notShown:
      "does NOT show this without exploration; if the app uses the date or random names, give it fixed ones "
        + "in the test"
    case .notRunnable(let reason): "could NOT be run: \(reason)"
    }
  }
}

extension Counterexample {
  /// The number of further crash points that show the same problem.
  package var otherCrashPointCount: Int {
    max(0, Set(causingEvents.compactMap(\.crashPoint)).count - 1)
  }

  /// The problem, such as `user-data-lost: the user loses 'Documents/a' (killed in step 2, before
  /// it renamed …): …`.
  package var sentence: String {
    let otherCounts = [(otherItemCount, "more item"), (otherCrashPointCount, "more crash point")]
      .filter { $0.0 > 0 }.map { $0.0.counted($0.1) }
    let namesKill =
      finding.detection == .inRun && RuleList.rule(named: finding.rule)?.namesKill == true
    let eventPhrase = namesKill ? injectedEvents.phraseBesideMessage : injectedEvents.phrase
    let consequenceAndEvent = consequence.map { "\($0) (\(eventPhrase))" } ?? eventPhrase
    return "\(finding.rule): \(consequenceAndEvent): \(finding.message)"
      + (otherCounts.isEmpty ? "" : " (and \(otherCounts.joined(separator: ", ")))")
  }

  /// The app's code behind the finding; nil if the kit saw none.
  var code: CodeAccount? { CodeAccount(of: discovery.finding, among: discovery.calls) }

  /// A note on the advice; nil if there is none.
  var note: String? { finding.note(naming: code) }

  /// The consequence for the user; nil if the rule's message is enough.
  private var consequence: String? {
    let text =
      finding.isStepFailure
      ? "the step '{step}' fails" : RuleList.rule(named: finding.rule)?.consequence
    guard finding.severity == .error, let text else { return nil }
    let path = finding.path.map { "\($0)" }
    guard path != nil || !text.contains("{path}") else { return nil }
    return text.replacing("{path}", with: path ?? "")
      .replacing("{step}", with: finding.step.summary)
  }

  /// Returns lines on the app's changes around the injected event, the app's code, the advice, the
  /// trace, and the command that repeats the trace.
  func lines(replayedBy replayCommand: String) -> [String] {
    let note = note.map { "note: \($0)" }
    return changeLines + aftermathLines + [code?.detail].compactMap(\.self) + [
      "do: \(finding.advice)"
    ]
      + [note].compactMap(\.self)
      + text.split(separator: "\n").map { "  \($0)" } + [
        "replay: \(replayCommand); the scenario above (\(stepCount.counted("step")), reduced from "
          + "\(formerStepCount)) \(reproduction.phrase)"
      ]
  }

  /// Returns the tool's command that repeats the trace. It names the scenario's folder or file, and
  /// the permissions that the scenario needs.
  package func toolReplayCommand(of scenario: Scenario) -> String {
    let (file, id) = (scenario.file, scenario.id)
    let pathInFolder = Array("/\(id).json5".utf8)
    let folder = file.utf8.dropLast(pathInFolder.count)
    let isInFolder = file.utf8.suffix(pathInFolder.count).elementsEqual(pathInFolder)
    let pathArguments =
      isInFolder && folder.elementsEqual(ScenarioFolder.usualName.utf8)
      ? [] : [isInFolder && id.contains("/") ? String(decoding: folder, as: UTF8.self) : file]
    let permissions = scenario.stepsRunningCode.isEmpty ? [] : ["--allow-run"]
    let arguments = ["explore"] + pathArguments + permissions + ["--replay", token]
    return "swift run backup-testing \(arguments.map(\.quotedForShell).joined(separator: " "))"
  }

  /// The maximum number of listed changes before the kill.
  private static let maximumChangesBefore = 8
  /// The maximum number of listed changes after the kill.
  private static let maximumChangesAfter = 3

  /// The number of changes before the app was killed or its storage was full; nil if neither
  /// happened, or if no changes were recorded.
  private var interruption: (changeCountBefore: Int, isStorageFull: Bool)? {
    guard !interruptedStepChanges.isEmpty else { return nil }
    return injectedEvents.reversed().lazy.compactMap { event in
      if case .within(let change, let point, _) = event.point {
        (change - 1, point.isStorageFull)
      } else {
        nil
      }
    }.first
  }

  /// Lines on the kill or the full storage, on the last changes before it, and on the first changes
  /// after it. An atomic save is one change.
  private var changeLines: [String] {
    guard let (countBefore, isStorageFull) = interruption,
      countBefore <= interruptedStepChanges.count
    else {
      return []
    }
    // If the app was killed within an atomic save, each change of this save has a line.
    let groups = Self.groups(of: interruptedStepChanges).flatMap { group in
      group.contains(countBefore) && group.lowerBound < countBefore
        ? group.map { $0..<$0 + 1 } : [group]
    }
    func line(_ group: Range<Int>) -> String {
      let change = withPathOfFinding(interruptedStepChanges[group.upperBound - 1])
      let number = String(group.lowerBound + 1)
      let margin = String(repeating: " ", count: max(0, 4 - number.count))
      guard group.count > 1, let path = change.path else { return "\(margin)\(number) \(change)" }
      return "\(margin)\(number) write '\(path)' atomically"
    }
    let groupsBefore = groups.filter { $0.upperBound <= countBefore }
    let interruptedGroup = groups.first { $0.contains(countBefore) }
    let groupsAfter = groups.filter { $0.lowerBound > countBefore }
    let laterGroups =
      (interruptedGroup.map { [$0] } ?? [])
      + (isStorageFull ? [] : groupsAfter.prefix(Self.maximumChangesAfter - 1))
    return (groupsBefore.count > Self.maximumChangesBefore ? ["     …"] : [])
      + groupsBefore.suffix(Self.maximumChangesBefore).map(line)
      + [isStorageFull ? " ▶ storage full here" : " ▶ killed here"]
      + laterGroups.map { line($0) + (isStorageFull ? " (failed)" : " (not reached)") }
      + (groupsBefore.count + laterGroups.count < groups.count ? ["     …"] : [])
  }

  /// A line for each start and step from the event to the loss, with the app's changes.
  private var aftermathLines: [String] {
    changesAfterLastEvent.map { activityChanges in
      let changesOfItem = activityChanges.changes.filter {
        $0.touchedPaths.contains { $0 == finding.path }
      }
      let otherChanges = activityChanges.changes.filter { !changesOfItem.contains($0) }
        .prefix(Self.maximumChangesAfter)
      let changes = activityChanges.changes.filter { (changesOfItem + otherChanges).contains($0) }
      return
        "     then \(activityChanges.activity): \(changes.map(\.pastTense).joined(separator: ", "))"
        + (changes.count < activityChanges.changes.count ? ", …" : "")
    }
  }

  /// Returns the changes in groups.
  ///
  /// An atomic save is one group: the changes of its temporary file, and the rename that follows.
  /// Any other change is a group of its own.
  static func groups(of changes: [Scenario.InterruptionPoint]) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    var index = 0
    while index < changes.count {
      var end = index + 1
      if let path = changes[index].path, changes[index].changeKind == .create,
        SystemProfile.RemnantPattern.atomicSave.matches(path)
      {
        while end < changes.count, changes[end].path == path { end += 1 }
        end = end < changes.count && changes[end].changeKind == .rename ? end + 1 : index + 1
      }
      groups.append(index..<end)
      index = end
    }
    return groups
  }

  /// Returns a change with the finding's path, if the two paths differ only in random parts.
  /// Otherwise, returns the change unchanged.
  private func withPathOfFinding(_ change: Scenario.InterruptionPoint) -> Scenario.InterruptionPoint
  {
    func replacingRandomParts(_ path: ContainerPath?) -> String? {
      path.map { NameForm.replacingRandomParts("\($0)") }
    }
    guard replacingRandomParts(change.path) == replacingRandomParts(finding.path) else {
      return change
    }
    return Scenario.InterruptionPoint(
      kind: change.changeKind, path: finding.path, occurrence: change.occurrence)
  }

  fileprivate func text(in scenario: Scenario) -> String {
    let lines = lines(replayedBy: toolReplayCommand(of: scenario)).map { "  \($0)\n" }.joined()
    return
      "\(firstEventStep.position.location(in: scenario.file)): \(finding.severity): \(sentence)\n\(lines)"
  }
}

extension ExploredScenario {
  /// Explores a scenario, and shows its progress on a terminal.
  package static func exploreOnTerminal(
    _ scenario: Scenario, _ bounds: Scenario.ExplorationBounds, on stage: ExplorationStage
  ) async -> ExploredScenario {
    var stage = stage
    stage.reportProgress = { _, counts in
      LongWork.current?.note("\(counts.traces.counted("trace")) so far")
    }
    return await LongWork.during("exploring \(scenario.id.escapedExcerpt)") {
      [stage] in await ExploredScenario(scenario, bounds, on: stage)
    }
  }
}
