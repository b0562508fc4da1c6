import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFolders
import BackupScenarios
import BackupVerdicts
import Foundation

extension Command {
  static let exportBackup = Command(
    name: "export-backup",
    operands: "ID|FILE", operandCounts: 1...1,
    summary: "Writes a simulated backup of a scenario as a folder, as the Finder does.",
    discussion: """
      The scenario is run, and the backup of the step is written to FOLDER, which must not exist yet:
      FOLDER/<device>/Manifest.db and its files, unencrypted, in the format of iOS 10 and later, of
      an invented device. Without --step, the scenario must take exactly one backup.
      """,
    options: [step, .newFolder, .scenarios, .system, .allowRun, .allowBackups, .limit],
    variables: [.temporaryFolder],
    run: writeBackup)

  private static let step = Option(
    "--step", value: "N", "the step that takes the backup; required if several steps do")

  private static func writeBackup(_ arguments: Arguments) async throws -> ExitStatus {
    let work = LongWork.begin("writing the backup")
    defer { work?.end() }
    let folder = try arguments.requiredValue(.newFolder)
    let scenario = try ScenarioFolder.scenario(
      named: arguments.operands[0], in: arguments.value(of: .scenarios))
    let stepNumber = try stepNumber(arguments, in: scenario)
    let writtenPath = Locked<String?>(nil)
    var runner = try arguments.runner(for: scenario)
    let variant = try variant(of: scenario, try arguments.systems())
    let app = scenario.app.bundleIdentifier
    runner.alwaysUsesDirectory = true
    runner.whenBackedUp = { backup, step, container throws(RunError) in
      guard step.number == stepNumber else { return }
      let simulatedBackup = try SimulatedBackup(
        backup.contents, of: backup.tree, in: container, app: app)
      guard !simulatedBackup.items.isEmpty else {
        throw RunError(
          .unwritable, "no folder was written, because the backup contains nothing of the app")
      }
      let origin = BackupOrigin(
        app: app, appVersion: scenario.app.version, system: variant.system,
        seed: "\(scenario.id) \(step) \(variant.system) \(variant.backups.rawValue)",
        date: Date().timeIntervalSinceReferenceDate.rounded())
      do throws(BackupFolderError) {
        let path = try simulatedBackup.write(of: origin, to: folder, from: container)
        writtenPath.withLock { $0 = path }
      } catch {
        throw RunError(.unwritable, error.description)
      }
    }
    let transcript = try await runner.run(scenario, variant)
    if let path = writtenPath.withLock({ $0 }) {
      try Output.print("\(path)\n")
      return .success
    }
    throw CommandError(
      transcript.failure.map { "\($0.step): \($0.message)" } ?? "no backup was taken")
  }

  private static func stepNumber(
    _ arguments: Arguments, in scenario: Scenario
  ) throws -> Scenario.StepReference.Number {
    let backupSteps = scenario.backupSteps
    let numbers = backupSteps.map(\.number)
    guard !backupSteps.isEmpty else {
      throw CommandError(
        "\(scenario.id) takes no backup; add a step such as { backup: \"at night\" }")
    }
    let advice = "\(scenario.id) takes a backup at \(backupSteps.map { "\($0)" }.joinedInWords)"
    if let text = arguments.value(of: step) {
      if let value = Int(text), numbers.contains(.step(value)) { return .step(value) }
      throw CommandError("--step: step '\(text)' does not take a backup; \(advice)")
    }
    guard numbers.count == 1 else { throw CommandError("name the step with --step: \(advice)") }
    return numbers[0]
  }

  /// Returns the version of iOS and the kind of backup to run with. The version is the newest that
  /// `--system` allows. The kind is local if the scenario has this kind.
  private static func variant(
    of scenario: Scenario, _ systems: Set<SystemVersion>?
  ) throws -> Scenario.Variant {
    let variants = scenario.variants.filter { systems?.contains($0.system) != false }
    let newestSystem = variants.map(\.system).max()
    let candidates = variants.filter { $0.system == newestSystem }
    guard let variant = candidates.first(where: { $0.backups == .local }) ?? candidates.first else {
      throw CommandError(scenario.noSystemMessage(among: systems))
    }
    return variant
  }
}
