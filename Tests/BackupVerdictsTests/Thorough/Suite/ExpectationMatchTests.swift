import BackupDiagnostics
import BackupFileTree
import TestSupport
import Testing

@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct `Expectations are met` {
  /// A severity, a step and an item, each from a few.
  private struct Choice {
    let rule: String
    let severity: Scenario.Severity?
    let step: Scenario.StepReference.Number?
    let path: ContainerPath?

    init(
      rule: String, severity: Scenario.Severity? = nil,
      step: Scenario.StepReference.Number? = nil, path: ContainerPath? = nil
    ) {
      self.rule = rule
      self.severity = severity
      self.step = step
      self.path = path
    }

    init(_ random: inout SeededGenerator) throws {
      self.rule = Bool.random(using: &random) ? "a" : "b"
      self.severity = [.error, .warning, nil][Int.random(in: 0..<3, using: &random)]
      self.step = [.step(1), .launch(1), nil][Int.random(in: 0..<3, using: &random)]
      let paths = [try ContainerPath("x"), try ContainerPath("y"), nil]
      self.path = paths[Int.random(in: 0..<3, using: &random)]
    }

    /// The finding that is just this, with what is left open filled in.
    var finding: Scenario.Finding {
      Scenario.Finding(
        rule: rule, severity: severity ?? .advice,
        step: Scenario.StepReference(
          number: step ?? .step(2), position: SourcePosition(line: 1, column: 1), summary: ""),
        path: path, message: "", advice: "", sources: [])
    }

    /// The expectation that leaves open what this does.
    func expectation(line: Int) -> Scenario.Expectation {
      Scenario.Expectation(
        rule: rule, severity: severity, step: step, path: path, systems: nil, backups: nil,
        position: SourcePosition(line: line, column: 1))
    }
  }

  /// Whether a finding is the expected one.
  private func matches(_ one: Scenario.Expectation, _ finding: Scenario.Finding) -> Bool {
    one.rule == finding.rule && one.severity ?? finding.severity == finding.severity
      && (one.step == nil || one.step == finding.step.number)
      && (one.path == nil || one.path == finding.path)
  }

  /// How many expectations of each freedom can be met at best, those of the least freedom first.
  private func best(
    _ expectations: ArraySlice<Scenario.Expectation>, _ findings: [Scenario.Finding]
  ) -> [Int] {
    guard let one = expectations.first else { return [0, 0, 0, 0] }
    let rest = expectations.dropFirst()
    var best = best(rest, findings)
    for index in findings.indices where matches(one, findings[index]) {
      var others = findings
      others.remove(at: index)
      var counts = self.best(rest, others)
      counts[freedom(one)] += 1
      if best.lexicographicallyPrecedes(counts) { best = counts }
    }
    return best
  }

  /// How many things an expectation leaves open.
  private func freedom(_ one: Scenario.Expectation) -> Int {
    [one.step == nil, one.path == nil, one.severity == nil].count { $0 }
  }

  @Test func `as many as can be, those that say the most first`() throws {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<300 {
      let expectations = try (0..<Int.random(in: 0...5, using: &random)).map {
        try Choice(&random).expectation(line: $0)
      }
      let findings = try (0..<Int.random(in: 0...5, using: &random)).map { _ in
        try Choice(&random).finding
      }
      let match = ExpectationMatch(expectations, findings)
      var met = [0, 0, 0, 0]
      for one in expectations where !match.missing.contains(one) { met[freedom(one)] += 1 }
      #expect(met == best(expectations[...], findings))
      #expect(findings.indices.count(where: match.isExpected) == met.reduce(0, +))
    }
  }

  @Test func `by a finding that another leaves to it`() throws {
    let (a, b) = (try ContainerPath("a"), try ContainerPath("b"))
    let anywhere = Choice(rule: "r", step: .step(3)).expectation(line: 1)
    let anytime = Choice(rule: "r", path: a).expectation(line: 2)
    let findings = [a, b].map { Choice(rule: "r", step: .step(3), path: $0).finding }
    for expectations in [[anywhere, anytime], [anytime, anywhere]] {
      let match = ExpectationMatch(expectations, findings)
      #expect(match.missing.isEmpty && match.isExpected(0) && match.isExpected(1))
    }
  }

  @Test func `in the order of the file, so that the last of equal ones is missing`() {
    let expectations = (1...3).map { Choice(rule: "r").expectation(line: $0) }
    let match = ExpectationMatch(expectations, [Choice(rule: "r").finding])
    #expect(match.missing == Array(expectations.dropFirst()))
  }
}
