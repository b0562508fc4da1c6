import BackupCollections
import BackupFileTree
import BackupRules
import BackupScenarios

/// Which finding of a run meets which expectation: as many as can be, those that say the most first.
///
/// Each expectation is met by one finding. Where several fit, the way that lets the others be met
/// is looked for: an expectation takes the finding of another that has one to turn to.
struct ExpectationMatch {
  /// The indices of the findings that fit each demand.
  private let fitting: [Demand: [Int]]
  /// The demand that each finding meets, if any.
  private var met: [Demand?]
  /// The expectations that no finding meets, in the order of the file.
  private(set) var missing: [Scenario.Expectation] = []

  /// Matches what is expected with what came.
  ///
  /// - Parameters:
  ///   - expectations: In the order of the file.
  ///   - findings: In the order in which they came.
  init(_ expectations: [Scenario.Expectation], _ findings: [Scenario.Finding]) {
    let alike = expectations.indices.grouped { Demand(expectations[$0]) }
    let demands = Set(alike.map { Demand(expectations[$0[0]]) })
    let pairs = findings.enumerated().flatMap { index, finding in
      Demand.all(of: finding).filter(demands.contains).map { (demand: $0, index: index) }
    }
    self.fitting = Dictionary(grouping: pairs, by: \.demand).mapValues { $0.map(\.index) }
    self.met = Array(repeating: nil, count: findings.count)
    var unmet: [Int] = []
    for freedom in 0...3 {
      unmet += meet(alike.filter { Demand(expectations[$0[0]]).freedom == freedom }, expectations)
    }
    self.missing = unmet.sorted().map { expectations[$0] }
  }

  /// Whether the finding of an index is expected.
  func isExpected(_ index: Int) -> Bool { met[index] != nil }

  /// Meets as many expectations as can be beside those already met.
  ///
  /// - Returns: The indices of those that nothing meets.
  private mutating func meet(_ alike: [[Int]], _ expectations: [Scenario.Expectation]) -> [Int] {
    var open = alike
    var isProgress = true
    while isProgress {
      isProgress = false
      var search = Search()
      for index in open.indices {
        let demand = Demand(expectations[open[index][0]])
        let count = open[index].count { _ in !find(demand, &search) }
        isProgress = isProgress || count < open[index].count
        open[index] = open[index].suffix(count)
      }
      open.removeAll(where: \.isEmpty)
    }
    return open.flatMap(\.self)
  }

  /// Finds a finding for a demand, where needed one of another demand that turns to another one;
  /// false where none is found among the findings not yet looked at.
  private mutating func find(_ demand: Demand, _ search: inout Search) -> Bool {
    var waiting = [demand]
    var asked: [Demand: Int] = [:]
    var askers: [Int: Demand] = [:]
    var next = 0
    while next < waiting.count {
      let asker = waiting[next]
      next += 1
      while let index = search.next(of: asker, in: fitting) {
        askers[index] = asker
        guard let holder = met[index] else {
          give(index, asked, askers)
          return true
        }
        guard holder != demand, asked[holder] == nil else { continue }
        asked[holder] = index
        waiting.append(holder)
      }
    }
    return false
  }

  /// Gives a finding to the demand that asked for it, which leaves the one it was asked for itself.
  private mutating func give(_ index: Int, _ asked: [Demand: Int], _ askers: [Int: Demand]) {
    var given: Int? = index
    while let index = given, let asker = askers[index] {
      met[index] = asker
      given = asked[asker]
    }
  }
}

/// What was looked at while several demands were met; each finding is looked at once.
private struct Search {
  /// How many of the findings that fit each demand were looked at.
  private var counts: [Demand: Int] = [:]
  /// The findings that were looked at.
  private var seen: Set<Int> = []

  /// The next finding that fits a demand and was not looked at; nil where there is none.
  mutating func next(of demand: Demand, in fitting: [Demand: [Int]]) -> Int? {
    let found = fitting[demand] ?? []
    var count = counts[demand] ?? 0
    defer { counts[demand] = count }
    while count < found.count {
      count += 1
      if seen.insert(found[count - 1]).inserted { return found[count - 1] }
    }
    return nil
  }
}

/// What an expectation says of a finding; nil for what it leaves open.
private struct Demand: Hashable {
  /// The rule's name.
  let rule: String
  /// How bad the finding is.
  let severity: Scenario.Severity?
  /// The step that causes it.
  let step: Scenario.StepReference.Number?
  /// The item, which a finding of the whole has none of.
  let path: ContainerPath?

  /// How many things it leaves open.
  var freedom: Int { [step == nil, path == nil, severity == nil].count { $0 } }

  /// What an expectation says.
  init(_ expectation: Scenario.Expectation) {
    self.init(
      rule: expectation.rule, severity: expectation.severity, step: expectation.step,
      path: expectation.path)
  }

  /// A demand of these.
  private init(
    rule: String, severity: Scenario.Severity?, step: Scenario.StepReference.Number?,
    path: ContainerPath?
  ) {
    self.rule = rule
    self.severity = severity
    self.step = step
    self.path = path
  }

  /// All demands that a finding fits.
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
