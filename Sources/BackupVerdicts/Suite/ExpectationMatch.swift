import BackupCollections
import BackupDiagnostics
import BackupFileTree
import BackupRules
import BackupScenarios

/// Which finding of a run meets which expectation: as many as can be, what says the most first.
///
/// Each expectation is met by one finding. Where several fit, the way that lets the others be met
/// is looked for: an expectation takes the finding of another that has one to turn to.
struct ExpectationMatch {
  /// The indices of the findings that fit each demand.
  private let fitting: [Demand: [Int]]
  /// The demand that each finding meets, if any; one that meets a demand never goes without again.
  private var met: [Demand?]
  /// How many of the findings that fit each demand are known to meet one.
  private var positions: [Demand: Int] = [:]
  /// The demands from which no way leads to a free finding.
  private var exhausted: Set<Demand> = []
  /// The expectations that no finding meets, in the order of the file.
  private(set) var missing: [Scenario.Expectation] = []

  /// Matches what is expected, in the order of the file, with what came.
  init(_ expectations: [Scenario.Expectation], _ findings: [Scenario.Finding]) {
    let alike = expectations.indices.grouped { Demand(expectations[$0]) }.map { indices in
      (demand: Demand(expectations[indices[0]]), indices: indices)
    }
    let demands = Set(alike.map(\.demand))
    let pairs = findings.enumerated().flatMap { index, finding in
      Demand.all(of: finding).filter(demands.contains).map { (demand: $0, index: index) }
    }
    self.fitting = Dictionary(grouping: pairs, by: \.demand).mapValues { $0.map(\.index) }
    self.met = Array(repeating: nil, count: findings.count)
    var unmet: [Int] = []
    for (demand, indices) in alike.sorted(by: { $0.demand.freedom < $1.demand.freedom }) {
      unmet += indices.drop { _ in find(demand) }
    }
    self.missing = unmet.sorted().map { expectations[$0] }
  }

  func isExpected(_ index: Int) -> Bool { met[index] != nil }

  /// Finds a finding for a demand, if necessary by giving another demand a different finding; false
  /// if no finding is left, now and later.
  private mutating func find(_ demand: Demand) -> Bool {
    var waiting = [demand]
    var seen: Set<Demand> = [demand]
    var asked: [Demand: Int] = [:]
    var askers: [Int: Demand] = [:]
    var next = 0
    while next < waiting.count {
      let asker = waiting[next]
      next += 1
      if let free = nextFree(fitting: asker) {
        give(free, to: asker, asked, askers)
        return true
      }
      for index in fitting[asker] ?? [] {
        guard let holder = met[index], !exhausted.contains(holder), seen.insert(holder).inserted
        else { continue }
        (asked[holder], askers[index]) = (index, asker)
        waiting.append(holder)
      }
    }
    exhausted.formUnion(seen)
    return false
  }

  /// The next finding that fits a demand and meets no other; nil if no such finding is left.
  private mutating func nextFree(fitting demand: Demand) -> Int? {
    let found = fitting[demand] ?? []
    var position = positions[demand] ?? 0
    while position < found.count, met[found[position]] != nil { position += 1 }
    positions[demand] = position
    return position < found.count ? found[position] : nil
  }

  /// Gives a finding to a demand, which leaves the one it was asked for to who asked for that.
  private mutating func give(
    _ index: Int, to demand: Demand, _ asked: [Demand: Int], _ askers: [Int: Demand]
  ) {
    met[index] = demand
    var demand = demand
    while let given = asked[demand], let asker = askers[given] {
      met[given] = asker
      demand = asker
    }
  }
}

/// What an expectation says of a finding; nil for what it leaves open.
private struct Demand: Hashable {
  let rule: String
  let severity: Scenario.Severity?
  let step: Scenario.StepReference.Number?
  /// The item, which a finding of the whole has none of.
  let path: ContainerPath?

  /// How many things it leaves open.
  var freedom: Int { [step == nil, path == nil, severity == nil].count { $0 } }

  static func all(of finding: Scenario.Finding) -> Set<Demand> {
    var all: Set<Demand> = []
    for severity in [finding.severity, nil] {
      for step in [finding.step.number, nil] {
        for path in [finding.path, nil] {
          all.insert(Demand(rule: finding.rule, severity: severity, step: step, path: path))
        }
      }
    }
    return all
  }
}

extension Demand {
  init(_ expectation: Scenario.Expectation) {
    self.init(
      rule: expectation.rule, severity: expectation.severity, step: expectation.step,
      path: expectation.path)
  }
}

/// The findings that came and were not expected, ready to be named beside one that did not come.
struct UnexpectedFindings {
  private static let mostNamed = 3

  /// The findings, in the order in which they came.
  private let findings: [Scenario.Finding]
  /// Those that came in the same runs, together.
  private let groups: [Group]

  /// Findings that came in the same runs, by what tells how near they are to another.
  private struct Group {
    let variants: [Scenario.Variant]
    let all: [Int]
    let byPath: [ContainerPath?: [Int]]
    let byRule: [String: [Int]]
    let byBoth: [String: [ContainerPath?: [Int]]]
  }

  /// Findings with the runs in which they came.
  init(_ merged: [FindingOfRuns]) {
    let findings = merged.map(\.finding)
    self.findings = findings
    self.groups = findings.indices.grouped { merged[$0].variants }.map { alike in
      let byRule = Dictionary(grouping: alike) { findings[$0].rule }
      return Group(
        variants: merged[alike[0]].variants, all: alike,
        byPath: Dictionary(grouping: alike) { findings[$0].path }, byRule: byRule,
        byBoth: byRule.mapValues { Dictionary(grouping: $0) { findings[$0].path } })
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
