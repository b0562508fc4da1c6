import BackupDevice
import BackupDiagnostics
import BackupFolders
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
    "limit work (units), bytes (disk), searched (bytes per file); may be repeated")

  static func format<Subject>(_ formats: [OutputFormat<Subject>]) -> Option {
    let names = formats.map(\.name)
    return Option("--format", value: "FORMAT", names.joined(separator: ", "), possibleValues: names)
  }
}

extension Arguments {
  /// Returns the versions of iOS that `--system` names, or nil for all versions.
  func systems() throws -> Set<SystemVersion>? {
    let names = allValues(of: .system)
    guard !names.isEmpty else { return nil }
    return Set(try names.map { try SystemProfile.named($0, by: .system).version })
  }

  func limits() throws -> Scenario.RunLimits {
    var limits = Scenario.RunLimits()
    for assignment in allValues(of: .limit) {
      try CommandError.naming(.limit) { try limits.set(assignment) }
    }
    return limits
  }

  func runner() throws -> ScenarioRunner {
    var runner = ScenarioRunner()
    if has(.allowRun) { runner.permissions.insert(.processes) }
    if has(.allowBackups) { runner.permissions.insert(.folders) }
    runner.backupReader = .finder
    runner.limits = try limits()
    return runner
  }

  /// Returns a runner for a scenario. If the scenario performs the app's own code, throws an error
  /// whose message ends with `advice`.
  func runner(for scenario: Scenario, orElse advice: String? = nil) throws -> ScenarioRunner {
    let runner = try runner()
    if let step = runner.firstUnboundStep(of: scenario) {
      throw RunError([
        ScenarioDiagnostic(
          file: scenario.file, position: step.position,
          message: step.reasonNotToRun + (advice.map { "; \($0)" } ?? ""))
      ])
    }
    return runner
  }

  func requiredValue(_ option: Option) throws -> String {
    guard let value = value(of: option) else {
      throw CommandError("'\(option.name)' is missing: \(option.usage)")
    }
    return value
  }

  /// Returns the case whose raw value is the value of an option, or nil without the option.
  func word<Word: CaseIterable & RawRepresentable<String>>(
    of option: Option, named noun: String
  ) throws -> Word? {
    try CommandError.naming(option) { try value(of: option).map { try Word.named($0, as: noun) } }
  }

  func format<Subject>(of formats: [OutputFormat<Subject>]) throws -> OutputFormat<Subject> {
    let option = Option.format(formats)
    return try CommandError.naming(option) { try formats.format(named: value(of: option)) }
  }
}

extension CaseIterable where Self: RawRepresentable<String> {
  /// Finds a case by its raw value. The error calls the case a `noun`, and suggests a similar one.
  static func named(_ word: String, as noun: String) throws -> Self {
    if let value = Self(rawValue: word) { return value }
    let advice = NearestWord.advice(for: word, in: allCases.map(\.rawValue))
    throw CommandError("unknown \(noun) '\(word)'; \(advice)")
  }
}

extension SystemProfile {
  /// Returns the profile that an option names. If the kit does not know the version, returns the
  /// newest earlier profile, or else the oldest, and says so on standard error.
  static func named(_ name: String, by option: Option) throws -> SystemProfile {
    // If the name is not a version at all, the error is thrown below.
    if let profile = try? named(name) { return profile }
    guard let version = SystemVersion(name), let nearest = newest(upTo: version) ?? all.first
    else { return try CommandError.naming(option) { try named(name) } }
    Output.error(
      "backup-testing: \(option.name) \(name): the kit has no rules of this version; those of "
        + "iOS \(nearest.version) are used\n")
    return nearest
  }
}

extension Scenario {
  /// Returns the message for the case that `--system` names none of the scenario's versions of iOS.
  func noSystemMessage(among allowedSystems: Set<SystemVersion>?) -> String {
    let scenarioSystems = systems.map(\.description).joinedInWords
    let requestedSystems = (allowedSystems ?? []).sorted().map(\.description).joinedInWords
    return
      "scenario '\(id)' runs on iOS \(scenarioSystems) only; --system named \(requestedSystems)"
  }
}
