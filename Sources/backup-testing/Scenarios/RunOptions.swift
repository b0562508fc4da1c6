import BackupDevice
import BackupDiagnostics
import BackupScenarios
import BackupVerdicts

extension Option {
  static let system = Option(
    "--system", value: "VERSION", "run only under this version of iOS, or 'newest'; may be repeated"
  )
  static let allowRun = Option(
    "--allow-run", "allow 'run' steps to start processes; only for files that you trust")

  static let allowBackups = Option(
    "--allow-backups",
    "allow scenarios to read containers and backups; only for files that you trust")

  static let limit = Option(
    "--limit", value: "NAME=N",
    "set a limit: work, bytes or searched; may be repeated")

  /// `--format`, with the names that it takes.
  static func format<Subject>(_ formats: [OutputFormat<Subject>]) -> Option {
    Option("--format", value: "FORMAT", formats.map(\.name).joined(separator: ", "))
  }
}

extension Arguments {
  /// The systems of `--system`; nil for all.
  func systems() throws(CommandError) -> Set<SystemVersion>? {
    let names = allValues(of: .system)
    guard !names.isEmpty else { return nil }
    var systems: Set<SystemVersion> = []
    for name in names {
      guard let profile = SystemProfile.named(name) else {
        throw CommandError("--system: \(SystemProfile.objection(to: name))")
      }
      systems.insert(profile.version)
    }
    return systems
  }

  /// The limits of `--limit`, and the usual ones where it says nothing.
  func limits() throws(CommandError) -> Scenario.RunLimits {
    var limits = Scenario.RunLimits()
    for words in allValues(of: .limit) {
      try CommandError.rethrowing("\(Option.limit.name): ") { () throws(RunError) in
        try limits.set(words)
      }
    }
    return limits
  }

  /// The format of `--format`, or the usual one.
  func format<Subject>(
    of formats: [OutputFormat<Subject>]
  ) throws(CommandError) -> OutputFormat<Subject> {
    let option = Option.format(formats)
    return try CommandError.rethrowing("\(option.name): ") { () throws(RunError) in
      try formats.format(named: value(of: option))
    }
  }
}
