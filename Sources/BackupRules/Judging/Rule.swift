package import BackupContainer
package import BackupDevice
import BackupDiagnostics
import BackupFileTree
package import BackupScenarios

/// A requirement on an app's files, checked in each run.
///
/// A rule sees the events of a run one at a time, keeps its state in `Memory`, and reports
/// violations. At each checkpoint, it skips the problems that an earlier rule explains
/// (``RuleReport/isExplained(_:_:)``).
package protocol Rule: Sendable {
  /// The rule's state between events. If two runs have equal devices and equal rule states, each
  /// rule must judge their later events alike, because exploration continues only one of the runs.
  associatedtype Memory: Hashable & Sendable = NoMemory

  /// The name in reports and expectations, such as `reapply-on-save`.
  var name: String { get }

  /// The severity of a violation that gives no severity. The default is `error`.
  var severity: Scenario.Severity { get }

  /// The information that the rule needs. The default is the history of the container.
  var basis: RuleBasis { get }

  /// The sources of the rule, the most important first.
  var sources: [SystemProfile.Source] { get }

  /// Returns the app's call that causes findings of a severity. The default is the last change of
  /// the item.
  func codeToBlame(for severity: Scenario.Severity) -> CodeToBlame

  /// The kinds of calls that may have caused a finding, the likeliest first. If no run has recorded
  /// the call, reports look for calls of these kinds in the app's sources. The default is saves. If
  /// a mark is to blame, the default is marks and then saves.
  var suspectedCalls: [ChangeCall.Kind] { get }

  /// The effect of an error that exploration finds. The text may contain `{path}` and `{step}`. The
  /// default is nil, for rules whose messages state the effect.
  var consequence: String? { get }

  /// True if the rule's messages name the kill that caused the finding. The default is false.
  var namesKill: Bool { get }

  /// The subject of the findings. The default is `other`.
  var subject: RuleSubject { get }

  /// The requirements of the standard suite that the findings break. The default is all
  /// requirements of the scenario.
  var requirements: BrokenRequirements { get }

  /// Returns the memory before the first event.
  func memory(at start: RunStart) -> Memory

  /// Judges the next event, and adds the rule's violations to the report.
  func observe(_ event: ObservedEvent, _ memory: inout Memory, _ report: inout RuleReport)
}

/// The memory of a rule that judges each event by itself.
package struct NoMemory: Hashable, Sendable {}

/// A subject that several rules may share (``RuleList/names(about:)``).
package enum RuleSubject: Sendable {
  /// A loss of the user's data after a kill.
  case lossByKill
  /// An item that must last, but is in a directory that iOS purges.
  case purgeablePlace
  case other
}

/// The information that a rule needs beside the version of iOS.
package enum RuleBasis: Hashable, Sendable {
  /// The history of the container, step by step.
  case run
  /// Only the container.
  case container
  /// The app's bundle identifier.
  case identifier
  /// The classes of the app's files.
  case classes
  /// The limits on the contents of backups.
  case budget
  /// The limits on the app's files on the device.
  case storage
  /// The app's own check, which no scenario file has.
  case check
}

/// The call of the app's code that caused a finding.
package enum CodeToBlame: Hashable, Sendable {
  /// The last change of the item.
  case change
  /// The last call of a kind. If the app made no such call, the last change.
  case call(ChangeCall.Kind)
  /// No call on this item, because the mistake is in another item.
  case ofAnotherItem
}

/// The requirements of the standard suite that a rule's findings break.
package enum BrokenRequirements: Hashable, Sendable {
  /// An action of the system that an app must cope with.
  package enum EventEffect: Hashable, Sendable {
    case takesItem
    case movesContainer
  }

  /// All requirements of the scenario. The rule knows no narrower set.
  case all
  case named(Set<String>)
  /// One requirement for a finding on a directory, and another for any other finding.
  case byKind(directory: String, other: String)
  /// The requirements on the last system event of these kinds before the app used the item.
  case onEvent(Set<EventEffect>)
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

  /// Returns the end of a message with the error that the app's code threw; empty without an error.
  static func quoting(_ error: String?) -> String {
    error.map { "; the app's code threw \(EscapedText.escape($0.cut(to: 200)))" } ?? ""
  }

  /// Returns the part of a message that names a key of a property list; empty without a key.
  static func words(forKey key: String?) -> String {
    guard let key, !key.isEmpty else { return "" }
    return ", key '\(EscapedText.escape(key))'"
  }

  /// Returns a note on the step that set a value in user defaults. The kit does not know the line
  /// of the app's call. Returns nil for any other file, and for a value that a simulated step set.
  static func note(
    onDefaults path: ContainerPath, setBy setter: Scenario.StepReference?, in scenario: Scenario
  ) -> String? {
    let isSimulated = scenario.steps.contains { $0.reference == setter && !$0.runsCode }
    guard path.isUserDefaultsFile, !isSimulated else { return nil }
    let clause =
      setter.map {
        "\($0.withSummaryInParentheses) set this key, at a line that the kit does not know"
      }
      ?? "the kit knows neither the step nor the line that set the value"
    return "\(clause), because Foundation writes user defaults later than the code sets them"
  }
}

extension Rule where Memory == NoMemory {
  package func memory(at start: RunStart) -> NoMemory { NoMemory() }
}

/// The type-erased memory of a rule.
package struct AnyRuleMemory: Hashable, Sendable {
  let value: any Hashable & Sendable

  package static func == (left: AnyRuleMemory, right: AnyRuleMemory) -> Bool {
    func isEqual<Value: Hashable>(_ value: Value) -> Bool { value == right.value as? Value }
    return isEqual(left.value)
  }

  package func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

extension Rule {
  /// Judges the next event with a type-erased memory.
  package func observe(
    _ event: ObservedEvent, anyMemory memory: inout AnyRuleMemory, _ report: inout RuleReport
  ) {
    guard var typedMemory = memory.value as? Memory else { return }
    // Releases the value from `memory`. If both variables shared the value, a change would copy it.
    memory = AnyRuleMemory(value: NoMemory())
    observe(event, &typedMemory, &report)
    memory = AnyRuleMemory(value: typedMemory)
  }
}
