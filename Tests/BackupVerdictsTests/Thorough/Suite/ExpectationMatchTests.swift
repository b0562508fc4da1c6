import BackupDiagnostics
import BackupFileTree
import TestSupport
import Testing

@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct `Expectations are met` {
  /// A rule, a severity, a step and a path, each chosen from a few values.
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

    /// The finding with these values. A missing severity or step gets a default value.
    var finding: Scenario.Finding {
      Scenario.Finding(
        rule: rule, severity: severity ?? .advice,
        step: Scenario.StepReference(
          number: step ?? .step(2), position: SourcePosition(line: 1, column: 1), summary: ""),
        path: path, message: "", advice: "", sources: [])
    }

    /// Returns the expectation with these values. A missing value stays open.
    func expectation(line: Int) -> Scenario.Expectation {
      Scenario.Expectation(
        rule: rule, severity: severity, step: step, path: path, systems: nil, backups: nil,
        position: SourcePosition(line: line, column: 1))
    }
  }

  /// Whether a finding meets an expectation.
  private func matches(_ expectation: Scenario.Expectation, _ finding: Scenario.Finding) -> Bool {
    expectation.rule == finding.rule && expectation.severity ?? finding.severity == finding.severity
      && (expectation.step == nil || expectation.step == finding.step.number)
      && (expectation.path == nil || expectation.path == finding.path)
  }

  /// The largest numbers of expectations that can be met, by the number of values that they leave
  /// open. Expectations with fewer open values come first.
  private func best(
    _ expectations: ArraySlice<Scenario.Expectation>, _ findings: [Scenario.Finding]
  ) -> [Int] {
    guard let expectation = expectations.first else { return [0, 0, 0, 0] }
    let remainingExpectations = expectations.dropFirst()
    var best = best(remainingExpectations, findings)
    for index in findings.indices where matches(expectation, findings[index]) {
      var remainingFindings = findings
      remainingFindings.remove(at: index)
      var counts = self.best(remainingExpectations, remainingFindings)
      counts[openValueCount(expectation)] += 1
      if best.lexicographicallyPrecedes(counts) { best = counts }
    }
    return best
  }

  /// The number of values that an expectation leaves open.
  private func openValueCount(_ expectation: Scenario.Expectation) -> Int {
    [expectation.step == nil, expectation.path == nil, expectation.severity == nil].count { $0 }
  }

  @Test func `as many as possible, the most specific first`() throws {
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
      for expectation in expectations where !match.unmetExpectations.contains(expectation) {
        met[openValueCount(expectation)] += 1
      }
      #expect(met == best(expectations[...], findings))
      #expect(findings.indices.count(where: match.isExpected) == met.reduce(0, +))
    }
  }

  @Test func `in the order of the file, so of equal expectations the first is met`() {
    let expectations = (1...3).map { Choice(rule: "r").expectation(line: $0) }
    let match = ExpectationMatch(expectations, [Choice(rule: "r").finding])
    #expect(match.unmetExpectations == Array(expectations.dropFirst()))
  }
}
