import BackupCollections
import BackupFileTree
import BackupScenarios

/// The findings so far, each once, and what they account for.
package struct FindingList {
  /// The findings, in the order of the rules.
  private(set) var findings: [Scenario.Finding] = []
  /// The moments at which they account for what became of an item.
  private(set) var accounted: [ItemFate.Outcome: [ContainerPath: [Range<Int>]]] = [:]
  /// What identifies a finding.
  private var known: Set<Key> = []
  /// The items that each rule has found something about.
  private var items: [String: Set<ContainerPath>] = [:]

  /// What identifies a finding: the rule, the cause and the item.
  private struct Key: Hashable {
    /// The name of the rule that is broken.
    let rule: String
    /// The step that caused it.
    let step: Scenario.StepReference.Number
    /// The item; nil where it is about the whole.
    let path: ContainerPath?
    /// Which of several findings about one item it is; nil where there is only one.
    let detail: Int?
  }

  /// Adds a finding, unless it is there.
  ///
  /// - Parameters:
  ///   - rule: The rule that is broken.
  ///   - severity: How bad it is, where that is not the rule's usual severity.
  ///   - step: The step that caused it.
  ///   - path: The item; nil where it is about the whole.
  ///   - detail: Which of a rule's findings about the item it is, where there may be several; a
  ///     number of the rule's own.
  ///   - message: What is wrong and why, in a sentence.
  ///   - advice: What to do.
  ///   - note: What else to know before that, in a sentence; nil for nothing.
  ///   - missingMark: The mark that the item lacks, where that is what is wrong.
  ///   - fates: What no later rule has to report any more.
  mutating func add(
    _ rule: some Rule, severity: Scenario.Severity? = nil, at step: Scenario.StepReference,
    on path: ContainerPath?, by detail: Int? = nil, _ message: String, advice: String,
    note: String? = nil, missingMark: ExclusionMark = [], accountsFor fates: [ItemFate] = []
  ) {
    for fate in fates { account(for: fate) }
    let key = Key(rule: rule.name, step: step.number, path: path, detail: detail)
    guard known.insert(key).inserted else { return }
    if let path { items[rule.name, default: []].insert(path) }
    findings.append(
      Scenario.Finding(
        rule: rule.name, severity: severity ?? rule.severity, step: step, path: path,
        message: message, advice: advice, sources: rule.sources, note: note,
        missingMark: missingMark))
  }

  /// Notes what no later rule has to report any more.
  mutating func account(for fate: ItemFate) {
    accounted[fate.outcome, default: [:]][fate.path, default: []].add(fate.moments)
  }

  /// Whether a rule has found something about an item.
  func contains(_ rule: some Rule, _ path: ContainerPath) -> Bool {
    items[rule.name]?.contains(path) == true
  }

  /// Whether a rule has found what a step did to an item.
  func contains(_ rule: some Rule, _ path: ContainerPath, at step: Scenario.StepReference) -> Bool {
    known.contains(Key(rule: rule.name, step: step.number, path: path, detail: nil))
  }

  /// Whether an earlier finding accounts for an item's fate, by it or a directory above it.
  func accounts(for fate: ItemFate) -> Bool {
    accounts(exactlyFor: fate)
      || fate.path.ancestors.contains { accounts(exactlyFor: fate.ofDirectory($0)) }
  }

  /// Whether an earlier finding accounts for what this very item does to itself and all in it.
  func accounts(exactlyFor fate: ItemFate) -> Bool {
    accounted[fate.outcome]?[fate.path]?.covers(fate.moments) == true
  }
}

extension [Range<Int>] {
  /// Adds a range to ranges in order of which no two meet, and keeps them so.
  fileprivate mutating func add(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let first = partitioningIndex { $0.upperBound >= range.lowerBound }
    let end = partitioningIndex { $0.lowerBound > range.upperBound }
    let lower = first < end ? Swift.min(self[first].lowerBound, range.lowerBound) : range.lowerBound
    let upper =
      first < end ? Swift.max(self[end - 1].upperBound, range.upperBound) : range.upperBound
    replaceSubrange(first..<end, with: [lower..<upper])
  }

  /// Whether one of these ranges, which are in order, holds all of another.
  fileprivate func covers(_ range: Range<Int>) -> Bool {
    let index = partitioningIndex { $0.upperBound >= range.upperBound }
    return index < endIndex && self[index].contains(range)
  }
}
