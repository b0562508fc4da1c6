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

  /// A rule whose findings are changed or dropped.
  static func finding(
    _ name: String, of rule: any Rule, near: [String] = [],
    _ alter: @escaping @Sendable (Scenario.Finding, RunHistory) -> Scenario.Finding?
  ) -> Mutant {
    altered(rule, name, near) { $0.alter = alter }
  }

  /// A rule that sees a changed transcript of the run.
  static func reading(
    _ name: String, by rule: any Rule, near: [String] = [],
    _ changeTranscript: @escaping @Sendable (inout Transcript) -> Void
  ) -> Mutant {
    altered(rule, name, near) { $0.changeTranscript = changeTranscript }
  }

  /// A rule that reports additional items.
  static func extra(
    _ name: String, by rule: any Rule, near: [String] = [],
    _ extraItems: @escaping @Sendable (RunHistory) -> [(Scenario.StepReference, ContainerPath)]
  ) -> Mutant {
    altered(rule, name, near) { $0.extraItems = extraItems }
  }

  /// A rule whose findings do not stop later rules from reporting the same problem.
  static func unexplained(_ rule: any Rule, near: [String] = []) -> Mutant {
    altered(rule, "accounts for nothing", near) { $0.explainsProblems = false }
  }

  /// A rule with any mistake.
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

/// A rule that is wrong, together with correct rules.
struct AlteredRule: Sendable {
  let base: any Rule
  var alter: @Sendable (Scenario.Finding, RunHistory) -> Scenario.Finding? = { finding, _ in finding
  }
  /// Changes the transcript that the rule sees.
  var changeTranscript: @Sendable (inout Transcript) -> Void = { _ in }
  /// Returns the items that the rule reports in addition.
  var extraItems: @Sendable (RunHistory) -> [(Scenario.StepReference, ContainerPath)] = { _ in [] }
  /// True if the rule's findings stop later rules from reporting the same problem.
  var explainsProblems = true

  func findings(in transcript: Transcript, by rules: [any Rule]) -> [Scenario.Finding] {
    let rules = rules.map { $0.name == base.name && !explainsProblems ? base.unexplaining : $0 }
    var changedTranscript = transcript
    changeTranscript(&changedTranscript)
    let history = RunHistory(transcript)
    let others = RuleList.findings(in: transcript, by: rules).filter { $0.rule != base.name }
    let own = RuleList.findings(in: changedTranscript, by: rules).filter { $0.rule == base.name }
      .compactMap { alter($0, history) }
    let extra = extraItems(history).map { step, path in
      Scenario.Finding(
        rule: base.name, severity: base.severity, step: step, path: path, message: "'\(path)'",
        advice: "none", sources: base.sources)
    }
    var keys: Set<String> = []
    return (own + extra + others).filter { finding in
      keys.insert("\(finding.rule) \(finding.step.number) \(finding.path?.description ?? "")")
        .inserted
    }
  }
}

/// A rule with the same findings, which do not stop other rules from reporting the same problem.
private struct UnexplainingRule<Base: Rule>: Rule {
  let base: Base

  var name: String { base.name }
  var severity: Scenario.Severity { base.severity }
  var sources: [SystemProfile.Source] { base.sources }

  func memory(at start: RunStart) -> Base.Memory { base.memory(at: start) }

  func observe(_ event: ObservedEvent, _ memory: inout Base.Memory, _ report: inout RuleReport) {
    var reportWithExplanations = report
    base.observe(event, &memory, &reportWithExplanations)
    report.violations = reportWithExplanations.violations
  }
}

extension Rule {
  fileprivate var unexplaining: any Rule { UnexplainingRule(base: self) }
}

extension Scenario.Finding {
  /// Returns the finding with another severity or step.
  func with(severity: Scenario.Severity? = nil, step: Scenario.StepReference? = nil)
    -> Scenario.Finding
  {
    Scenario.Finding(
      rule: rule, severity: severity ?? self.severity, step: step ?? self.step, path: path,
      message: message, advice: advice, sources: sources)
  }
}

extension Rule {
  /// The ids of the scenarios that expect a finding of this rule.
  fileprivate var nearScenarios: [String] {
    ((try? OwnSuite.scenarios) ?? [])
      .filter { $0.expectations.contains { $0.rule == name } }.map(\.id)
  }
}
