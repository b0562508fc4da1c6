import BackupDevice
import BackupFileTree
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

extension Mutant {
  /// A rule that is not checked.
  static func off(_ rule: any Rule) -> Mutant {
    Mutant("\(rule.name): off", of: .rule(rule.name), near: rule.nearScenarios) { kit in
      kit.suite.rules.removeAll { $0.name == rule.name }
    }
  }

  /// A rule whose findings are altered, or dropped.
  static func finding(
    _ name: String, of rule: any Rule, near: [String] = [],
    _ alter: @escaping @Sendable (Scenario.Finding, RunHistory) -> Scenario.Finding?
  ) -> Mutant {
    altered(rule, name, near) { $0.alter = alter }
  }

  /// A rule that reads another run than what happened.
  static func reading(
    _ name: String, by rule: any Rule, near: [String] = [],
    _ transcript: @escaping @Sendable (inout Transcript) -> Void
  ) -> Mutant {
    altered(rule, name, near) { $0.spoil = transcript }
  }

  /// A rule that reports more than it should.
  static func extra(
    _ name: String, by rule: any Rule, near: [String] = [],
    _ more: @escaping @Sendable (RunHistory) -> [(Scenario.StepReference, ContainerPath)]
  ) -> Mutant {
    altered(rule, name, near) { $0.more = more }
  }

  /// A rule whose findings account for nothing, so that later rules report the same again.
  static func unexplained(_ rule: any Rule, near: [String] = []) -> Mutant {
    altered(rule, "accounts for nothing", near) { $0.accounts = false }
  }

  /// A suite with one rule altered.
  private static func altered(
    _ rule: any Rule, _ name: String, _ near: [String],
    _ change: @escaping @Sendable (inout AlteredRule) -> Void
  ) -> Mutant {
    Mutant("\(rule.name): \(name)", of: .rule(rule.name), near: near + rule.nearScenarios) { kit in
      guard let index = kit.suite.rules.firstIndex(where: { $0.name == rule.name }) else { return }
      var altered = AlteredRule(base: rule)
      change(&altered)
      kit.suite.rules[index] = altered
    }
  }
}

/// A rule made wrong.
struct AlteredRule: Rule {
  /// The rule as it is.
  let base: any Rule
  /// What becomes of each finding.
  var alter: @Sendable (Scenario.Finding, RunHistory) -> Scenario.Finding? = { finding, _ in finding
  }
  /// What becomes of the run before it is checked.
  var spoil: @Sendable (inout Transcript) -> Void = { _ in }
  /// What is found besides.
  var more: @Sendable (RunHistory) -> [(Scenario.StepReference, ContainerPath)] = { _ in [] }
  /// Whether the findings account for what became of their items.
  var accounts = true

  /// A rule that is as yet right.
  init(base: any Rule) {
    self.base = base
  }

  var name: String { base.name }
  var severity: Scenario.Severity { base.severity }
  var summary: String { base.summary }
  var subjects: [SystemProfile.Subject] { base.subjects }
  var sources: [SystemProfile.Source] { base.sources }

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    var transcript = history.transcript
    spoil(&transcript)
    var found = findings
    base.check(RunHistory(transcript), &found)
    var dropped: Set<ContainerPath> = []
    for finding in found.findings.dropFirst(findings.findings.count) {
      guard let altered = alter(finding, history) else {
        if let path = finding.path { dropped.insert(path) }
        continue
      }
      findings.add(
        self, severity: altered.severity, at: altered.step, on: altered.path, altered.message,
        advice: altered.advice, missingMark: altered.missingMark)
    }
    for fate in found.fates where accounts && !dropped.contains(fate.path) {
      findings.account(for: fate)
    }
    for (step, path) in more(history) {
      findings.add(self, at: step, on: path, "'\(path)'", advice: "none")
    }
  }
}

extension Scenario.Finding {
  /// The same finding with another severity or cause.
  func with(severity: Scenario.Severity? = nil, step: Scenario.StepReference? = nil)
    -> Scenario.Finding
  {
    Scenario.Finding(
      rule: rule, severity: severity ?? self.severity, step: step ?? self.step, path: path,
      message: message, advice: advice, sources: sources)
  }
}

extension Rule {
  /// The ids of the scenarios that expect this rule's findings.
  fileprivate var nearScenarios: [String] {
    ((try? OwnSuite.scenarios) ?? [])
      .filter { $0.expectations.contains { $0.rule == name } }.map(\.id)
  }
}

extension FindingList {
  /// All that its findings account for.
  fileprivate var fates: [ItemFate] {
    accounted.flatMap { outcome, items in
      items.flatMap { path, moments in
        moments.map { ItemFate(outcome: outcome, path: path, moments: $0) }
      }
    }
  }
}
