import BackupCollections
import BackupDiagnostics
import BackupFileTree
import BackupRules
import BackupScenarios

/// The matching of a run's findings with expectations that meets the most expectations.
///
/// The most specific expectations come first, and each takes one finding. It can take the finding of another
/// expectation that can move to a different finding.
struct ExpectationMatch {
  /// The indices of the findings that fit each demand.
  private let fitting: [Demand: [Int]]
  /// The demand that each finding meets; nil if it is free. A finding never becomes free again.
  private var metDemands: [Demand?]
  /// The number of findings at the start of `fitting`, for each demand, that are known not to be free.
  private var positions: [Demand: Int] = [:]
  /// The demands that get no free finding, even if others move.
  private var exhausted: Set<Demand> = []
  /// The expectations that no finding meets, in the order of the file.
  private(set) var missing: [Scenario.Expectation] = []

  /// Matches expectations, in the order of the file, with findings.
  init(_ expectations: [Scenario.Expectation], _ findings: [Scenario.Finding]) {
    let groups = expectations.indices.grouped { Demand(expectations[$0]) }.map { indices in
      (demand: Demand(expectations[indices[0]]), indices: indices)
    }
    let demands = Set(groups.map(\.demand))
    let pairs = findings.enumerated().flatMap { index, finding in
      Demand.all(of: finding).filter(demands.contains).map { (demand: $0, index: index) }
    }
    self.fitting = Dictionary(grouping: pairs, by: \.demand).mapValues { $0.map(\.index) }
    self.metDemands = Array(repeating: nil, count: findings.count)
    var unmet: [Int] = []
    for (demand, indices) in groups.sorted(by: { $0.demand.freedom < $1.demand.freedom }) {
      unmet += indices.drop { _ in assignFinding(to: demand) }
    }
    self.missing = unmet.sorted().map { expectations[$0] }
  }

  func isExpected(_ index: Int) -> Bool { metDemands[index] != nil }

  /// Assigns a finding to a demand, if necessary by moving other demands to different findings.
  ///
  /// Returns false if no finding is left, now and later.
  private mutating func assignFinding(to demand: Demand) -> Bool {
    var queue = [demand]
    var visited: Set<Demand> = [demand]
    var requests: [Demand: Int] = [:]
    var requesters: [Int: Demand] = [:]
    var next = 0
    while next < queue.count {
      let requester = queue[next]
      next += 1
      if let free = nextFree(fitting: requester) {
        assign(free, to: requester, requests, requesters)
        return true
      }
      for index in fitting[requester] ?? [] {
        guard let holder = metDemands[index], !exhausted.contains(holder),
          visited.insert(holder).inserted
        else { continue }
        (requests[holder], requesters[index]) = (index, requester)
        queue.append(holder)
      }
    }
    exhausted.formUnion(visited)
    return false
  }

  /// Returns the next free finding that fits a demand; nil if none is left.
  private mutating func nextFree(fitting demand: Demand) -> Int? {
    let indices = fitting[demand] ?? []
    var position = positions[demand] ?? 0
    while position < indices.count, metDemands[indices[position]] != nil { position += 1 }
    positions[demand] = position
    return position < indices.count ? indices[position] : nil
  }

  /// Assigns a free finding to a demand, whose former finding goes to its requester, and so on.
  private mutating func assign(
    _ index: Int, to demand: Demand, _ requests: [Demand: Int], _ requesters: [Int: Demand]
  ) {
    metDemands[index] = demand
    var demand = demand
    while let requested = requests[demand], let requester = requesters[requested] {
      metDemands[requested] = requester
      demand = requester
    }
  }
}

/// The values that an expectation demands of a finding; nil for a value that it leaves open.
private struct Demand: Hashable {
  let rule: String
  let severity: Scenario.Severity?
  let step: Scenario.StepReference.Number?
  let path: ContainerPath?

  /// The number of values that it leaves open.
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

/// The unexpected findings, which are named beside an expected finding that did not occur.
struct UnexpectedFindings {
  private static let mostNamed = 3

  /// The findings, in the order in which they occurred.
  private let findings: [Scenario.Finding]
  /// The findings, grouped by the runs in which they occurred.
  private let groups: [Group]

  /// The indices of findings that occurred in the same runs.
  private struct Group {
    let variants: [Scenario.Variant]
    let all: [Int]
    let byPath: [ContainerPath?: [Int]]
    let byRule: [String: [Int]]
    let byBoth: [String: [ContainerPath?: [Int]]]
  }

  /// Creates a value from findings and the runs in which they occurred.
  init(_ merged: [FindingOfRuns]) {
    let findings = merged.map(\.finding)
    self.findings = findings
    self.groups = findings.indices.grouped { merged[$0].variants }.map { group in
      let byRule = Dictionary(grouping: group) { findings[$0].rule }
      return Group(
        variants: merged[group[0]].variants, all: group,
        byPath: Dictionary(grouping: group) { findings[$0].path }, byRule: byRule,
        byBoth: byRule.mapValues { Dictionary(grouping: $0) { findings[$0].path } })
    }
  }

  /// Returns sentences on the findings that occurred instead: the nearest, and the number of others.
  func sentences(
    besides expectation: Scenario.Expectation, under variants: [Scenario.Variant]
  ) -> [String] {
    let groups = groups.filter { !Set(variants).isDisjoint(with: $0.variants) }
    let count = groups.reduce(0) { $0 + $1.all.count }
    let named =
      count > Self.mostNamed
      ? nearest(to: expectation, in: groups) : groups.flatMap(\.all).sorted()
    let sentences = named.map { findings[$0].asReplacement }
    guard count > named.count else { return sentences }
    return sentences + ["\((count - named.count).counted("more finding")) occurred instead"]
  }

  /// Returns the nearest findings: of the same rule on the same item, of the same rule, on the same item, and
  /// then any others.
  private func nearest(to expectation: Scenario.Expectation, in groups: [Group]) -> [Int] {
    var named: [Int] = []
    let selections: [(Group) -> [Int]?] = [
      { group in expectation.path.flatMap { group.byBoth[expectation.rule]?[$0] } },
      { $0.byRule[expectation.rule] },
      { group in expectation.path.flatMap { group.byPath[$0] } }, { $0.all },
    ]
    for selection in selections {
      // At most two are named already, so that the first few of each group are enough.
      let next = groups.flatMap { selection($0)?.prefix(2 * Self.mostNamed) ?? [] }.sorted()
      named += next.filter { !named.contains($0) }.prefix(Self.mostNamed - named.count)
      if named.count == Self.mostNamed { break }
    }
    return named
  }
}

extension Scenario.Finding {
  /// A sentence that the finding occurred instead of another.
  fileprivate var asReplacement: String {
    "occurred instead: \(rule) of severity '\(severity.rawValue)' at \(step)"
      + (path.map { " on '\($0)'" } ?? "")
  }
}
