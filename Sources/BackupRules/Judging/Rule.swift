package import BackupContainer
package import BackupDevice
import BackupDiagnostics
import BackupFileTree
package import BackupScenarios

/// A requirement on an app's files, checked in each run.
///
/// A rule is a monitor: it sees one event at a time, keeps its state in `Memory`, and reports
/// violations. It does not know who runs the scenario. If another finding of the same checkpoint
/// explains a violation, the rule does not report it (``RuleReport/isExplained(_:_:)``).
package protocol Rule: Sendable {
  /// The rule's state between events. The rule judges two runs alike from a point on if the runs are
  /// in the same state there, with equal memories.
  associatedtype Memory: Hashable & Sendable = NoMemory

  /// The name in reports and expectations, such as `reapply-on-save`.
  var name: String { get }

  /// The severity of findings that are reported without one; by default `error`.
  var severity: Scenario.Severity { get }

  /// The information that the rule needs; by default the history of the container.
  var basis: RuleBasis { get }

  /// The sources of the rule, the most important first.
  var sources: [SystemProfile.Source] { get }

  /// Returns the app's call that explains findings of a severity; by default the last change of the item.
  func codeToBlame(for severity: Scenario.Severity) -> CodeToBlame

  /// The kinds of calls that may have caused a finding if no run has seen the call, the likeliest first. The
  /// default is saves, after marks if these are to blame.
  var suspectedCalls: [ChangeCall.Kind] { get }

  /// The effect of an error that exploration finds, with `{path}` and `{step}`; by default nil, because the
  /// message says it.
  var consequence: String? { get }

  /// True if messages name the kill that caused the finding; false by default.
  var namesKill: Bool { get }

  /// The subject of the findings; `other` by default.
  var subject: RuleSubject { get }

  /// The requirements that the findings break; by default all of the scenario's.
  var requirements: BrokenRequirements { get }

  /// Returns the memory before the first event.
  func memory(at start: RunStart) -> Memory

  /// Judges the next event, and adds violations to those that earlier rules have reported.
  func observe(_ event: ObservedEvent, _ memory: inout Memory, _ report: inout RuleReport)
}

/// The memory of a rule that judges each event by itself.
package struct NoMemory: Hashable, Sendable {}

/// A subject that several rules may share (``RuleList/names(about:)``).
package enum RuleSubject: Sendable {
  /// Data that the user loses by a kill, however the trace continues.
  case lossByKill
  /// An item that must last, in a place that the system purges.
  case purgeablePlace
  case other
}

/// The information that a rule needs beside the version of iOS.
package enum RuleBasis: Hashable, Sendable {
  /// The history of the container, step by step.
  case run
  /// Only the container.
  case container
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

/// The call of the app's code that explains a finding.
package enum CodeToBlame: Hashable, Sendable {
  /// The last change of the item.
  case change
  /// The last call of a kind, or else the last change.
  case call(ChangeCall.Kind)
  /// None on this item, because the mistake is in another item.
  case ofAnotherItem
}

/// The requirements of the standard suite that a rule's findings break.
package enum BrokenRequirements: Hashable, Sendable {
  /// An action of the system that an app must cope with.
  package enum Cause: Hashable, Sendable {
    case takesItem
    case movesContainer
  }

  /// All requirements of the scenario, because no more exact ones are known.
  case all
  case named(Set<String>)
  case byKind(directory: String, other: String)
  /// The requirements on the last event with such a cause before the app used the item.
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

  /// Returns the end of a message, with the error that the app's code threw; empty without an error.
  static func quoting(_ error: String?) -> String {
    error.map { "; the app's code threw \(EscapedText.escape($0.cut(to: 200)))" } ?? ""
  }

  /// Returns the part of a message that names a key of a property list; empty without a key.
  static func words(forKey key: String?) -> String {
    guard let key, !key.isEmpty else { return "" }
    return ", key '\(EscapedText.escape(key))'"
  }

  /// Returns a note on the step that set a value in user defaults, because the line of the call is unknown.
  /// Returns nil for any other file, and for a value that no code has set.
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
  /// Judges the next event with a type-erased memory.
  package func observe(
    _ event: ObservedEvent, any memory: inout AnyRuleMemory, _ report: inout RuleReport
  ) {
    guard var typed = memory.value as? Memory else { return }
    // Otherwise `memory` would share the value, and the first change would copy it.
    memory = AnyRuleMemory(value: NoMemory())
    observe(event, &typed, &report)
    memory = AnyRuleMemory(value: typed)
  }
}
