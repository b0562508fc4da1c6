import BackupContainer
package import BackupDevice
import BackupDiagnostics
import BackupRules
package import BackupScenarios
import Foundation

/// Runs scenarios, judges the runs, and compares them with golden files.
package struct ScenarioSuite: Sendable {
  /// The golden files; nil if nothing is compared.
  package var goldens: GoldenStore?
  var recordMode: RecordMode
  /// True if the user chose the record mode. The user then needs no note on each recorded file.
  package var isRecordingRequested = false
  /// True if unexpected warnings and advice also fail a scenario.
  package var isStrict = false
  /// True if the suite leaves new golden texts for a review, and removes the texts of earlier runs.
  /// Callers set this to false on CI.
  package var leavesNewTextsForReview = false
  package var caller = Caller.tool

  /// The caller of a suite.
  package enum Caller: Sendable {
    case tool
    /// A test. If an action has no code, the scenario fails; the tool would skip the scenario.
    case test
    /// A test that explores the scenario afterwards.
    case exploringTest
  }

  /// The systems to run under; nil for all systems of each scenario.
  package var selectedSystems: Set<SystemVersion>?
  /// True if iOS ignores marks in all backups, even if the scenarios say something else.
  package var ignoresGuidance = false
  package var runner: ScenarioRunner
  /// The most scenarios that run at the same time. More scenarios than processors would only use
  /// more memory and open files.
  var maximumRunningScenarios = max(1, ProcessInfo.processInfo.activeProcessorCount)
  /// The rules that judge the runs. Tests of the kit replace these rules by wrong rules.
  var rules = RuleList.all
  /// The function that returns the findings of rules in a run. Tests of the kit replace this
  /// function.
  var judge: @Sendable (Transcript, [any Rule]) -> [Scenario.Finding] = { transcript, rules in
    RuleList.findings(in: transcript, by: rules)
  }

  package init(
    goldens: GoldenStore?, recordMode: RecordMode, runner: ScenarioRunner = ScenarioRunner()
  ) {
    self.goldens = goldens
    self.recordMode = recordMode
    self.runner = runner
  }

  /// Runs scenarios, at most ``maximumRunningScenarios`` at the same time.
  ///
  /// A scenario has no result if none of its systems is selected, or if the task is cancelled
  /// before the scenario begins.
  package func run(_ scenarios: [Scenario]) async -> [ScenarioResult] {
    await withTaskGroup(of: (index: Int, result: ScenarioResult?).self) { group in
      var results: [ScenarioResult?] = Array(repeating: nil, count: scenarios.count)
      for (index, scenario) in scenarios.enumerated() {
        if index >= maximumRunningScenarios, let indexedResult = await group.next() {
          results[indexedResult.index] = indexedResult.result
        }
        guard !Task.isCancelled else { break }
        group.addTask { (index, await run(scenario)) }
      }
      for await indexedResult in group { results[indexedResult.index] = indexedResult.result }
      return results.compactMap(\.self)
    }
  }

  /// Runs one scenario under each variant that ``selectedSystems`` selects, and compares it with
  /// its golden file; nil if no variant is selected.
  package func run(_ scenario: Scenario) async -> ScenarioResult? {
    await LongWork.during("running \(scenario.id.escapedExcerpt)") { await runOrSkip(scenario) }
  }

  private func runOrSkip(_ scenario: Scenario) async -> ScenarioResult? {
    let variants = scenario.variants.filter { selectedSystems?.contains($0.system) != false }
    guard !variants.isEmpty else { return nil }
    if caller == .tool, let step = runner.firstUnboundStep(of: scenario) {
      return ScenarioResult(
        scenario: scenario, runs: [], goldenOutcome: .notCompared, expectedGolden: nil,
        isStrict: isStrict, skipReason: .unboundAction(step))
    }
    let (started, startInstant) = (Date(), ContinuousClock.now)
    let existingGolden = Result { () throws(RunError) in try goldens?.text(of: scenario.id) }
    var runs = await unjudgedRuns(
      of: scenario, under: variants, awaitingLateWork: mayRecord(scenario, over: existingGolden)
    ).map(judged)
    let seconds = (ContinuousClock.now - startInstant) / .seconds(1)
    LongWork.current?.note("comparing with the golden file")
    let sharedFolder = runs.lazy.compactMap { $0.transcript?.sharedTemporaryFolder }.first
    if let sharedFolder, scenario.namesTemporaryFolder {
      return ScenarioResult(
        scenario: scenario, runs: [], goldenOutcome: .notCompared, expectedGolden: nil,
        isStrict: isStrict, caller: caller, skipReason: .sharedTemporaryFolder(sharedFolder),
        startDate: started, seconds: seconds)
    }
    var text = goldens.map { _ in scenario.goldenText(of: runs.compactMap(\.transcript)) }
    var goldenOutcome = compare(scenario, runs, text ?? "", with: existingGolden)
    let expectedText: String? = if case .success(let text) = existingGolden { text } else { nil }
    // Runs of the app's own code can vary. So compare the recorded golden file with a second run.
    if case .recorded(let path, let isRequested, _) = goldenOutcome, runner.runsCode(of: scenario) {
      let secondRuns = await unjudgedRuns(of: scenario, under: variants)
      let secondText = scenario.goldenText(of: secondRuns.compactMap(\.transcript))
      if secondRuns.contains(where: \.hasBrokenOff) {
        (runs, text) = (secondRuns.map(judged), secondText)
      } else {
        goldenOutcome = .recorded(
          path: path, isRequested: isRequested,
          secondRunDifference: LineDifference(golden: text ?? "", actual: secondText))
      }
    }
    var result = ScenarioResult(
      scenario: scenario, runs: runs, goldenOutcome: goldenOutcome, expectedGolden: expectedText,
      comparedText: text, isStrict: isStrict, caller: caller, startDate: started,
      seconds: seconds)
    if leavesNewTextsForReview, let goldens { result.leaveNewTextForReview(in: goldens) }
    return result
  }

  /// Runs a scenario under variants, without judging the runs.
  private func unjudgedRuns(
    of scenario: Scenario, under variants: [Scenario.Variant], awaitingLateWork: Bool = false
  ) async -> [ScenarioResult.Run] {
    var runs: [ScenarioResult.Run] = []
    var runner = runner
    runner.awaitsLateWork = awaitingLateWork
    let guidance = ignoresGuidance ? .ignored : scenario.guidance
    for variant in variants {
      do throws(RunError) {
        let transcript = try await runner.run(scenario, variant, guidance: guidance)
        runs.append(ScenarioResult.Run(variant, transcript: transcript))
      } catch {
        runs.append(ScenarioResult.Run(variant, error: error))
      }
      // The work that the app's code continues after its steps does not depend on the iOS version.
      // So wait for it only once.
      runner.awaitsLateWork = false
    }
    return runs
  }

  private func judged(_ run: ScenarioResult.Run) -> ScenarioResult.Run {
    guard let transcript = run.transcript else { return run }
    LongWork.current?.note("judging the run on \(run.variant)")
    return ScenarioResult.Run(transcript, findings: judge(transcript, rules))
  }

  /// Returns true if the suite may record the golden file of a scenario, as far as the record mode
  /// and the existing file decide this.
  private func mayRecord(
    _ scenario: Scenario, over existingGolden: Result<String?, RunError>
  ) -> Bool {
    guard goldens != nil, scenario.goldenOptions.comparesRun, recordMode != .never else {
      return false
    }
    if recordMode == .missing, case .success(_?) = existingGolden { return false }
    return true
  }

  /// Compares a scenario's runs with its golden file. Writes the golden file if the record mode
  /// says so.
  ///
  /// `existingGolden` is the text of the file, nil if there is no file, or the error of reading the
  /// file.
  func compare(
    _ scenario: Scenario, _ runs: [ScenarioResult.Run], _ text: String,
    with existingGolden: Result<String?, RunError>
  ) -> ScenarioResult.GoldenOutcome {
    let transcripts = runs.compactMap(\.transcript)
    guard let goldens, !runs.contains(where: \.hasBrokenOff) else { return .notCompared }
    guard scenario.goldenOptions.comparesRun else {
      switch existingGolden {
      case .success(nil): return .notCompared
      case .failure(let error) where error.code != .notGolden: return .unusable(error)
      case .success, .failure: return .needless(path: goldens.path(of: scenario.id))
      }
    }
    let hasAllRuns = transcripts.count == scenario.variants.count
    // A run with failing findings is a bad example, so only the mode `all` records it.
    let hasNoFailingFindings = !runs.contains { $0.hasFailingFindings(isStrict: isStrict) }
    let mode = hasAllRuns && (hasNoFailingFindings || recordMode == .all) ? recordMode : .never
    do throws(RunError) {
      let path = goldens.path(of: scenario.id)
      let existingText = try existingGolden.get().map { text throws(RunError) in
        try GoldenDocument.checked(text, of: scenario.id, at: path)
      }
      guard hasAllRuns else {
        return compareSomeRuns(of: scenario, transcripts, with: existingText, at: path)
      }
      if existingText == nil, mode == .never, recordMode != .never { return .notCompared }
      return try compareAllRuns(scenario, transcripts, text, with: existingText, in: goldens, mode)
    } catch {
      // Do not overwrite a file that could not be read, because it may be a valid golden file.
      let isOverwritten =
        error.code == .notGolden && (mode == .all || mode == .failed)
        || error.code == .laterFormat && mode == .all
      return isOverwritten
        ? recordOverUnusableFile(scenario, transcripts, text, in: goldens) : .unusable(error)
    }
  }

  /// Records a golden file in place of an unusable file.
  private func recordOverUnusableFile(
    _ scenario: Scenario, _ transcripts: [Transcript], _ text: String, in goldens: GoldenStore
  ) -> ScenarioResult.GoldenOutcome {
    if let outcome = transcripts.outcomeWithoutRecording { return outcome }
    do throws(RunError) {
      try goldens.write(text, for: scenario.id)
      return .recorded(
        path: goldens.path(of: scenario.id), isRequested: isRecordingRequested)
    } catch {
      return .unusable(error)
    }
  }

  /// Compares all of a scenario's runs with its golden file. Writes the golden file if `mode` says
  /// so.
  private func compareAllRuns(
    _ scenario: Scenario, _ transcripts: [Transcript], _ text: String, with existingText: String?,
    in goldens: GoldenStore, _ mode: RecordMode
  ) throws(RunError) -> ScenarioResult.GoldenOutcome {
    let path = goldens.path(of: scenario.id)
    let difference = existingText.flatMap { LineDifference(golden: $0, actual: text) }
    let textsAreEqual = existingText != nil && difference == nil
    if mode.records(goldenIsMissing: existingText == nil, textsAreEqual: textsAreEqual) {
      if !textsAreEqual, let outcome = transcripts.outcomeWithoutRecording { return outcome }
      try goldens.write(text, for: scenario.id)
      return textsAreEqual ? .matches : .recorded(path: path, isRequested: isRecordingRequested)
    }
    if existingText == nil { return .missing(path: path) }
    let review: ScenarioResult.Review =
      leavesNewTextsForReview ? .waits(text, in: goldens) : .offOnCI
    return difference.map { .differs(path: path, $0, review) } ?? .matches
  }

  /// Compares some of a scenario's runs with their sections in the golden file. Records nothing.
  private func compareSomeRuns(
    of scenario: Scenario, _ transcripts: [Transcript], with existingText: String?, at path: String
  ) -> ScenarioResult.GoldenOutcome {
    guard let existingText else { return .missing(path: path) }
    for transcript in transcripts {
      let expectedSection = scenario.goldenSection(of: transcript.variant, in: existingText)
      let difference = LineDifference(
        golden: (expectedSection?.body ?? []).map { "\($0)\n" }.joined(),
        actual: transcript.goldenSectionsText,
        firstLineNumber: expectedSection?.firstLine ?? 1,
        headings: VariantGroup([transcript.variant], of: scenario).headings)
      if let difference {
        return .differs(path: path, difference, .ofSomeRuns)
      }
    }
    return .matches
  }
}

extension [Transcript] {
  /// The outcome if these runs must not be recorded as a golden file; nil if they may be recorded.
  fileprivate var outcomeWithoutRecording: ScenarioResult.GoldenOutcome? {
    lazy.compactMap(\.lateChange).first.map { .unfinished(changing: $0) }
      ?? (haveNoEffect ? .noEffect : nil)
  }
}

extension RecordMode {
  fileprivate func records(goldenIsMissing: Bool, textsAreEqual: Bool) -> Bool {
    switch self {
    case .never: false
    case .missing: goldenIsMissing
    case .failed: !textsAreEqual
    case .all: true
    }
  }
}
