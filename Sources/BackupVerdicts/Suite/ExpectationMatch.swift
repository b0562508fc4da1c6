import BackupCollections
import BackupDiagnostics
import BackupFileTree
import BackupRules
import BackupScenarios

/// Matches a run's findings with expectations, so that as many expectations as possible are met.
///
/// Expectations get findings one by one, the most specific expectations first. An expectation may
/// take the finding of an earlier expectation that can get a different finding.
struct ExpectationMatch {
  /// For each demand, the indices of the findings that fit it.
  private let fittingFindings: [Demand: [Int]]
  /// For each finding, the demand that it meets; nil for a free finding. A finding never becomes
  /// free again.
  private var metDemands: [Demand?]
  /// For each demand, how many findings at the start of its list are known not to be free.
  private var takenCounts: [Demand: Int] = [:]
  /// The demands that cannot get a finding, even if other demands get different findings.
  private var exhaustedDemands: Set<Demand> = []
  /// The expectations that no finding meets, in the order of the file.
  private(set) var unmetExpectations: [Scenario.Expectation] = []

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
    var unmetIndices: [Int] = []
    for (demand, indices) in groups.sorted(by: {
      $0.demand.openValueCount < $1.demand.openValueCount
    }) {
      // Assign a finding to one expectation after the other, until no finding is left.
      unmetIndices += indices.drop { _ in assignFinding(to: demand) }
    }
    self.unmetExpectations = unmetIndices.sorted().map { expectations[$0] }
  }

  /// Returns true if the finding at an index meets an expectation.
  func isExpected(_ findingIndex: Int) -> Bool { metDemands[findingIndex] != nil }

  /// Assigns a finding to a demand. If necessary, assigns different findings to other demands.
  ///
  /// Returns false if the demand cannot get a finding. Such a demand cannot get a finding later
  /// either.
  private mutating func assignFinding(to demand: Demand) -> Bool {
    // Search breadth-first: from each demand to the demands that hold one of its fitting findings.
    var queue = [demand]
    var visitedDemands: Set<Demand> = [demand]
    // The finding that is requested from each demand, and the demand that requests each finding.
    var requests: [Demand: Int] = [:]
    var requesters: [Int: Demand] = [:]
    var nextInQueue = 0
    while nextInQueue < queue.count {
      let requester = queue[nextInQueue]
      nextInQueue += 1
      if let freeIndex = nextFreeIndex(fitting: requester) {
        assign(freeIndex, to: requester, requests, requesters)
        return true
      }
      for index in fittingFindings[requester] ?? [] {
        guard let holder = metDemands[index], !exhaustedDemands.contains(holder),
          visitedDemands.insert(holder).inserted
        else { continue }
        (requests[holder], requesters[index]) = (index, requester)
        queue.append(holder)
      }
    }
    exhaustedDemands.formUnion(visitedDemands)
    return false
  }

  /// Returns the next free finding that fits a demand; nil if none is left.
  private mutating func nextFreeIndex(fitting demand: Demand) -> Int? {
    let indices = fittingFindings[demand] ?? []
    var position = takenCounts[demand] ?? 0
    while position < indices.count, metDemands[indices[position]] != nil { position += 1 }
    takenCounts[demand] = position
    return position < indices.count ? indices[position] : nil
  }

  /// Assigns a free finding to a demand. The demand's former finding goes to the demand that
  /// requested it, and so on.
  private mutating func assign(
    _ findingIndex: Int, to demand: Demand, _ requests: [Demand: Int], _ requesters: [Int: Demand]
  ) {
    metDemands[findingIndex] = demand
    var demand = demand
    while let requestedIndex = requests[demand], let requester = requesters[requestedIndex] {
      metDemands[requestedIndex] = requester
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
  var openValueCount: Int { [step == nil, path == nil, severity == nil].count { $0 } }

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

/// The unexpected findings. If an expected finding does not occur, the problem of the missing
/// finding names some of these.
struct UnexpectedFindings {
  private static let maximumNamedCount = 3

  /// The findings, in the order in which they occurred.
  private let findings: [Scenario.Finding]
  /// The findings, grouped by the runs in which they occurred.
  private let groups: [Group]

  /// The indices of findings that occurred in the same runs.
  private struct Group {
    let variants: [Scenario.Variant]
    let allIndices: [Int]
    let indicesByPath: [ContainerPath?: [Int]]
    let indicesByRule: [String: [Int]]
    let indicesByRuleAndPath: [String: [ContainerPath?: [Int]]]
  }

  init(_ findingsOfRuns: [FindingOfRuns]) {
    let findings = findingsOfRuns.map(\.finding)
    self.findings = findings
    self.groups = findings.indices.grouped { findingsOfRuns[$0].variants }.map { group in
      let indicesByRule = Dictionary(grouping: group) { findings[$0].rule }
      return Group(
        variants: findingsOfRuns[group[0]].variants, allIndices: group,
        indicesByPath: Dictionary(grouping: group) { findings[$0].path },
        indicesByRule: indicesByRule,
        indicesByRuleAndPath: indicesByRule.mapValues {
          Dictionary(grouping: $0) { findings[$0].path }
        })
    }
  }

  /// Returns a sentence for each of the most similar findings that occurred instead, and a sentence
  /// with the number of the others.
  func sentences(
    besides expectation: Scenario.Expectation, under variants: [Scenario.Variant]
  ) -> [String] {
    let groups = groups.filter { !Set(variants).isDisjoint(with: $0.variants) }
    let findingCount = groups.reduce(0) { $0 + $1.allIndices.count }
    let namedIndices =
      findingCount > Self.maximumNamedCount
      ? mostSimilar(to: expectation, in: groups) : groups.flatMap(\.allIndices).sorted()
    let sentences = namedIndices.map { findings[$0].sentenceAsReplacement }
    guard findingCount > namedIndices.count else { return sentences }
    return sentences + [
      "\((findingCount - namedIndices.count).counted("more finding")) occurred instead"
    ]
  }

  /// Returns the most similar findings. Findings of the same rule on the same item come first, then
  /// findings of the same rule, then findings on the same item, and then any others.
  private func mostSimilar(to expectation: Scenario.Expectation, in groups: [Group]) -> [Int] {
    var namedIndices: [Int] = []
    let selections: [(Group) -> [Int]?] = [
      { group in expectation.path.flatMap { group.indicesByRuleAndPath[expectation.rule]?[$0] } },
      { $0.indicesByRule[expectation.rule] },
      { group in expectation.path.flatMap { group.indicesByPath[$0] } }, { $0.allIndices },
    ]
    for selection in selections {
      // At most two of these findings are named already, so the first few of each group are enough.
      let nextIndices = groups.flatMap { selection($0)?.prefix(2 * Self.maximumNamedCount) ?? [] }
        .sorted()
      namedIndices += nextIndices.filter { !namedIndices.contains($0) }.prefix(
        Self.maximumNamedCount - namedIndices.count)
      if namedIndices.count == Self.maximumNamedCount { break }
    }
    return namedIndices
  }
}

extension Scenario.Finding {
  /// A sentence that says that the finding occurred instead of an expected finding.
  fileprivate var sentenceAsReplacement: String {
    "occurred instead: \(rule) of severity '\(severity.rawValue)' at \(step)"
      + (path.map { " on '\($0)'" } ?? "")
  }
}
