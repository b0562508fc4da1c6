import BackupDiagnostics
import BackupScenarios

extension ScenarioSuite {
  /// Compares a scenario's runs with its golden file, and records it if the mode says so. The file
  /// is nil if it does not exist, or the reason why it cannot be read.
  func compare(
    _ scenario: Scenario, _ runs: [ScenarioResult.Run],
    with former: Result<String?, RunError>
  ) -> ScenarioResult.GoldenOutcome {
    let transcripts = runs.compactMap(\.transcript)
    guard let goldens, !runs.contains(where: \.hasBrokenOff) else { return .notCompared }
    guard scenario.golden.isCompared else {
      guard (try? former.get()) != nil else { return .notCompared }
      return .needless(path: goldens.path(of: scenario.id))
    }
    let isWhole = transcripts.count == scenario.variants.count
    let isExample = !runs.contains { $0.hasFailingFindings(isStrict: isStrict) }
    let mode = isWhole ? recordMode.mode(isExample: isExample) : .never
    do throws(RunError) {
      let path = goldens.path(of: scenario.id)
      let former = try former.get().map { text throws(RunError) in
        try scenario.goldenFile(text, at: path)
      }
      guard isWhole else { return comparePart(of: scenario, transcripts, with: former, at: path) }
      if former == nil, mode == .never, recordMode != .never { return .notCompared }
      return try compareWhole(scenario, transcripts, with: former, at: path, in: goldens, mode)
    } catch {
      // A file that could not be read may still be a golden file.
      let isOverwritten =
        error.code == .notGolden && (mode == .all || mode == .failed)
        || error.code == .laterFormat && mode == .all
      return isOverwritten ? recordOver(scenario, transcripts, in: goldens) : .unusable(error)
    }
  }

  /// Records a golden file in the place of one that cannot be used.
  private func recordOver(
    _ scenario: Scenario, _ transcripts: [Transcript], in goldens: GoldenStore
  ) -> ScenarioResult.GoldenOutcome {
    do throws(RunError) {
      try goldens.write(scenario.goldenText(of: transcripts), for: scenario.id)
      return .recorded(path: goldens.path(of: scenario.id), nil)
    } catch {
      return .unusable(error)
    }
  }

  /// Compares all runs of a scenario with the whole golden file.
  private func compareWhole(
    _ scenario: Scenario, _ transcripts: [Transcript], with former: String?,
    at path: String, in goldens: GoldenStore, _ mode: RecordMode
  ) throws(RunError) -> ScenarioResult.GoldenOutcome {
    let text = scenario.goldenText(of: transcripts)
    let difference = former.flatMap { LineDifference(golden: $0, actual: text) }
    let isSame = former != nil && difference == nil
    if mode.records(isMissing: former == nil, isSame: isSame) {
      try goldens.write(text, for: scenario.id)
      return isSame ? .matches : .recorded(path: path, difference)
    }
    if former == nil { return .missing(path: path) }
    return difference.map { .differs(path: path, $0) } ?? .matches
  }

  /// Compares some runs of a scenario with their sections; nothing is recorded from a part.
  private func comparePart(
    of scenario: Scenario, _ transcripts: [Transcript], with former: String?, at path: String
  ) -> ScenarioResult.GoldenOutcome {
    guard let former else { return .missing(path: path) }
    for transcript in transcripts {
      let expected = scenario.goldenSection(of: transcript.variant, in: former)
      let difference = LineDifference(
        golden: (expected?.body ?? []).text, actual: transcript.goldenLines.text,
        firstLine: expected?.firstLine ?? 1,
        section: VariantGroup([transcript.variant], of: scenario).headings)
      if let difference {
        return .differs(path: path, difference)
      }
    }
    return .matches
  }
}

extension RecordMode {
  /// The mode for runs that are an example to record, or that are not, since findings fail them:
  /// those are only recorded in the mode `all`.
  fileprivate func mode(isExample: Bool) -> RecordMode {
    isExample || self == .all ? self : .never
  }

  /// Whether a golden file is written.
  fileprivate func records(isMissing: Bool, isSame: Bool) -> Bool {
    switch self {
    case .never: false
    case .missing: isMissing
    case .failed: !isSame
    case .all: true
    }
  }
}

extension [String] {
  fileprivate var text: String { map { "\($0)\n" }.joined() }
}
