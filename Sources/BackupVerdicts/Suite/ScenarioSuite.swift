import BackupContainer
package import BackupDevice
import BackupDiagnostics
import BackupRules
package import BackupScenarios
import Foundation

/// Runs scenarios, judges them, and compares them with their golden files.
package struct ScenarioSuite: Sendable {
  /// The golden files; nil where nothing is compared.
  package var goldens: GoldenStore?
  var recordMode: RecordMode
  /// Whether somebody has asked for the mode, and so needs no note on each file that is written.
  package var isRecordingRequested = false
  /// Whether unexpected warnings and advice fail a scenario too.
  package var isStrict = false
  /// Whether golden texts that differ are left beside the golden files for a review, and those of
  /// earlier runs removed; not on CI.
  package var leavesForReview = false
  package var caller = Caller.tool

  /// The caller of a suite.
  package enum Caller: Sendable {
    case tool
    /// A test, where there is no command to give an option to, and an action without code fails a scenario: no test
    /// passes without running.
    case test
    /// A test that explores the scenario afterwards.
    case exploringTest
  }

  /// The systems to run under; nil for all that each scenario names.
  package var systems: Set<SystemVersion>?
  /// Whether marked items are backed up anyway, whatever the scenarios say.
  package var ignoresGuidance = false
  package var runner: ScenarioRunner
  /// How many scenarios run at once, each in containers of its own: one for each processor, since
  /// more would only take memory and open files.
  var width = max(1, ProcessInfo.processInfo.activeProcessorCount)
  /// What the runs are checked for; tests put wrong rules in their place.
  var rules = RuleList.all
  /// What the rules find in a run; tests put something else in its place.
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

  /// Runs scenarios, as many at once as there are processors. Those that no system is left of are
  /// out, and those that were not begun when the task was cancelled.
  package func run(_ scenarios: [Scenario]) async -> [ScenarioResult] {
    await withTaskGroup(of: (index: Int, result: ScenarioResult?).self) { group in
      var results: [ScenarioResult?] = Array(repeating: nil, count: scenarios.count)
      for (index, scenario) in scenarios.enumerated() {
        if index >= width, let done = await group.next() { results[done.index] = done.result }
        guard !Task.isCancelled else { break }
        group.addTask { (index, await run(scenario)) }
      }
      for await done in group { results[done.index] = done.result }
      return results.compactMap(\.self)
    }
  }

  /// Runs one scenario under each variant that ``systems`` leaves, and compares it with its golden
  /// file; nil if no variant is left.
  package func run(_ scenario: Scenario) async -> ScenarioResult? {
    await LongWork.during("running \(scenario.id.shown)") { await runOrSkip(scenario) }
  }

  private func runOrSkip(_ scenario: Scenario) async -> ScenarioResult? {
    let variants = scenario.variants.filter { systems?.contains($0.system) != false }
    guard !variants.isEmpty else { return nil }
    if caller == .tool, let step = runner.firstUnboundStep(of: scenario) {
      return ScenarioResult(
        scenario: scenario, runs: [], golden: .notCompared, expectedGolden: nil,
        isStrict: isStrict, skip: .unbound(step))
    }
    let (started, clock) = (Date(), ContinuousClock.now)
    let former = Result { () throws(RunError) in try goldens?.text(of: scenario.id) }
    var runs = await attempts(
      at: scenario, under: variants, awaitingLateWork: mayRecord(scenario, over: former)
    ).map(judged)
    let seconds = (ContinuousClock.now - clock) / .seconds(1)
    LongWork.current?.note("comparing with the golden file")
    let folder = runs.lazy.compactMap { $0.transcript?.sharedTemporaryFolder }.first
    if let folder, scenario.namesTemporaryFolder {
      return ScenarioResult(
        scenario: scenario, runs: [], golden: .notCompared, expectedGolden: nil,
        isStrict: isStrict, caller: caller, skip: .sharedTemporaryFolder(folder),
        started: started, seconds: seconds)
    }
    var text = goldens.map { _ in scenario.goldenText(of: runs.compactMap(\.transcript)) }
    var golden = compare(scenario, runs, text ?? "", with: former)
    let expected: String? = if case .success(let text) = former { text } else { nil }
    // What is recorded of the app's own code is no example if it is another the next time.
    if case .recorded(let path, let isRequested, _) = golden, runner.runsCode(of: scenario) {
      let again = await attempts(at: scenario, under: variants)
      let textAgain = scenario.goldenText(of: again.compactMap(\.transcript))
      if again.contains(where: \.hasBrokenOff) {
        (runs, text) = (again.map(judged), textAgain)
      } else {
        golden = .recorded(
          path: path, isRequested: isRequested,
          again: LineDifference(golden: text ?? "", actual: textAgain))
      }
    }
    var result = ScenarioResult(
      scenario: scenario, runs: runs, golden: golden, expectedGolden: expected,
      comparedText: text, isStrict: isStrict, caller: caller, started: started,
      seconds: seconds)
    if leavesForReview, let goldens { result.leaveForReview(in: goldens) }
    return result
  }

  /// Runs a scenario under variants; what they find is not judged yet.
  private func attempts(
    at scenario: Scenario, under variants: [Scenario.Variant], awaitingLateWork: Bool = false
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
      // What code does late does not depend on the system.
      runner.awaitsLateWork = false
    }
    return runs
  }

  private func judged(_ run: ScenarioResult.Run) -> ScenarioResult.Run {
    guard let transcript = run.transcript else { return run }
    LongWork.current?.note("judging the run on \(run.variant)")
    return ScenarioResult.Run(transcript, findings: judge(transcript, rules))
  }

  /// Whether a golden file may be recorded, in the place of what is there.
  private func mayRecord(
    _ scenario: Scenario, over former: Result<String?, RunError>
  ) -> Bool {
    guard goldens != nil, scenario.golden.isCompared, recordMode != .never else { return false }
    if recordMode == .missing, case .success(_?) = former { return false }
    return true
  }

  /// Compares a scenario's runs with its golden file, and records it if the mode says so. The file
  /// is nil if it does not exist, or the reason why it cannot be read.
  func compare(
    _ scenario: Scenario, _ runs: [ScenarioResult.Run], _ text: String,
    with former: Result<String?, RunError>
  ) -> ScenarioResult.GoldenOutcome {
    let transcripts = runs.compactMap(\.transcript)
    guard let goldens, !runs.contains(where: \.hasBrokenOff) else { return .notCompared }
    guard scenario.golden.isCompared else {
      switch former {
      case .success(nil): return .notCompared
      case .failure(let error) where error.code != .notGolden: return .unusable(error)
      case .success, .failure: return .needless(path: goldens.path(of: scenario.id))
      }
    }
    let isWhole = transcripts.count == scenario.variants.count
    // Runs that findings fail are no example; they are recorded only in the mode `all`.
    let isExample = !runs.contains { $0.hasFailingFindings(isStrict: isStrict) }
    let mode = isWhole && (isExample || recordMode == .all) ? recordMode : .never
    do throws(RunError) {
      let path = goldens.path(of: scenario.id)
      let former = try former.get().map { text throws(RunError) in
        try GoldenDocument.checked(text, of: scenario.id, at: path)
      }
      guard isWhole else { return comparePart(of: scenario, transcripts, with: former, at: path) }
      if former == nil, mode == .never, recordMode != .never { return .notCompared }
      return try compareWhole(scenario, transcripts, text, with: former, in: goldens, mode)
    } catch {
      // A file that could not be read may still be a golden file.
      let isOverwritten =
        error.code == .notGolden && (mode == .all || mode == .failed)
        || error.code == .laterFormat && mode == .all
      return isOverwritten ? recordOver(scenario, transcripts, text, in: goldens) : .unusable(error)
    }
  }

  /// Records a golden file in the place of one that cannot be used.
  private func recordOver(
    _ scenario: Scenario, _ transcripts: [Transcript], _ text: String, in goldens: GoldenStore
  ) -> ScenarioResult.GoldenOutcome {
    if let outcome = transcripts.unworthiness { return outcome }
    do throws(RunError) {
      try goldens.write(text, for: scenario.id)
      return .recorded(
        path: goldens.path(of: scenario.id), isRequested: isRecordingRequested)
    } catch {
      return .unusable(error)
    }
  }

  private func compareWhole(
    _ scenario: Scenario, _ transcripts: [Transcript], _ text: String, with former: String?,
    in goldens: GoldenStore, _ mode: RecordMode
  ) throws(RunError) -> ScenarioResult.GoldenOutcome {
    let path = goldens.path(of: scenario.id)
    let difference = former.flatMap { LineDifference(golden: $0, actual: text) }
    let isSame = former != nil && difference == nil
    if mode.records(isMissing: former == nil, isSame: isSame) {
      if !isSame, let outcome = transcripts.unworthiness { return outcome }
      try goldens.write(text, for: scenario.id)
      return isSame ? .matches : .recorded(path: path, isRequested: isRecordingRequested)
    }
    if former == nil { return .missing(path: path) }
    let review: ScenarioResult.Review = leavesForReview ? .waits(text, in: goldens) : .offOnCI
    return difference.map { .differs(path: path, $0, review) } ?? .matches
  }

  /// Compares some runs of a scenario with their sections; nothing is recorded from a part.
  private func comparePart(
    of scenario: Scenario, _ transcripts: [Transcript], with former: String?, at path: String
  ) -> ScenarioResult.GoldenOutcome {
    guard let former else { return .missing(path: path) }
    for transcript in transcripts {
      let expected = scenario.goldenSection(of: transcript.variant, in: former)
      let difference = LineDifference(
        golden: (expected?.body ?? []).map { "\($0)\n" }.joined(),
        actual: transcript.goldenSections,
        firstLine: expected?.firstLine ?? 1,
        section: VariantGroup([transcript.variant], of: scenario).headings)
      if let difference {
        return .differs(path: path, difference, .ofPart)
      }
    }
    return .matches
  }
}

extension [Transcript] {
  /// Why these runs are not worth a golden file; nil if they are.
  fileprivate var unworthiness: ScenarioResult.GoldenOutcome? {
    lazy.compactMap(\.lateChange).first.map { .unfinished(changing: $0) }
      ?? (areVacuous ? .vacuous : nil)
  }
}

extension RecordMode {
  fileprivate func records(isMissing: Bool, isSame: Bool) -> Bool {
    switch self {
    case .never: false
    case .missing: isMissing
    case .failed: !isSame
    case .all: true
    }
  }
}
