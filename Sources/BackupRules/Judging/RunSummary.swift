import BackupFileTree
import BackupScenarios

/// What is known of a run as a whole, for advice that depends on it.
struct RunSummary {
  /// The items of each rule's violations.
  private let violations: [String: Set<ContainerPath>]
  /// The same items with all directories above them.
  private let holders: [String: Set<ContainerPath>]
  /// The critical files of the run, by name; the first in order of those that share one.
  private let paths: [ContainerPath.Component: ContainerPath]
  /// The patterns of critical items that say something of names.
  private let patterns: [PathPattern]
  /// What they say of names, in the same order.
  private let names: PatternIndex

  init(of violations: [Violation], _ classes: PromisedClasses, _ scenario: Scenario) {
    self.violations = Dictionary(grouping: violations, by: \.rule)
      .mapValues { Set($0.compactMap(\.path)) }
    self.holders = self.violations.mapValues { Set($0.flatMap(\.ancestors)).union($0) }
    self.paths = Dictionary(classes.criticalPaths.map { ($0.name, $0) }) { min($0, $1) }
    let promises = scenario.files?.promises ?? []
    let named = promises.filter { $0.dataClass == .critical }.compactMap { promise in
      promise.pattern.namePattern.map { (pattern: promise.pattern, name: $0) }
    }
    self.patterns = named.map(\.pattern)
    self.names = PatternIndex(named.map(\.name))
  }

  /// Whether a rule is broken by an item.
  func contains(_ rule: String, _ path: ContainerPath) -> Bool {
    violations[rule]?.contains(path) == true
  }

  /// Whether a rule is broken by an item or by one in it.
  func contains(_ rule: String, atOrIn path: ContainerPath) -> Bool {
    holders[rule]?.contains(path) == true
  }

  /// Where an item of a name is critical: a file or a pattern; nil where none is.
  func criticalPlace(of name: ContainerPath.Component) -> String? {
    if let path = paths[name] { return "\(path)" }
    return names.firstIndex(matching: ContainerPath(name, in: nil)).map { "\(patterns[$0])" }
  }
}

extension PathPattern {
  /// What the pattern says of an item's name; nil where it takes any.
  fileprivate var namePattern: PathPattern? {
    let name = description.split(separator: "/").last ?? ""
    return name.allSatisfy { $0 == "*" } ? nil : try? PathPattern(String(name))
  }
}
