/// What came of a suite, as reports are written from it.
package struct SuiteReport: Sendable {
  package static let formats: [OutputFormat<SuiteReport>] = [.text, .json, .junit, .github]

  package let results: [ScenarioResult]
  /// The scenario files that could not be read, for which nothing was run.
  package let mistaken: [MistakenFile]
  /// Why this is not the report of a whole run; nil where it is.
  package var obstacle: String?
  /// Golden files that no scenario names; found by complete runs only.
  package var orphans: [String]
  package let orphansFail: Bool
  /// How many scenarios were left out, because none of their systems was to be run.
  package var leftOutCount = 0
  /// Whether terminal colours are used.
  private(set) var isColored: Bool

  package init(
    results: [ScenarioResult] = [], mistaken: [MistakenFile] = [], obstacle: String? = nil,
    orphans: [String] = [], orphansFail: Bool = false, isColored: Bool = false
  ) {
    self.results = results
    self.mistaken = mistaken
    self.obstacle = obstacle
    self.orphans = orphans
    self.orphansFail = orphansFail
    self.isColored = isColored
  }

  /// The same report with terminal colours or without.
  package func colored(_ isColored: Bool) -> SuiteReport {
    var report = self
    report.isColored = isColored
    return report
  }

  func count(_ verdict: ScenarioResult.Verdict) -> Int {
    results.count { $0.verdict == verdict }
  }

  package var isAllSkipped: Bool {
    !results.isEmpty && results.allSatisfy { $0.verdict == .skipped }
  }

  package var isGreen: Bool {
    results.allSatisfy { [.passed, .skipped].contains($0.verdict) }
      && mistaken.isEmpty && obstacle == nil && (orphans.isEmpty || !orphansFail)
  }
}
