import DeviceSimulation

extension ScenarioSuite {
  /// Compares a scenario's runs with its golden file, and records it where the mode says so.
  ///
  /// - Parameters:
  ///   - scenario: The scenario.
  ///   - runs: Its runs.
  ///   - former: The golden file's text, nil where there is none, or why it cannot be read.
  /// - Returns: How they compare.
  func compare(
    _ scenario: Scenario, _ runs: [RunResult], with former: Result<String?, RunError>
  ) -> GoldenOutcome {
    let transcripts = runs.compactMap(\.transcript)
    guard let goldens, !runs.contains(where: \.hasBrokenOff) else { return .notCompared }
    do throws(RunError) {
      let path = goldens.path(of: scenario.id)
      let former = try former.get()
      if transcripts.count < scenario.variants.count {
        return comparePart(of: scenario, transcripts, with: former, at: path)
      }
      return try compareWhole(scenario, transcripts, with: former, in: goldens)
    } catch {
      return .unusable(error)
    }
  }

  /// Compares all runs of a scenario with the whole golden file.
  private func compareWhole(
    _ scenario: Scenario, _ transcripts: [Transcript], with former: String?,
    in goldens: GoldenStore
  ) throws(RunError) -> GoldenOutcome {
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
  ) -> GoldenOutcome {
    guard let former else { return .missing(path: path) }
    let sections = GoldenSections(former, scenario)
    for transcript in transcripts {
      let expected = sections.section(of: transcript.variant)
      let difference = LineDifference(
        golden: expected?.body.text ?? "", actual: GoldenText.lines(of: transcript).text,
        firstLine: expected?.firstLine ?? 1)
      if let difference { return .differs(path: path, difference) }
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
