import BackupCollections
import BackupDiagnostics
import BackupFileTree
import BackupRules
import BackupScenarios

/// Matches a run's findings with expectations, so that as many expectations as possible are met.
///
/// One expectation after the other gets a finding, the most specific expectations first. An
/// expectation can get the finding of another expectation, if the other can get a different
/// finding.
struct ExpectationMatch {
  /// For each demand, the indices of the findings that fit it.
  private let fittingFindings: [Demand: [Int]]
  /// For each finding, the demand that it meets; nil if it is free. A finding never becomes free
  /// again.
  private var metDemands: [Demand?]
  /// For each demand, how many findings at the start of its list are known not to be free.
  private var takenCounts: [Demand: Int] = [:]
  /// The demands that cannot get a finding, even if other demands get different findings.
  private var exhaustedDemands: Set<Demand> = []
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
    self.fittingFindings = Dictionary(grouping: pairs, by: \.demand).mapValues { $0.map(\.index) }
    self.metDemands = Array(repeating: nil, count: findings.count)
    var unmet: [Int] = []
    for (demand, indices) in groups.sorted(by: { $0.demand.openCount < $1.demand.openCount }) {
      // Assign a finding to one expectation after the other, until no finding is left.
      unmet += indices.drop { _ in assignFinding(to: demand) }
    }
    self.missing = unmet.sorted().map { expectations[$0] }
  }

  /// Returns true if the finding at an index meets an expectation.
  func isExpected(_ index: Int) -> Bool { metDemands[index] != nil }

  /// Assigns a finding to a demand. If necessary, assigns different findings to other demands.
  ///
  /// Returns false if the demand cannot get a finding. It then cannot get one later either.
  private mutating func assignFinding(to demand: Demand) -> Bool {
    // Search breadth-first: from each demand to the demands that hold one of its fitting findings.
    var queue = [demand]
    var visited: Set<Demand> = [demand]
    // The finding that is requested from each demand, and the demand that requests each finding.
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
      for index in fittingFindings[requester] ?? [] {
        guard let holder = metDemands[index], !exhaustedDemands.contains(holder),
          visited.insert(holder).inserted
        else { continue }
        (requests[holder], requesters[index]) = (index, requester)
        queue.append(holder)
      }
    }
    exhaustedDemands.formUnion(visited)
    return false
  }

  /// Returns the next free finding that fits a demand; nil if none is left.
  private mutating func nextFree(fitting demand: Demand) -> Int? {
    let indices = fittingFindings[demand] ?? []
    var position = takenCounts[demand] ?? 0
    while position < indices.count, metDemands[indices[position]] != nil { position += 1 }
    takenCounts[demand] = position
    return position < indices.count ? indices[position] : nil
  }

  /// Assigns a free finding to a demand. The demand's former finding goes to the demand that
  /// requested it, and so on.
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

/// The values that an expectation demands of a finding; nil for values that it leaves open.
private struct Demand: Hashable {
  let rule: String
  let severity: Scenario.Severity?
  let step: Scenario.StepReference.Number?
  let path: ContainerPath?

  /// The number of values that the expectation leaves open.
  var openCount: Int { [step == nil, path == nil, severity == nil].count { $0 } }

  /// Returns all demands that a finding meets.
  static func all(of finding: Scenario.Finding) -> Set<Demand> {
    var demands: Set<Demand> = []
    for severity in [finding.severity, nil] {
      for step in [finding.step.number, nil] {
        for path in [finding.path, nil] {
          demands.insert(Demand(rule: finding.rule, severity: severity, step: step, path: path))
        }
      }
    }
    return demands
  }
}

extension Demand {
  init(_ expectation: Scenario.Expectation) {
    self.init(
      rule: expectation.rule, severity: expectation.severity, step: expectation.step,
      path: expectation.path)
  }
}

/// The unexpected findings. If an expected finding does not occur, its problem names some of them.
struct UnexpectedFindings {
  private static let maximumNamedCount = 3

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
    let byRuleAndPath: [String: [ContainerPath?: [Int]]]
  }

  init(_ merged: [FindingOfRuns]) {
    let findings = merged.map(\.finding)
    self.findings = findings
    self.groups = findings.indices.grouped { merged[$0].variants }.map { group in
      let byRule = Dictionary(grouping: group) { findings[$0].rule }
      return Group(
        variants: merged[group[0]].variants, all: group,
        byPath: Dictionary(grouping: group) { findings[$0].path }, byRule: byRule,
        byRuleAndPath: byRule.mapValues { Dictionary(grouping: $0) { findings[$0].path } })
    }
  }

  /// Returns a sentence for each of the most similar findings that occurred instead, and a sentence
  /// with the number of others.
  func sentences(
    besides expectation: Scenario.Expectation, under variants: [Scenario.Variant]
  ) -> [String] {
    let groups = groups.filter { !Set(variants).isDisjoint(with: $0.variants) }
    let count = groups.reduce(0) { $0 + $1.all.count }
    let named =
      count > Self.maximumNamedCount
      ? mostSimilar(to: expectation, in: groups) : groups.flatMap(\.all).sorted()
    let sentences = named.map { findings[$0].sentenceAsReplacement }
    guard count > named.count else { return sentences }
    return sentences + ["\((count - named.count).counted("more finding")) occurred instead"]
  }

  /// Returns the most similar findings. Findings of the same rule on the same item come first, then
  /// findings of the same rule, then findings on the same item, and then any others.
  private func mostSimilar(to expectation: Scenario.Expectation, in groups: [Group]) -> [Int] {
    var named: [Int] = []
    let selections: [(Group) -> [Int]?] = [
      { group in expectation.path.flatMap { group.byRuleAndPath[expectation.rule]?[$0] } },
      { $0.byRule[expectation.rule] },
      { group in expectation.path.flatMap { group.byPath[$0] } }, { $0.all },
    ]
    for selection in selections {
      // At most two of these findings are named already, so the first few of each group are enough.
      let next = groups.flatMap { selection($0)?.prefix(2 * Self.maximumNamedCount) ?? [] }.sorted()
      named += next.filter { !named.contains($0) }.prefix(Self.maximumNamedCount - named.count)
      if named.count == Self.maximumNamedCount { break }
    }
    return named
  }
}

extension Scenario.Finding {
  /// A sentence that says that the finding occurred instead of another.
  fileprivate var sentenceAsReplacement: String {
    "occurred instead: \(rule) of severity '\(severity.rawValue)' at \(step)"
      + (path.map { " on '\($0)'" } ?? "")
  }
}
