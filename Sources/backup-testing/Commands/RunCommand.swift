import BackupScenarios
import DeviceSimulation
import Foundation

/// `run`: runs scenarios and compares every backup set with its golden file.
enum RunCommand: Command {
  static let name = "run"
  static let operands = "[FOLDER|FILE…]"
  static let summary = "Runs scenarios and compares what the system did with golden files."
  static let discussion = """
    Without a folder or file, the folder Scenarios is run. A scenario without a golden file gets one
    (unless CI is set) and fails once, so that somebody looks at what was recorded.
    """
  static let options = [
    ScenarioSelection.goldenOption, ScenarioSelection.filterOption,
    Option("--system", "VERSION", "run under this version of iOS only; may be repeated"),
    Option("--record", "MODE", "write golden files: never, missing, failed or all"),
    Option("--format", "FORMAT", "text, json, junit or github"),
    Option("--output", "FILE", "write the report to a file instead of standard output"),
    Option("--guidance", "WORD", "'ignored': marked items are backed up anyway"),
    Option("--allow-run", nil, "let 'run' steps start processes; only for files that you trust"),
    Option("--strict", nil, "unexpected warnings and advice fail too"),
    Option("--delete-orphans", nil, "delete golden files that no scenario names"),
  ]

  static func run(_ arguments: Arguments) async throws(CommandError) -> ExitStatus {
    let format = try reportFormat(arguments)
    let selection = try ScenarioSelection(arguments)
    let suite = try suite(arguments)
    var results: [ScenarioResult] = []
    for part in try selection.parts() {
      var suite = suite
      suite.goldens = part.goldens
      results += await suite.run(part.scenarios)
    }
    guard !results.isEmpty else {
      throw CommandError("no scenario of these runs under the named systems")
    }
    let report = try self.report(results, selection, arguments)
    try write(report, format, to: arguments.value(of: "--output"))
    return report.isGreen ? .success : .failure
  }

  /// The suite that the options describe.
  private static func suite(_ arguments: Arguments) throws(CommandError) -> ScenarioSuite {
    do throws(RunError) {
      let asked = arguments.value(of: "--record")
      let mode = try recordMode(named: asked)
      var suite = ScenarioSuite(goldens: GoldenStore(folder: "Golden"), recordMode: mode)
      suite.isStrict = arguments.has("--strict")
      suite.runner.allowsProcesses = arguments.has("--allow-run")
      suite.systems = try systems(arguments)
      suite.ignoresGuidance = try ignoresGuidance(arguments)
      if suite.systems != nil, asked != nil, mode != .never {
        throw RunError("a part of the systems cannot be recorded; leave out --system or --record")
      }
      return suite
    } catch {
      throw CommandError(error.description)
    }
  }

  /// The record mode of `--record`, or of the environment.
  private static func recordMode(named name: String?) throws(RunError) -> RecordMode {
    guard let name else { return try RecordMode.mode(in: ProcessInfo.processInfo.environment) }
    return try RecordMode.mode(named: name, by: "--record")
  }

  /// The systems of `--system`; nil for all.
  private static func systems(_ arguments: Arguments) throws(RunError) -> Set<SystemVersion>? {
    let names = arguments.allValues(of: "--system")
    guard !names.isEmpty else { return nil }
    var systems: Set<SystemVersion> = []
    for name in names {
      guard let profile = SystemProfile(version: name) else {
        let known = SystemProfile.all.map(\.version.description).joined(separator: ", ")
        throw RunError("--system: there is no profile of iOS '\(name)'; known are \(known)")
      }
      systems.insert(profile.version)
    }
    return systems
  }

  /// Whether `--guidance ignored` is given.
  private static func ignoresGuidance(_ arguments: Arguments) throws(RunError) -> Bool {
    guard let word = arguments.value(of: "--guidance") else { return false }
    guard let guidance = SystemProfile.Guidance(rawValue: word) else {
      let words = SystemProfile.Guidance.allCases.map(\.rawValue)
      throw RunError("--guidance: \(NearestWord.advice(for: word, in: words))")
    }
    return guidance == .ignored
  }

  /// The format of `--format`.
  private static func reportFormat(_ arguments: Arguments) throws(CommandError) -> ReportFormat {
    let name = arguments.value(of: "--format") ?? ReportFormat.text.name
    guard let format = ReportFormat.all.first(where: { $0.name == name }) else {
      let advice = NearestWord.advice(for: name, in: ReportFormat.all.map(\.name))
      throw CommandError("--format: there is no format '\(name)'; \(advice)")
    }
    return format
  }

  /// The report on a run; after a complete one golden files without a scenario are looked for.
  private static func report(
    _ results: [ScenarioResult], _ selection: ScenarioSelection, _ arguments: Arguments
  ) throws(CommandError) -> SuiteReport {
    var orphans = selection.orphans
    if arguments.has("--delete-orphans") {
      for path in orphans {
        do {
          try FileManager.default.removeItem(atPath: path)
        } catch {
          throw CommandError("\(path): cannot be deleted: \(error.localizedDescription)")
        }
      }
      orphans = []
    }
    return SuiteReport(
      results: results, orphans: orphans,
      orphansFail: RecordMode.isCI(ProcessInfo.processInfo.environment),
      isColored: Output.isErrorColored)
  }

  /// Writes a report: as text the problems to standard error and the summary to standard output.
  private static func write(
    _ report: SuiteReport, _ format: ReportFormat, to file: String?
  ) throws(CommandError) {
    if let file {
      do {
        let text = format.render(report)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
      } catch {
        throw CommandError("\(file): cannot be written: \(error.localizedDescription)")
      }
      Output.print(TextReport.summary(report))
    } else if format.name == ReportFormat.text.name {
      Output.error(TextReport.diagnostics(report))
      Output.print(TextReport.summary(report))
    } else {
      Output.print(format.render(report))
    }
  }
}
