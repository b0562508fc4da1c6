import BackupScenarios

extension ScenarioSuite {
  /// Compares a scenario's runs with its golden file, and records it where the mode says so.
  ///
  /// - Parameters:
  ///   - scenario: The scenario.
  ///   - runs: Its runs.
  ///   - former: The golden file's text, nil where there is none, or why it cannot be read.
  /// - Returns: How they compare.
  func compare(
    _ scenario: Scenario, _ runs: [ScenarioResult.Run], with former: Result<String?, RunError>
  ) -> ScenarioResult.GoldenOutcome {
    let transcripts = runs.compactMap(\.transcript)
    guard let goldens, !runs.contains(where: \.hasBrokenOff) else { return .notCompared }
    let isWhole = transcripts.count == scenario.variants.count
    let path = goldens.path(of: scenario.id)
    do throws(RunError) {
      let former = try former.get()
      guard isWhole else { return comparePart(of: scenario, transcripts, with: former, at: path) }
      if former == nil, recordMode == .missing,
        runs.contains(where: { $0.hasFailingFindings(isStrict: isStrict) })
      {
        return .notCompared
      }
      return try compareWhole(scenario, transcripts, with: former, in: goldens)
    } catch {
      guard isWhole, recordMode == .failed || recordMode == .all else { return .unusable(error) }
      return recordOver(scenario, transcripts, in: goldens)
    }
  }

  /// Records a golden file in the place of one that cannot be used.
  private func recordOver(
    _ scenario: Scenario, _ transcripts: [Transcript], in goldens: GoldenStore
  ) -> ScenarioResult.GoldenOutcome {
    do throws(RunError) {
      try goldens.write(GoldenText.render(scenario, transcripts), for: scenario.id)
      return .recorded(path: goldens.path(of: scenario.id), nil)
    } catch {
      return .unusable(error)
    }
  }

  /// Compares all runs of a scenario with the whole golden file.
  private func compareWhole(
    _ scenario: Scenario, _ transcripts: [Transcript], with former: String?,
    in goldens: GoldenStore
  ) throws(RunError) -> ScenarioResult.GoldenOutcome {
    let path = goldens.path(of: scenario.id)
    let text = GoldenText.render(scenario, transcripts)
    let difference = former.flatMap { LineDifference(golden: $0, actual: text) }
    let isSame = former != nil && difference == nil
    if recordMode.records(isMissing: former == nil, isSame: isSame) {
      try goldens.write(text, for: scenario.id)
      return isSame ? .matches : .recorded(path: path, difference)
    }
    guard former != nil else { return .missing(path: path) }
    return difference.map { .differs(path: path, $0) } ?? .matches
  }

  /// Compares some runs of a scenario with their sections; nothing is recorded from a part.
  private func comparePart(
    of scenario: Scenario, _ transcripts: [Transcript], with former: String?, at path: String
  ) -> ScenarioResult.GoldenOutcome {
    guard let former else { return .missing(path: path) }
    let sections = GoldenSections(former, scenario)
    for transcript in transcripts {
      let expected = sections.section(of: transcript.variant)
      let difference = LineDifference(
        golden: (expected?.body ?? []).text, actual: GoldenText.lines(of: transcript).text,
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
  /// The lines as a text.
  fileprivate var text: String { map { "\($0)\n" }.joined() }
}
