import BackupCollections
import BackupDevice
import BackupDiagnostics
package import BackupFileTree
package import BackupScenarios

package struct RuleReport: Sendable {
  /// Where an item with all in it ended at a checkpoint.
  enum Outcome: Hashable {
    case backedUp
    /// It is not in the backup, or not in what the system leaves of the container.
    case leftOut
  }

  package internal(set) var violations: [Violation] = []
  /// What an error says of this checkpoint's items, so that later rules need not.
  private var explained: [Outcome: Set<ContainerPath>] = [:]

  /// Goes on to the next event, whose items no finding explains yet.
  mutating func beginEvent() {
    if !explained.isEmpty { explained = [:] }
  }

  mutating func add(
    _ rule: some Rule, severity: Scenario.Severity? = nil, at step: Scenario.StepReference,
    on path: ContainerPath?, by detail: Int? = nil, identity: Violation.Identity = .step,
    _ message: String, _ phrase: Violation.Phrase = .none, in label: String? = nil,
    advice: Violation.Advice, note: String? = nil, missingMark: ExclusionMark = [],
    unless causes: [String] = [], sources: [SystemProfile.Source]? = nil,
    shown: Scenario.Finding.Shown = .byRun
  ) {
    violations.append(
      Violation(
        rule: rule.name, severity: severity ?? rule.severity, step: step, path: path,
        detail: detail, identity: identity, message: message, phrase: phrase, label: label,
        advice: advice, sources: sources ?? rule.sources, note: note, missingMark: missingMark,
        causes: causes, shown: shown)
    )
  }

  /// Notes that an error says where an item ended; what is no error explains nothing, so that it hides no
  /// error.
  mutating func explain(_ outcome: Outcome, _ path: ContainerPath) {
    explained[outcome, default: []].insert(path)
  }

  /// Whether a finding says of any item here that it ended so.
  func explains(_ outcome: Outcome) -> Bool { explained[outcome] != nil }

  /// Whether an error says what became of an item here, or of a directory above it.
  func isExplained(_ outcome: Outcome, _ path: ContainerPath) -> Bool {
    guard let paths = explained[outcome] else { return false }
    return paths.contains(path) || path.ancestors.contains(where: paths.contains)
  }

  /// Whether an error says what became of just this item here.
  func isExplained(exactly outcome: Outcome, _ path: ContainerPath) -> Bool {
    explained[outcome]?.contains(path) == true
  }
}

/// Something that breaks a rule, at one event: what a finding is made of.
package struct Violation: Sendable {
  /// What tells a finding from others of its rule.
  enum Identity: Hashable {
    /// The item, and the step that is to blame.
    case step
    /// The item alone: the first step is named.
    case item
  }

  /// How a message goes on with the backups that it is about.
  enum Phrase: Hashable {
    case none
    /// `…. The backups "a" and "b" contain it`.
    case inBackups
    /// `…the backups "a" and "b" hold it`, and what comes then.
    case held(String)
    /// `…the backups "a" and "b"`.
    case backups
  }

  enum Advice: Sendable {
    case text(String)
    /// It depends on what else is found in the run.
    case byFindings(@Sendable (RunSummary) -> String)
  }

  package let rule: String
  package let severity: Scenario.Severity
  package let step: Scenario.StepReference
  package let path: ContainerPath?
  let detail: Int?
  let identity: Identity
  let message: String
  let phrase: Phrase
  let label: String?
  let advice: Advice
  let sources: [SystemProfile.Source]
  let note: String?
  let missingMark: ExclusionMark
  /// The rules whose finding on the same item, or on one in it, explains this one.
  let causes: [String]
  package let shown: Scenario.Finding.Shown

  /// Violations with equal keys make one finding.
  fileprivate var key: Key {
    Key(rule: rule, path: path, step: identity == .step ? step.number : nil, detail: detail)
  }

  fileprivate struct Key: Hashable {
    let rule: String
    let path: ContainerPath?
    let step: Scenario.StepReference.Number?
    let detail: Int?
  }
}

extension Violation.Advice: ExpressibleByStringInterpolation {
  init(stringLiteral value: String) { self = .text(value) }
}

extension [Violation] {
  /// The findings that these are: each cause once, the worst of it, with all backups that show it;
  /// none that another finding explains.
  func findings(
    by rules: [any Rule], _ classes: PromisedClasses, in scenario: Scenario
  ) -> [Scenario.Finding] {
    guard !isEmpty else { return [] }
    let summary = RunSummary(of: self, classes, scenario)
    let order = Dictionary(zip(rules.map(\.name), rules.indices)) { first, _ in first }
    let sorted = grouped(by: \.key).enumerated().sorted {
      (order[$0.element[0].rule] ?? 0, $0.offset) < (order[$1.element[0].rule] ?? 0, $1.offset)
    }
    return sorted.compactMap { $0.element.finding(summary) }
  }

  /// The finding that violations of one key are; nil where another explains it.
  private func finding(_ summary: RunSummary) -> Scenario.Finding? {
    let left = filter { violation in
      !violation.causes.contains { cause in
        violation.path.map { summary.explains(violation.severity, by: cause, atOrIn: $0) } ?? false
      }
    }
    guard let worst = left.map(\.severity).min(),
      let first = left.first(where: { $0.severity == worst })
    else { return nil }
    var labels: [String] = []
    for case let label? in left.filter({ $0.severity == worst }).map(\.label)
    where labels.last != label {
      labels.append(label)
    }
    // What holds for some of the backups only is not said.
    let phrases = left.filter { $0.severity == worst }.map(\.phrase)
    let backups = labels.map { "\"\(EscapedText.escape($0))\"" }
    let advice =
      switch first.advice {
      case .text(let text): text
      case .byFindings(let advice): advice(summary)
      }
    return Scenario.Finding(
      rule: first.rule, severity: first.severity, step: first.step, path: first.path,
      message: first.message
        + (phrases.contains(.held("")) ? .held("") : first.phrase).text(backups), advice: advice,
      sources: first.sources, note: first.note, missingMark: first.missingMark,
      shown: first.shown)
  }
}

extension Violation.Phrase {
  fileprivate func text(_ backups: [String]) -> String {
    let named = "\(backups.count.form("backup")) \(backups.joinedInWords)"
    let contain = "\(named) \(backups.count.form("contains", plural: "contain")) it"
    return switch self {
    case .none: ""
    case .inBackups: backups.isEmpty ? "" : ". The \(contain)"
    case .held(let rest): "the \(contain)\(rest)"
    case .backups: "the \(named)"
    }
  }
}

/// What is known of a run as a whole, for advice that depends on it.
struct RunSummary {
  /// The items of each rule's violations.
  private let violations: [String: Set<ContainerPath>]
  /// The same items with all directories above them, and how bad the worst violation is there.
  private let holders: [String: [ContainerPath: Scenario.Severity]]
  /// The critical files of the run, by name; the first in order of those that share one.
  private let paths: [ContainerPath.Component: ContainerPath]
  /// The patterns of critical items that say something of names.
  private let patterns: [PathPattern]
  /// What they say of names, in the same order.
  private let names: PatternIndex

  init(of violations: [Violation], _ classes: PromisedClasses, _ scenario: Scenario) {
    let byRule = Dictionary(grouping: violations, by: \.rule)
    self.violations = byRule.mapValues { Set($0.compactMap(\.path)) }
    self.holders = byRule.mapValues { violations in
      violations.reduce(into: [:]) { worst, violation in
        guard let path = violation.path else { return }
        for holder in path.ancestors + [path] {
          worst[holder] = min(worst[holder] ?? .advice, violation.severity)
        }
      }
    }
    self.paths = Dictionary(classes.criticalPaths.map { ($0.name, $0) }) { min($0, $1) }
    let promises = scenario.files?.promises ?? []
    let critical = promises.filter { $0.dataClass == .critical }.map(\.pattern)
    let named = critical.compactMap { pattern -> (pattern: PathPattern, name: PathPattern)? in
      let text = pattern.description.split(separator: "/").last ?? ""
      guard !text.allSatisfy({ $0 == "*" }), let name = try? PathPattern(String(text)) else {
        return nil
      }
      return (pattern, name)
    }
    self.patterns = named.map(\.pattern)
    self.names = PatternIndex(named.map(\.name))
  }

  func contains(_ rule: String, _ path: ContainerPath) -> Bool {
    violations[rule]?.contains(path) == true
  }

  /// Whether a rule is broken by an item or by one in it, at least as badly as what that explains.
  func explains(
    _ severity: Scenario.Severity, by rule: String, atOrIn path: ContainerPath
  ) -> Bool {
    holders[rule]?[path].map { $0 <= severity } == true
  }

  /// Where an item of a name is critical: a file or a pattern; nil where none is.
  func criticalPlace(of name: ContainerPath.Component) -> String? {
    if let path = paths[name] { return "\(path)" }
    return names.firstIndex(matching: ContainerPath(name, in: nil)).map { "\(patterns[$0])" }
  }
}
