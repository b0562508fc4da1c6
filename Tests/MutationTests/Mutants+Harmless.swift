@testable import BackupRules
@testable import BackupScenarios

extension Mutant {
  /// Mutants that change nothing. They prove that the way to make a mutant causes no failure
  /// itself.
  static let harmless: [Mutant] = [
    Mutant("none", of: .whole, near: []) { _ in },
    Mutant("every one that changes nothing", of: .whole, near: []) { kit in
      for mutant in devices + rules { mutant.spoil(&kit) }
      for mutant in harmlessSteps {
        let earlierPreparation = kit.prepare
        mutant.spoil(&kit)
        let laterPreparation = kit.prepare
        kit.prepare = { laterPreparation(earlierPreparation($0)) }
      }
    },
  ]

  /// Mutants of simulators that change nothing.
  private static let devices: [Mutant] = [
    .profile("profile", near: []) { _ in },
    .backup("backup", near: []) { decision, _ in decision },
    .purge("purge", near: []) { _, _, _ in },
    .update("update", near: []) { _, _ in },
    .restore("restore", near: []) { _, _, _ in }, .offload("offload", near: []) { _, _ in },
    .operation("operation", near: []) { operation, _, _, standard in try standard(operation) },
  ]

  /// Mutants of rules that change nothing.
  private static let rules = RuleList.all.map { rule in
    Mutant.finding("finding", of: rule) { finding, _ in finding }
  }

  /// Mutants of steps that change nothing.
  static let harmlessSteps: [Mutant] = [
    unchangedStep(.backup), unchangedStep(.purge), unchangedStep(.updateApp),
    unchangedStep(.updateSystem), unchangedStep(.restore), unchangedStep(.place),
    unchangedStep(.offload), unchangedStep(.reinstall),
    unchangedStep(.kill), unchangedStep(.restart), unchangedStep(.lock), unchangedStep(.unlock),
    unchangedStep(.relaunch),
    .layout("layout") { _ throws(StepFailure) in },
  ]

  /// A mutant that performs a kind of step correctly.
  private static func unchangedStep(_ keyword: StepKeyword) -> Mutant {
    .step(keyword.rawValue, keyword, near: []) { step, run throws(StepFailure) in
      try await run.carryOut(step)
    }
  }
}
