import BackupDevice
import BackupScenarios

extension Arguments {
  /// The systems of `--system`; nil for all.
  func systems() throws(CommandError) -> Set<SystemVersion>? {
    let names = allValues(of: "--system")
    guard !names.isEmpty else { return nil }
    var systems: Set<SystemVersion> = []
    for name in names {
      guard let profile = SystemProfile(version: name) else {
        throw CommandError("--system: \(SystemProfile.objection(to: name))")
      }
      systems.insert(profile.version)
    }
    return systems
  }

  /// Refuses too few or too many operands.
  func requireOperands(
    _ counts: ClosedRange<Int>, of command: any Command.Type
  ) throws(CommandError) {
    guard !counts.contains(operands.count) else { return }
    if let extra = operands.dropFirst(counts.upperBound).first {
      throw CommandError("'\(extra)' is one operand too many; \(Help.usage(of: command))")
    }
    throw CommandError("an operand is missing; \(Help.usage(of: command))")
  }
}
