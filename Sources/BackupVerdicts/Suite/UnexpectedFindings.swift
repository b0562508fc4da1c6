import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
import BackupScenarios

/// The findings that came and were not expected, ready to be named beside one that did not come.
struct UnexpectedFindings {
  private static let mostNamed = 3

  /// The findings, in the order in which they came.
  private let findings: [Scenario.Finding]
  /// Those that came in the same runs, together.
  private let groups: [Group]

  /// Findings that came in the same runs, by what tells how near they are to another.
  private typealias Group = (
    variants: [Scenario.Variant], all: [Int], byPath: [ContainerPath?: [Int]],
    byRule: [String: [Int]], byBoth: [String: [ContainerPath?: [Int]]]
  )

  /// Findings with the runs in which they came.
  init(_ merged: [ScenarioResult.MergedFinding]) {
    let findings = merged.map(\.judged.finding)
    self.findings = findings
    self.groups = findings.indices.grouped { merged[$0].variants }.map { alike in
      let byRule = Dictionary(grouping: alike) { findings[$0].rule }
      return (
        variants: merged[alike[0]].variants, all: alike,
        byPath: Dictionary(grouping: alike) { findings[$0].path }, byRule: byRule,
        byBoth: byRule.mapValues { Dictionary(grouping: $0) { findings[$0].path } }
      )
    }
  }

  /// What came instead of an expected finding: where there are many the nearest, and how many more.
  func sentences(
    besides expectation: Scenario.Expectation, under variants: [Scenario.Variant]
  ) -> [String] {
    let came = groups.filter { !Set(variants).isDisjoint(with: $0.variants) }
    let count = came.reduce(0) { $0 + $1.all.count }
    let named =
      count > Self.mostNamed
      ? nearest(to: expectation, in: came) : came.flatMap(\.all).sorted()
    let sentences = named.map { findings[$0].asReplacement }
    guard count > named.count else { return sentences }
    return sentences + ["\((count - named.count).counted("more finding")) occurred instead"]
  }

  /// The findings of the same rule about the same item, those of the same rule, those about the
  /// same item, and then any; as many as are named.
  private func nearest(to expectation: Scenario.Expectation, in groups: [Group]) -> [Int] {
    var named: [Int] = []
    let steps: [(Group) -> [Int]?] = [
      { group in expectation.path.flatMap { group.byBoth[expectation.rule]?[$0] } },
      { $0.byRule[expectation.rule] },
      { group in expectation.path.flatMap { group.byPath[$0] } }, { $0.all },
    ]
    for step in steps {
      // At most two are named already, so that the first few of each group are enough.
      let next = groups.flatMap { step($0)?.prefix(2 * Self.mostNamed) ?? [] }.sorted()
      named += next.filter { !named.contains($0) }.prefix(Self.mostNamed - named.count)
      if named.count == Self.mostNamed { break }
    }
    return named
  }
}

extension Scenario.Finding {
  /// The finding as what came instead of another.
  fileprivate var asReplacement: String {
    "occurred instead: \(rule) of severity '\(severity.rawValue)' at \(step)"
      + (path.map { " on '\($0)'" } ?? "")
  }
}
