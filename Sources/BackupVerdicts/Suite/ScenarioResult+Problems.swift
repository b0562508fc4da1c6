import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
package import BackupScenarios

extension ScenarioResult {
  /// All problems in the order of the scenario file. Problems that fail the scenario come first.
  var computedProblems: [Scenario.Problem] {
    let unexpectedFindings = findings.filter { !$0.finding.isExpected }
    let problems =
      brokenOffProblems + skipProblems + findingProblems(unexpectedFindings)
      + missingFindingProblems(among: unexpectedFindings) + unreadArgumentProblems
      + outsideWriteProblems
      + (runs.contains(where: \.hasBrokenOff) ? [] : abandonedFileProblems)
    // If findings fail the scenario, they may be the reason why steps did nothing, so such steps
    // are no problems. The findings may also explain a difference from the golden file, so this
    // difference comes last.
    let hasFailingFindings = runs.contains { $0.hasFailingFindings(isStrict: isStrict) }
    let problemsOfGolden = goldenProblems + staleTextProblem
    let sortedProblems =
      (problems + (hasFailingFindings ? [] : idleProblems + problemsOfGolden)).sorted {
        $0.position < $1.position
      }
      + (hasFailingFindings ? problemsOfGolden : [])
    return sortedProblems.failuresFirst
  }

  /// A problem for each failure that ended runs early.
  private var brokenOffProblems: [Scenario.Problem] {
    let earlyEnds = runs.compactMap { run -> (run: Run, end: EarlyEnd)? in
      if let failure = run.transcript?.failure {
        let reason = "\(failure.step.withSummaryInParentheses): \(failure.message)"
        return (run, EarlyEnd(position: failure.position, reason: reason))
      }
      return run.error.map { (run, EarlyEnd(position: startPosition, reason: $0.description)) }
    }
    return earlyEnds.grouped(by: \.end).compactMap { group in
      guard let (run, end) = group.first else { return nil }
      let lines = end.reason.split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
      let placeOfThrow = run.transcript?.failure?.placeOfThrow
      return Scenario.Problem(
        kind: .brokenOff, severity: .error, isFailure: true, position: end.position,
        message: lines[0],
        details: lines.dropFirst()
          + (placeOfThrow.map { ["code: thrown by \($0.description)"] } ?? [])
          + (run.transcript?.failureOutput ?? []),
        variants: runNames(of: group.map(\.run.variant)), code: [placeOfThrow].compactMap(\.self))
    }
  }

  /// The position and the reason of a failure that ended a run early.
  private struct EarlyEnd: Hashable {
    let position: SourcePosition
    let reason: String
  }

  /// The problems of the comparison with the golden file, and the note on a recorded golden file.
  private var goldenProblems: [Scenario.Problem] {
    switch goldenOutcome {
    case .matches, .notCompared:
      []
    case .missing(let path):
      [
        goldenProblem(
          .golden, "the golden file \(path) is missing",
          details: [
            "do: \(recordingAdvice(.missing)), on a machine where CI is not set, and commit it"
          ])
      ]
    case .differs(let path, let difference, let review):
      differenceProblem(difference, from: path, review)
    case .recorded(let path, let isRequested, let secondRunDifference):
      (isRequested ? [] : [recordedNote(path)])
        + (secondRunDifference.map { [secondRunProblem(path, $0)] } ?? [])
    case .noEffect:
      [
        goldenProblem(
          .golden, "no golden file was written, because \(lackOfEffect.reason)",
          details: ["do: \(lackOfEffect.advice)"], at: scenario.titlePosition)
      ]
    case .unfinished(let path):
      [unfinishedProblem(path)]
    case .needless(let path):
      [
        goldenProblem(
          .golden, "the scenario has 'compare: false', but there is a golden file \(path)",
          details: ["do: delete the golden file, or remove 'golden: { compare: false }'"])
      ]
    case .unusable(let error):
      [goldenProblem(.golden, error.description, details: advice(on: error))]
    }
  }

  /// Returns advice to record an unusable golden file again; empty if the file cannot be read.
  private func advice(on error: RunError) -> [String] {
    switch error.code {
    case .notGolden: ["do: \(recordingAdvice(.failed))"]
    case .laterFormat: ["do: \(recordingAdvice(.all))"]
    default: []
    }
  }

  /// Returns advice to record only this golden file, from all of the scenario's runs.
  private func recordingAdvice(_ mode: RecordMode) -> String {
    if caller != .tool {
      return "record it with \(RecordMode.environmentVariable)=\(mode.rawValue) "
        + "\(ScenarioFolder.filterVariable)=\(scenario.id.quotedForShell) swift test"
    }
    let coversSomeRuns = runs.count < scenario.variants.count
    return "record it with --record \(mode.rawValue) \(scenario.file.quotedForShell)"
      + (coversSomeRuns ? ", without --system" : "")
  }

  /// Returns the problem that the outcome differs from the golden file; empty if findings explain
  /// the difference.
  private func differenceProblem(
    _ difference: LineDifference, from path: String, _ review: Review
  ) -> [Scenario.Problem] {
    guard !hasUnexpectedFailure else { return [] }
    let explainedDifference = ExplainedDifference(difference, in: self)
    let stepPrefix = explainedDifference.firstStep.map { "\($0) (\($0.summary)): " } ?? ""
    let location = "\(path):\(difference.firstGoldenLineNumber)"
    let advice =
      "do: if names or sizes differ in every run, name them in 'golden.names' or 'golden.sizes'"
    let lines =
      explainedDifference.lines(adviceIfCut: adviceOnAllLines(from: path))
      + explainedDifference.reasonLines
    return [
      goldenProblem(
        .golden, "\(stepPrefix)the outcome differs from its golden file (\(location))",
        details: [ExplainedDifference.columnTitles] + lines + (runsCode ? [advice] : [])
          + acceptingAdvice(review),
        reasons: explainedDifference.reasons, at: explainedDifference.position)
    ]
  }

  /// True if an unexpected finding fails the scenario, and so explains a difference.
  var hasUnexpectedFailure: Bool {
    runs.contains { $0.findings.contains { $0.fails(isStrict: isStrict) } }
  }

  /// Returns advice to accept an intended difference.
  private func acceptingAdvice(_ review: Review) -> [String] {
    let acceptingClause = "and accept the change with 'backup-testing review'"
    switch review {
    case .waits(_, let store):
      guard let reviewError else {
        return [
          "do: if this is intended, run: \(store.command("accept", scenario.id))",
          "do: to review all changes, run: \(store.command("review"))",
        ]
      }
      return [
        "the new text does not wait for a review: \(reviewError)",
        "do: if the difference is intended, fix this error, run again, \(acceptingClause); or "
          + "\(recordingAdvice(.failed))",
      ]
    case .offOnCI:
      return [
        "do: if this is intended, run it again where CI is not set, \(acceptingClause); or "
          + recordingAdvice(.failed)
      ]
    case .ofSomeRuns:
      return [
        "do: if this is intended, run it again without --system where CI is not set, \(acceptingClause); "
          + "or \(recordingAdvice(.failed))"
      ]
    case .ofFailingRuns:
      return [
        "do: make sure that each finding in 'expect' occurs, or remove it there; then the new text "
          + "waits for a review"
      ]
    }
  }

  /// The problem that the text of an earlier run is out of date, but could not be removed.
  private var staleTextProblem: [Scenario.Problem] {
    guard let reviewError else { return [] }
    if case .differs(_, _, .waits) = goldenOutcome { return [] }
    return [
      Scenario.Problem(
        kind: .golden, severity: .warning, isFailure: isStrict, position: startPosition,
        message:
          "the new golden text of an earlier run is out of date, but "
          + "\(reviewError)",
        details: [], variants: nil)
    ]
  }

  /// The reason why the runs had no effect that a golden file could record, and the advice.
  private var lackOfEffect: (reason: String, advice: String) {
    let compareAdvice = "write 'golden: { compare: false }'"
    let saveAdvice = "add a step of the app, such as { save: \"Documents/a\", size: 1 }"
    if scenario.steps.isEmpty { return ("the scenario has no steps", saveAdvice) }
    guard !scenario.stepsRunningCode.isEmpty else {
      return ("no step changed anything in the container", "\(saveAdvice), or \(compareAdvice)")
    }
    return (
      "the app's own code ran, but changed nothing in the container",
      "\(Self.adviceOnIdleCode); or \(compareAdvice), if it is right that nothing changes"
    )
  }

  /// Returns the problem that the app still changed an item after the last step.
  private func unfinishedProblem(_ path: ContainerPath) -> Scenario.Problem {
    let idleActions = runs.first?.transcript?.stepsWithoutEffect ?? []
    let names = idleActions.map(\.withSummaryInParentheses).joinedInWords
    return goldenProblem(
      .golden,
      "no golden file was written, because '\(path)' changed after the last step, and \(names) "
        + "had changed nothing",
      details: [
        "do: \(Self.adviceOnIdleCode); or write 'golden: { compare: false }' if the app "
          + "may continue to work after its steps"
      ], at: idleActions.first?.position)
  }

  /// Returns the note that the scenario's first golden file was written, with its contents.
  private func recordedNote(_ path: String) -> Scenario.Problem {
    let lines = actualGolden.split(separator: "\n").map(String.init)
    let omittedLineCount = lines.count - Self.maximumRecordedLineCount
    let isOutside = caller == .tool && path.isOutsideWorkingDirectory
    let describedPath = isOutside ? "\(path), which is outside of the working directory" : path
    return Scenario.Problem(
      kind: .recorded, severity: .advice, isFailure: false, position: scenario.titlePosition,
      message: "recorded \(describedPath); check its contents, and commit it",
      details: lines.prefix(Self.maximumRecordedLineCount)
        + (omittedLineCount > 0 ? ["… \(omittedLineCount.counted("more line"))"] : [])
        + (isOutside
          ? ["do: if it belongs elsewhere, delete it, and name the folder with --golden FOLDER"]
          : []),
      variants: nil)
  }

  private static let maximumRecordedLineCount = 40

  /// The advice on names and sizes that differ in every run.
  private static let varyingAdvice =
    "give the names a form in 'golden.names', for example \"Documents/*.mp4\": \"{uuid}.mp4\", and "
    + "name the files of such sizes in 'golden.sizes'"

  /// Returns the problem that a second run differs from the golden file of the first run.
  private func secondRunProblem(_ path: String, _ difference: LineDifference) -> Scenario.Problem {
    let explainedDifference = ExplainedDifference(difference, in: self)
    return goldenProblem(
      .golden,
      "a second run differs from the golden file \(path), which was just recorded, so "
        + "the next run will fail",
      details: [" first second     - only in the first run, + only in the second"]
        + explainedDifference.lines(
          adviceIfCut: "after the change, run again to see them")
        + [
          "do: \(Self.varyingAdvice), and then \(recordingAdvice(.failed)); or make the app do the "
            + "same in every run, or write 'golden: { compare: false }'"
        ],
      at: explainedDifference.position)
  }

  /// Returns advice on how to see all lines of a difference that is too long for the problem.
  private func adviceOnAllLines(from path: String) -> String {
    if let store = storeOfWaitingText {
      return "compare \(path) with \(store.newTextPath(of: scenario.id))"
    }
    return caller != .tool
      ? "both texts are attached to the test"
      : "to see all of them, \(recordingAdvice(.failed)), and compare \(path) in version control"
  }

  /// Returns a problem of the golden file that fails the scenario.
  private func goldenProblem(
    _ kind: Scenario.Problem.Kind, _ message: String, details: [String] = [],
    reasons: [String] = [], at position: SourcePosition? = nil
  ) -> Scenario.Problem {
    Scenario.Problem(
      kind: kind, severity: .error, isFailure: true, position: position ?? startPosition,
      message: message, details: details, variants: nil, reasons: reasons)
  }

  /// The position for problems of the whole scenario.
  var startPosition: SourcePosition {
    scenario.steps.first?.reference.position ?? .start
  }

  /// Returns the names of runs; nil for all runs.
  func runNames(of variants: [Scenario.Variant]) -> String? {
    guard variants.count < runs.count else { return nil }
    return VariantGroup(variants, of: scenario).names.joined(separator: "; ")
  }
}

extension ScenarioResult {
  /// True if a run performed the app's own code.
  var runsCode: Bool { runs.contains { $0.transcript?.runsCode == true } }

  /// Returns the problems of unexpected findings. Equal findings on files in the same directory
  /// become one problem.
  func findingProblems(_ unexpectedFindings: [FindingOfRuns]) -> [Scenario.Problem] {
    unexpectedFindings.grouped(by: \.variants).flatMap { group in
      let variants = group[0].variants
      let transcript = runs.first { $0.variant == variants[0] }?.transcript
      let findings = group.map(\.finding)
      let groupedFindings =
        transcript.map { GroupedFindings(findings, in: $0).mergedFindings } ?? findings
      return groupedFindings.map { problem($0, under: variants, in: transcript) }
    }
  }

  private func problem(
    _ finding: Scenario.Finding, under variants: [Scenario.Variant], in transcript: Transcript?
  ) -> Scenario.Problem {
    let account = transcript.flatMap { CodeAccount(of: finding, among: $0.changeCalls) }
    return Scenario.Problem(
      kind: .finding(rule: finding.rule), severity: finding.severity,
      isFailure: finding.severity.fails(isStrict: isStrict), position: finding.step.position,
      message: "\(finding.rule): \(finding.message)",
      details: finding.adviceLines(naming: account),
      variants: runNames(of: variants), actor: scenario.actor(of: finding.step),
      path: finding.path?.description, code: account?.places ?? [],
      sources: finding.sources.map(\.key))
  }

  /// Returns a problem for each expected finding that did not occur. The details of the problem
  /// name findings that occurred instead.
  func missingFindingProblems(among unexpectedFindings: [FindingOfRuns]) -> [Scenario.Problem] {
    let missingFindings = runs.flatMap { run in run.missing.map { (expectation: $0, run.variant) } }
    let unexpectedFindings = UnexpectedFindings(unexpectedFindings)
    return missingFindings.grouped(by: \.expectation).compactMap { group in
      guard let expectation = group.first?.expectation else { return nil }
      let variants = group.map(\.1)
      let pathClause = expectation.path.map { " on '\($0)'" } ?? ""
      let stepClause = expectation.step.map { " at step \($0)" } ?? ""
      let severityClause = expectation.severity.map { " of severity '\($0.rawValue)'" } ?? ""
      return Scenario.Problem(
        kind: .missingFinding(rule: expectation.rule), severity: .error, isFailure: true,
        position: expectation.position,
        message:
          "expected the finding \(expectation.rule)\(severityClause)\(stepClause)\(pathClause), but it did not "
          + "occur; correct or remove this entry of 'expect'",
        details: unexpectedFindings.sentences(besides: expectation, under: variants),
        variants: runNames(of: variants))
    }
  }
}

extension ScenarioResult {
  var skipProblems: [Scenario.Problem] {
    let (position, reason): (SourcePosition, String)
    switch skipReason {
    case nil: return []
    case .unboundAction(let step): (position, reason) = (step.position, step.reasonNotToRun)
    case .sharedTemporaryFolder(let folder):
      position = startPosition
      reason =
        "this scenario names 'tmp', but Foundation on a Mac keeps temporary files in \(folder), "
        + "where the kit does not see them; run the test on Linux"
    }
    return [
      Scenario.Problem(
        kind: .skipped, severity: .advice, isFailure: isStrict, position: position,
        message: "skipped: \(reason)", details: [], variants: nil)
    ]
  }
}

extension Scenario.StepReference {
  /// The reason why the command line does not run a scenario with this step. The step performs an
  /// action, which only a test can run.
  package var reasonNotToRun: String {
    "\(self) (\(summary)) runs the app's own code, which the command line cannot do; run it "
      + "with 'swift test', in a test that binds the action"
  }
}

extension ScenarioResult {
  /// A problem for each argument that the action has read in no run. Most often, the name of such
  /// an argument is misspelt.
  var unreadArgumentProblems: [Scenario.Problem] {
    var argumentUses: [SourcePosition: ArgumentUse] = [:]
    for run in runs {
      argumentUses.merge(run.transcript?.argumentUses ?? [:]) { $0.merging($1) }
    }
    return argumentUses.values.filter { !$0.isRead }.map { use in
      Scenario.Problem(
        kind: .unreadArgument, severity: .warning, isFailure: isStrict, position: use.position,
        message:
          "the action '\(use.actionName.escapedExcerpt)' never asks for the argument '\(use.argumentName.escapedExcerpt)'",
        details: ["do: \(advice(on: use))"], variants: nil)
    }
  }

  /// Returns advice on an argument that no run has read.
  private func advice(on use: ArgumentUse) -> String {
    let missingNames = use.missingNames.sorted()
    if let nearestName = NearestWord.to(use.argumentName, in: missingNames) {
      return
        "rename it to '\(nearestName.escapedExcerpt)', which the action asks for and which is missing"
    }
    let clauseOnMissingNames =
      missingNames.isEmpty
      ? ""
      : "; the action asks for \(missingNames.map { "'\($0.escapedExcerpt)'" }.joinedInWords), which is missing"
    return "remove it, or read it in the action: try "
      + "action.argument(\(use.argumentName.debugDescription))\(clauseOnMissingNames)"
  }
}

extension Transcript.Failure {
  /// The line of the app's code that threw the error; nil if it is not known.
  fileprivate var placeOfThrow: CodePlace? { CodeReader.places(of: returnAddresses)?.first }
}

extension Transcript {
  private static let maximumOutputLineCount = 20
  private static let maximumOutputLineLength = 200

  /// The last lines of the failed step's output; empty for a step that runs no tool.
  var failureOutput: [String] {
    guard let failure else { return [] }
    let outputs = entries.compactMap { entry -> String? in
      if entry.step == failure.step, case .output(let text) = entry.event { text } else { nil }
    }
    guard let output = outputs.last else { return [] }
    guard !output.isEmpty else { return ["it printed nothing"] }
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    let lastLines = lines.suffix(Self.maximumOutputLineCount)
    let title =
      lastLines.count == lines.count
      ? "it printed:" : "the last \(lastLines.count) of the \(lines.count) lines that it printed:"
    return [title] + lastLines.map { "| \(String($0).cut(to: Self.maximumOutputLineLength))" }
  }
}

extension Scenario {
  /// Returns the name of a step's action, or the step's keyword; nil if the scenario has no such
  /// step.
  package func actor(of reference: StepReference) -> String? {
    let step: Step? =
      switch reference.number {
      case .step(let number): steps.dropFirst(max(0, number - 1)).first
      case .launch(let number): launch.dropFirst(max(0, number - 1)).first
      default: nil
      }
    return step.map { $0.actionName ?? $0.keyword.rawValue }
  }
}
