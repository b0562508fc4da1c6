package import BackupContainer
package import BackupDevice
import BackupDiagnostics
import BackupFileTree
package import BackupScenarios

/// What a run is checked for; a new one is a file in `Rules` and a word in ``RuleList/all``.
///
/// A rule is a monitor: it sees one event at a time, keeps what it must remember in `Memory`, and
/// reports what breaks it. It does not know who runs the scenario. Where another finding of the same
/// checkpoint explains what it sees, it reports nothing (``RuleReport/isExplained(_:_:)``).
package protocol Rule: Sendable {
  /// What the rule remembers from one event to the next; two runs in the same state with equal
  /// memories are judged alike from there on.
  associatedtype Memory: Hashable & Sendable = NoMemory

  /// The name in reports and expectations: lower case, words joined by `-`.
  var name: String { get }

  /// How bad its findings are, unless one says otherwise; by default errors.
  var severity: Scenario.Severity { get }

  /// What must be known for its findings to be true; by default how the container came to be.
  var basis: RuleBasis { get }

  /// Where it comes from, the most important source first.
  var sources: [SystemProfile.Source] { get }

  /// The app's call that explains its findings of a severity; by default the last change of the item.
  func codeToBlame(for severity: Scenario.Severity) -> CodeToBlame

  /// The kinds of calls, the likeliest first, that may have caused a finding whose call no run has seen; by
  /// default the kind to blame, if that is a mark, and saves.
  var suspectedCalls: [ChangeCall.Kind] { get }

  /// The effect on the user of an error that exploration finds, with `{path}` and `{step}`; by default nil, if the
  /// message says it.
  var consequence: String? { get }

  /// True if its messages name the kill that a finding comes from; false by default.
  var namesKill: Bool { get }

  /// The subject of its findings, by which others find the rule; `other` by default.
  var subject: RuleSubject { get }

  /// The requirements that its findings break; by default all that the scenario shows.
  var requirements: BrokenRequirements { get }

  /// What it remembers before anything has happened.
  func memory(at start: RunStart) -> Memory

  /// Looks at what happens next, and adds to what earlier rules have reported.
  func observe(_ event: ObservedEvent, _ memory: inout Memory, _ report: inout RuleReport)
}

/// The memory of a rule that judges each event by itself.
package struct NoMemory: Hashable, Sendable {}

/// A subject of findings. Others ask for all rules on it (``RuleList/names(about:)``).
package enum RuleSubject: Sendable {
  /// Data that the user loses by a kill, however the trace goes on.
  case lossByKill
  /// The place of an item, from which the system takes what must last.
  case purgeablePlace
  case other
}

/// What must be known to check a rule, beside the version of iOS.
package enum RuleBasis: Hashable, Sendable {
  /// How the container came to be, step by step.
  case run
  /// Nothing but the container.
  case container
  case identifier
  /// The classes of the app's files.
  case classes
  /// What a backup may hold.
  case budget
  /// What the app may keep on the device.
  case storage
  /// The app's own check, which no scenario file has.
  case check
}

/// The call of the app's code that explains a finding.
package enum CodeToBlame: Hashable, Sendable {
  /// The last change of the item.
  case change
  /// The last call of a kind, or else the last change.
  case call(ChangeCall.Kind)
  /// None that concerns the item: what is wrong is in another.
  case ofAnotherItem
}

/// The requirements of the standard suite that a rule's findings break.
package enum BrokenRequirements: Hashable, Sendable {
  /// What the system does that an app must cope with.
  package enum Cause: Hashable, Sendable {
    case takesItem
    case movesContainer
  }

  /// Nothing more exact is known than all that the scenario shows.
  case all
  case named(Set<String>)
  case byKind(directory: String, other: String)
  /// Those on the last event of such a cause before the app used the item.
  case onEvent(Set<Cause>)
}

extension Rule {
  package func codeToBlame(for severity: Scenario.Severity) -> CodeToBlame { .change }
  package var namesKill: Bool { false }
  package var suspectedCalls: [ChangeCall.Kind] {
    codeToBlame(for: severity) == .call(.mark) ? [.mark, .save] : [.save]
  }
  package var consequence: String? { nil }
  package var subject: RuleSubject { .other }
  package var requirements: BrokenRequirements { .all }
  var severity: Scenario.Severity { .error }
  var basis: RuleBasis { .run }

  /// The end of a message that says by which error of the app's own code a finding was noticed;
  /// empty without such an error.
  static func quoting(_ wrapper: String?) -> String {
    wrapper.map { "; the app's code threw \(EscapedText.escape($0.cut(to: 200)))" } ?? ""
  }

  /// The part of a message that says by which key a property list holds something; empty for any other file.
  static func words(forKey key: String?) -> String {
    guard let key, !key.isEmpty else { return "" }
    return ", key '\(EscapedText.escape(key))'"
  }

  /// What is known of the code that set a value in user defaults: its step, and no line. nil for any other
  /// file, and for a value that no code has set.
  static func note(
    onDefaults path: ContainerPath, setBy setter: Scenario.StepReference?, in scenario: Scenario
  ) -> String? {
    let isSimulated = scenario.steps.contains { $0.reference == setter && !$0.runsCode }
    guard path.isOfUserDefaults, !isSimulated else { return nil }
    let words =
      setter.map {
        "\($0.withSummaryInParentheses) set this key, at a line that the kit does not know"
      }
      ?? "the kit knows neither the step nor the line that set the value"
    return "\(words), because Foundation writes user defaults later than the code sets them"
  }
}

extension Rule where Memory == NoMemory {
  package func memory(at start: RunStart) -> NoMemory { NoMemory() }
}

package struct AnyRuleMemory: Hashable, Sendable {
  let value: any Hashable & Sendable

  package static func == (left: AnyRuleMemory, right: AnyRuleMemory) -> Bool {
    func isEqual<Value: Hashable>(_ value: Value) -> Bool { value == right.value as? Value }
    return isEqual(left.value)
  }

  package func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

extension Rule {
  /// Looks at what happens next, with a memory whose type is not known.
  package func observe(
    _ event: ObservedEvent, any memory: inout AnyRuleMemory, _ report: inout RuleReport
  ) {
    guard var typed = memory.value as? Memory else { return }
    // While `memory` holds it too, the first change would copy it.
    memory = AnyRuleMemory(value: NoMemory())
    observe(event, &typed, &report)
    memory = AnyRuleMemory(value: typed)
  }
}
