import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios

/// The list of mutants is complete. If somebody adds a rule, a system step or a simulator, these
/// tests name the missing mutant.
@Suite struct MutantListTests {
  /// The functions of ``Simulators``, by their properties' names.
  ///
  /// They leave out `perform`, which performs all steps. Each kind of step has its own mutants.
  static let functions = Mirror(reflecting: Simulators.standard).children.compactMap(\.label)
    .filter { $0 != "perform" }
  /// The keywords of the system steps.
  static let systemSteps = StepKind.all.filter { $0.actor == .system }.map(\.keyword.rawValue)

  private func hasMutant(_ part: Mutant.Part) -> Bool {
    Mutant.all.contains { $0.part == part }
  }

  @Test(arguments: functions)
  func `each function of the simulators has a mutant`(function: String) {
    #expect(hasMutant(.function(function)), "Simulators.\(function) has no mutant")
  }

  @Test(arguments: systemSteps)
  func `each system step has a mutant, and one that changes nothing`(step: String) {
    #expect(hasMutant(.step(step)), "the step '\(step)' has no mutant")
    #expect(Mutant.harmlessSteps.contains { $0.part == .step(step) }, "'\(step)' as it is")
  }

  @Test(arguments: RuleList.all.filter { $0.basis != .check }.map(\.name))
  func `each rule has a mutant that no other rule has`(rule: String) {
    let commonNames = Set(Mutant.commonRuleMutants.map(\.name))
    let ownMutants = Mutant.all.filter { $0.part == .rule(rule) && !commonNames.contains($0.name) }
    #expect(!ownMutants.isEmpty, "\(rule) is only switched off, moved and weighed otherwise")
  }

  @Test func `each mutant changes an existing part of the kit`() {
    let parts: Set<Mutant.Part> = Set(
      Self.functions.map { .function($0) } + RuleList.names.map { .rule($0) }
        + Self.systemSteps.map { .step($0) } + [.layout, .whole])
    let mutantsOfUnknownParts = Mutant.all.filter { !parts.contains($0.part) }
    #expect(mutantsOfUnknownParts.map(\.name) == [])
  }

  @Test func `each mutant has a unique name`() {
    let names = Mutant.all.map(\.name)
    #expect(Set(names).count == names.count && !names.isEmpty)
  }
}
