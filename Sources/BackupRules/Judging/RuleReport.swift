import BackupCollections
import BackupDevice
import BackupDiagnostics
package import BackupFileTree
package import BackupScenarios

/// The violations of a run. At each checkpoint, the report also knows which outcomes an error
/// already explains, so that later rules do not report them again.
package struct RuleReport: Sendable {
  /// The outcome of a backup or a purge for an item and all items in it.
  enum Outcome: Hashable {
    /// The item is in the backup.
    case backedUp
    /// The item is not in the backup, or not in the container after a purge.
    case leftOut
  }

  package internal(set) var violations: [Violation] = []
  /// The items whose outcome an error explains at this checkpoint. Later rules need not report
  /// them.
  private var explainedPaths: [Outcome: Set<ContainerPath>] = [:]

  /// Removes the explanations of the previous event.
  mutating func beginEvent() {
    if !explainedPaths.isEmpty { explainedPaths = [:] }
  }

  mutating func add(
    _ rule: some Rule, severity: Scenario.Severity? = nil, at step: Scenario.StepReference,
    on path: ContainerPath?, distinguishedBy discriminator: Int? = nil,
    groupedBy grouping: Violation.Grouping = .step, _ message: String,
    _ backupPhrase: Violation.BackupPhrase = .none, in backupLabel: String? = nil,
    advice: Violation.Advice, note: String? = nil, missingMark: ExclusionMark = [],
    unless explainingRules: [String] = [], sources: [SystemProfile.Source]? = nil,
    detectedBy detection: Scenario.Finding.Detection = .inRun
  ) {
    violations.append(
      Violation(
        rule: rule.name, severity: severity ?? rule.severity, step: step, path: path,
        discriminator: discriminator, grouping: grouping, message: message,
        backupPhrase: backupPhrase,
        backupLabel: backupLabel,
        advice: advice, sources: sources ?? rule.sources, note: note, missingMark: missingMark,
        explainingRules: explainingRules, detection: detection)
    )
  }

  /// Records that an error explains the outcome of an item. Rules call this method only for errors,
  /// so that no warning hides an error.
  mutating func explain(_ outcome: Outcome, _ path: ContainerPath) {
    explainedPaths[outcome, default: []].insert(path)
  }

  /// Returns true if an error explains the outcome of any item at this checkpoint.
  func isExplainedForAnyItem(_ outcome: Outcome) -> Bool { explainedPaths[outcome] != nil }

  /// Returns true if an error explains the outcome of an item, or of a directory above it, at this
  /// checkpoint.
  func isExplained(_ outcome: Outcome, _ path: ContainerPath) -> Bool {
    guard let paths = explainedPaths[outcome] else { return false }
    return paths.contains(path) || path.ancestors.contains(where: paths.contains)
  }

  /// Returns true if an error explains the outcome of the item itself, and not only of a directory
  /// above it.
  func isExplained(exactly outcome: Outcome, _ path: ContainerPath) -> Bool {
    explainedPaths[outcome]?.contains(path) == true
  }
}

/// A breach of a rule at one event. Violations of a run become findings.
package struct Violation: Sendable {
  /// The properties that violations of a rule must share to become one finding.
  enum Grouping: Hashable {
    /// The item and the step.
    case step
    /// Only the item. The finding names the step of the first violation.
    case item
  }

  /// The end of a message, which names the backups that show the violation.
  enum BackupPhrase: Hashable {
    case none
    /// `…. The backups "a" and "b" contain it`.
    case sentence
    /// `…the backups "a" and "b" contain it`, followed by the associated text.
    case clause(String)
    /// `…the backups "a" and "b"`.
    case names
  }

  enum Advice: Sendable {
    case text(String)
    /// Advice that depends on the other violations in the run.
    case dependingOnRun(@Sendable (RunSummary) -> String)
  }

  package let rule: String
  package let severity: Scenario.Severity
  package let step: Scenario.StepReference
  package let path: ContainerPath?
  /// A number that distinguishes violations of a rule on the same item.
  let discriminator: Int?
  let grouping: Grouping
  let message: String
  let backupPhrase: BackupPhrase
  let backupLabel: String?
  let advice: Advice
  let sources: [SystemProfile.Source]
  let note: String?
  let missingMark: ExclusionMark
  /// The rules whose violation on the item, or on an item in it, explains this violation.
  let explainingRules: [String]
  package let detection: Scenario.Finding.Detection

  /// Violations with equal keys make one finding.
  fileprivate var key: Key {
    Key(
      rule: rule, path: path, step: grouping == .step ? step.number : nil,
      discriminator: discriminator)
  }

  fileprivate struct Key: Hashable {
    let rule: String
    let path: ContainerPath?
    let step: Scenario.StepReference.Number?
    let discriminator: Int?
  }
}

extension Violation.Advice: ExpressibleByStringInterpolation {
  init(stringLiteral value: String) { self = .text(value) }
}

extension [Violation] {
  /// Returns one finding for each group of violations with the same key, unless other violations
  /// explain them all. The finding has the worst severity, and names all backups that show it.
  func findings(
    by rules: [any Rule], _ classes: DeclaredClasses, in scenario: Scenario
  ) -> [Scenario.Finding] {
    guard !isEmpty else { return [] }
    let summary = RunSummary(of: self, classes, scenario)
    let ruleIndices = Dictionary(zip(rules.map(\.name), rules.indices)) { first, _ in first }
    let sortedGroups = grouped(by: \.key).enumerated().sorted {
      (ruleIndices[$0.element[0].rule] ?? 0, $0.offset) < (
        ruleIndices[$1.element[0].rule] ?? 0, $1.offset
      )
    }
    return sortedGroups.compactMap { $0.element.finding(summary) }
  }

  /// Returns the finding of violations with the same key; nil if other violations explain them all.
  private func finding(_ summary: RunSummary) -> Scenario.Finding? {
    let unexplainedViolations = filter { violation in
      !violation.explainingRules.contains { cause in
        violation.path.map {
          summary.hasViolation(atLeast: violation.severity, of: cause, atOrIn: $0)
        } ?? false
      }
    }
    guard let worstSeverity = unexplainedViolations.map(\.severity).min(),
      let worstViolation = unexplainedViolations.first(where: { $0.severity == worstSeverity })
    else { return nil }
    var labels: [String] = []
    for case let label? in unexplainedViolations.filter({ $0.severity == worstSeverity }).map(
      \.backupLabel)
    where labels.last != label {
      labels.append(label)
    }
    // The finding names the backups of all of its worst violations. A text after `contain it` comes
    // from one violation, and may be false for the other backups. So if one of the violations lacks
    // such a text, the finding lacks it too.
    let phrases = unexplainedViolations.filter { $0.severity == worstSeverity }.map(\.backupPhrase)
    let quotedLabels = labels.map { "\"\(EscapedText.escape($0))\"" }
    let advice =
      switch worstViolation.advice {
      case .text(let text): text
      case .dependingOnRun(let advice): advice(summary)
      }
    return Scenario.Finding(
      rule: worstViolation.rule, severity: worstViolation.severity, step: worstViolation.step,
      path: worstViolation.path,
      message: worstViolation.message
        + (phrases.contains(.clause(""))
        ? .clause("") : worstViolation.backupPhrase).text(
          naming: quotedLabels), advice: advice,
      sources: worstViolation.sources, note: worstViolation.note,
      missingMark: worstViolation.missingMark,
      detection: worstViolation.detection)
  }
}

extension Violation.BackupPhrase {
  fileprivate func text(naming backups: [String]) -> String {
    let subject = "\(backups.count.wordForm("backup")) \(backups.joinedInWords)"
    let clause = "\(subject) \(backups.count.wordForm("contains", plural: "contain")) it"
    return switch self {
    case .none: ""
    case .sentence: backups.isEmpty ? "" : ". The \(clause)"
    case .clause(let textAfter): "the \(clause)\(textAfter)"
    case .names: "the \(subject)"
    }
  }
}

/// The facts of a whole run on which advice depends.
struct RunSummary {
  /// The items of each rule's violations, by the rule's name.
  private let itemsByRule: [String: Set<ContainerPath>]
  /// For each rule, the worst severity of its violations on or in each item.
  private let worstSeverities: [String: [ContainerPath: Scenario.Severity]]
  /// The critical files of the run, by name. If several files have the same name, the first path
  /// counts.
  private let criticalPathsByName: [ContainerPath.Component: ContainerPath]
  /// The patterns of critical items with a name at the end: `Documents/*.txt`, but not
  /// `Documents/**`.
  private let criticalPatterns: [PathPattern]
  /// The last components of `criticalPatterns`, in the same order.
  private let lastComponents: PatternIndex

  init(of violations: [Violation], _ classes: DeclaredClasses, _ scenario: Scenario) {
    let violationsByRule = Dictionary(grouping: violations, by: \.rule)
    self.itemsByRule = violationsByRule.mapValues { Set($0.compactMap(\.path)) }
    self.worstSeverities = violationsByRule.mapValues { violations in
      violations.reduce(into: [:]) { worst, violation in
        guard let path = violation.path else { return }
        for item in path.ancestors + [path] {
          worst[item] = min(worst[item] ?? .advice, violation.severity)
        }
      }
    }
    self.criticalPathsByName = Dictionary(classes.criticalPaths.map { ($0.name, $0) }) {
      min($0, $1)
    }
    let promises = scenario.files?.promises ?? []
    let criticalItemPatterns = promises.filter { $0.dataClass == .critical }.map(\.pattern)
    let namedPatterns = criticalItemPatterns.compactMap {
      pattern -> (pattern: PathPattern, name: PathPattern)? in
      let lastComponent = pattern.description.split(separator: "/").last ?? ""
      guard !lastComponent.allSatisfy({ $0 == "*" }),
        let name = try? PathPattern(String(lastComponent))
      else {
        return nil
      }
      return (pattern, name)
    }
    self.criticalPatterns = namedPatterns.map(\.pattern)
    self.lastComponents = PatternIndex(namedPatterns.map(\.name))
  }

  func hasViolation(_ rule: String, _ path: ContainerPath) -> Bool {
    itemsByRule[rule]?.contains(path) == true
  }

  /// Returns true if a rule has a violation of at least this severity, on the item or on an item in
  /// it. This violation then explains violations of other rules on the item.
  func hasViolation(
    atLeast severity: Scenario.Severity, of rule: String, atOrIn path: ContainerPath
  ) -> Bool {
    worstSeverities[rule]?[path].map { $0 <= severity } == true
  }

  /// Returns the path of a critical file with this name, or else a pattern of critical items that
  /// matches the name. Returns nil if the scenario has neither.
  func criticalPathOrPattern(forName name: ContainerPath.Component) -> String? {
    if let path = criticalPathsByName[name] { return "\(path)" }
    return lastComponents.firstIndex(matching: ContainerPath(name, in: nil))
      .map { "\(criticalPatterns[$0])" }
  }
}
