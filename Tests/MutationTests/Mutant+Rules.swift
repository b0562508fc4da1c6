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

  /// A rule with something wrong in it.
  private static func altered(
    _ rule: any Rule, _ name: String, _ near: [String],
    _ change: @escaping @Sendable (inout AlteredRule) -> Void
  ) -> Mutant {
    Mutant("\(rule.name): \(name)", of: .rule(rule.name), near: near + rule.nearScenarios) { kit in
      var altered = AlteredRule(base: rule)
      change(&altered)
      kit.suite.judge = { [altered] in altered.findings(in: $0, by: $1) }
    }
  }
}

/// A rule that is wrong in some way, among others that are right.
struct AlteredRule: Sendable {
  let base: any Rule
  var alter: @Sendable (Scenario.Finding, RunHistory) -> Scenario.Finding? = { finding, _ in finding
  }
  /// What the rule sees in the place of the run.
  var spoil: @Sendable (inout Transcript) -> Void = { _ in }
  var more: @Sendable (RunHistory) -> [(Scenario.StepReference, ContainerPath)] = { _ in [] }
  /// Whether it keeps later rules from reporting what it has explained.
  var accounts = true

  func findings(in transcript: Transcript, by rules: [any Rule]) -> [Scenario.Finding] {
    let rules = rules.map { $0.name == base.name && !accounts ? base.unexplaining : $0 }
    var spoilt = transcript
    spoil(&spoilt)
    let history = RunHistory(transcript)
    let others = RuleList.findings(in: transcript, by: rules).filter { $0.rule != base.name }
    let own = RuleList.findings(in: spoilt, by: rules).filter { $0.rule == base.name }
      .compactMap { alter($0, history) }
    let extra = more(history).map { step, path in
      Scenario.Finding(
        rule: base.name, severity: base.severity, step: step, path: path, message: "'\(path)'",
        advice: "none", sources: base.sources)
    }
    var known: Set<String> = []
    return (own + extra + others).filter { finding in
      known.insert("\(finding.rule) \(finding.step.number) \(finding.path?.description ?? "")")
        .inserted
    }
  }
}

/// A rule that keeps no other from reporting what it has explained.
private struct UnexplainingRule<Base: Rule>: Rule {
  let base: Base

  var name: String { base.name }
  var severity: Scenario.Severity { base.severity }
  var sources: [SystemProfile.Source] { base.sources }

  func memory(at start: RunStart) -> Base.Memory { base.memory(at: start) }

  func observe(_ event: ObservedEvent, _ memory: inout Base.Memory, _ report: inout RuleReport) {
    var copy = report
    base.observe(event, &memory, &copy)
    report.violations = copy.violations
  }
}

extension Rule {
  fileprivate var unexplaining: any Rule { UnexplainingRule(base: self) }
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
