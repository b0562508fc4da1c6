@testable import BackupRules
@testable import BackupScenarios

extension Mutant {
  /// Changes that change nothing, so that no way to spoil is itself what is caught.
  static let harmless: [Mutant] = [
    Mutant("none", of: .whole, near: []) { _ in },
    Mutant("every one that changes nothing", of: .whole, near: []) { kit in
      for mutant in devices + rules { mutant.spoil(&kit) }
      for mutant in harmlessRunners {
        let prepare = kit.prepare
        mutant.spoil(&kit)
        let further = kit.prepare
        kit.prepare = { further(prepare($0)) }
      }
    },
  ]

  /// A device that is as it is.
  private static let devices: [Mutant] = [
    .profile("profile", near: []) { _ in },
    .backup("backup", near: []) { decision, _ in decision },
    .purge("purge", near: []) { _, _, _ in },
    .update("update", near: []) { _, _ in },
    .restore("restore", near: []) { _, _, _ in }, .offload("offload", near: []) { _, _ in },
    .operation("operation", near: []) { operation, _, _, standard in try standard(operation) },
  ]

  /// Rules that are as they are.
  private static let rules = RuleList.all.map { rule in
    Mutant.finding("finding", of: rule) { finding, _ in finding }
  }

  /// Steps that are done as they are.
  static let harmlessRunners: [Mutant] = [
    asIs(.backup), asIs(.purge), asIs(.updateApp),
    asIs(.updateSystem), asIs(.restore), asIs(.place),
    asIs(.offload), asIs(.reinstall),
    asIs(.kill), asIs(.restart), asIs(.lock), asIs(.unlock),
    asIs(.relaunch),
    .layout("layout") { _ throws(StepFailure) in },
  ]

  /// A step that is done as it is.
  private static func asIs(_ keyword: StepKeyword) -> Mutant {
    .step(keyword.rawValue, keyword, near: []) { step, run throws(StepFailure) in
      try await run.carryOut(step)
    }
  }
}
