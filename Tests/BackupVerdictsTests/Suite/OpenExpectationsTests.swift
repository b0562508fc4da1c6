import BackupDiagnostics
import BackupFileTree
import TestSupport
import Testing

@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct `Expectations that are looked up` {
  /// A severity, a step and an item, each from a few.
  private struct Choice {
    /// The rule's name.
    let rule: String
    /// How bad it is.
    let severity: Scenario.Severity?
    /// The step.
    let step: Scenario.StepReference.Number?
    /// The item.
    let path: ContainerPath?

    /// Chooses each at random.
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

    /// How many things it leaves open.
    static func freedom(_ one: Scenario.Expectation) -> Int {
      [one.step == nil, one.path == nil, one.severity == nil].count { $0 }
    }
  }

  /// Whether a finding is the expected one.
  private func matches(_ one: Scenario.Expectation, _ finding: Scenario.Finding) -> Bool {
    one.rule == finding.rule && one.severity ?? finding.severity == finding.severity
      && (one.step == nil || one.step == finding.step.number)
      && (one.path == nil || one.path == finding.path)
  }

  @Test func `are met in the order that a look at each would find`() throws {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      let count = Int.random(in: 0...12, using: &random)
      var plain = try (0..<count).map { try Choice(&random).expectation(line: $0) }
      var open = OpenExpectations(plain)
      for _ in 0..<10 {
        let finding = try Choice(&random).finding
        let matching = plain.indices.filter { matches(plain[$0], finding) }
        let closest = matching.min { Choice.freedom(plain[$0]) < Choice.freedom(plain[$1]) }
        if let closest { plain.remove(at: closest) }
        #expect(open.meet(finding) == (closest != nil))
        #expect(open.rest == plain)
      }
    }
  }
}
