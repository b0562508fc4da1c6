import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios

/// The list of mutants: whoever adds a rule, a step of the system's or a function that acts for the
/// system is told here which mutant is missing.
@Suite struct MutantListTests {
  /// The functions that act for the system, by their properties' names; `perform` does every step,
  /// and each kind of step has mutants of its own.
  static let functions = Mirror(reflecting: Simulators.standard).children.compactMap(\.label)
    .filter { $0 != "perform" }
  /// The keywords of the steps that the system does.
  static let systemSteps = StepKind.all.filter { $0.actor == .system }.map(\.keyword.rawValue)

  /// Whether some mutant makes a part wrong.
  private func isSpoilt(_ part: Mutant.Part) -> Bool {
    Mutant.all.contains { $0.part == part }
  }

  @Test(arguments: functions)
  func `each function that acts for the system has a mutant`(function: String) {
    #expect(isSpoilt(.function(function)), "Simulators.\(function) has no mutant")
  }

  @Test(arguments: systemSteps)
  func `each step of the system's has a mutant, and one that changes nothing`(step: String) {
    #expect(isSpoilt(.step(step)), "the step '\(step)' has no mutant")
    #expect(Mutant.harmlessRunners.contains { $0.part == .step(step) }, "'\(step)' as it is")
  }

  @Test(arguments: RuleList.all.filter { $0.basis != .check }.map(\.name))
  func `each rule has a mutant of a decision of its own`(rule: String) {
    let generic = Set(Mutant.everyRule.map(\.name))
    let own = Mutant.all.filter { $0.part == .rule(rule) && !generic.contains($0.name) }
    #expect(!own.isEmpty, "\(rule) is only switched off, moved and weighed otherwise")
  }

  @Test func `each mutant is of a part that there is`() {
    let parts: Set<Mutant.Part> = Set(
      Self.functions.map { .function($0) } + RuleList.names.map { .rule($0) }
        + Self.systemSteps.map { .step($0) } + [.layout, .whole])
    let strays = Mutant.all.filter { !parts.contains($0.part) }
    #expect(strays.map(\.name) == [])
  }

  @Test func `names tell mutants apart`() {
    let names = Mutant.all.map(\.name)
    #expect(Set(names).count == names.count && !names.isEmpty)
  }
}
