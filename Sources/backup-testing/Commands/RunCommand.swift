import BackupDevice
import BackupDiagnostics
import BackupScenarios
import BackupVerdicts
import Foundation

/// `run`: runs scenarios and compares every backup set with its golden file.
enum RunCommand: Command {
  static let name = "run"
  static let operands = "[FOLDER|FILE|ID…]"
  static let summary = "Runs scenarios and compares what the system did with golden files."
  static let discussion = """
    Without a folder, file or id, the folder Scenarios is run. A scenario without a golden file gets
    one (unless CI is set) and fails once, so that somebody looks at what was recorded.
    """
  static let options = [
    ScenarioSelection.goldenOption, ScenarioSelection.filterOption,
    Option("--system", "VERSION", "run under this version of iOS only; may be repeated"),
    Option("--record", "MODE", "write golden files: never, missing, failed or all"),
    Option("--format", "FORMAT", "\(formatNames.joined(separator: ", "))"),
    Option("--output", "FILE", "write the report to a file instead of standard output"),
    Option("--guidance", "WORD", "'ignored': marked items are backed up; no golden is compared"),
    allowRun,
    Option("--strict", nil, "unexpected warnings and advice fail too"),
    Option(deleteOrphans, nil, "delete golden files that no scenario names"),
  ]

  /// The flag that permits processes.
  static let allowRun = Option(
    "--allow-run", nil, "let 'run' steps start processes; only for files that you trust")
  /// The flag that deletes golden files.
  private static let deleteOrphans = "--delete-orphans"
  /// The names of the report formats.
  private static let formatNames = ReportFormat.all.map(\.name)

  static func run(_ arguments: Arguments) async throws(CommandError) -> ExitStatus {
    let format = try reportFormat(arguments)
    let selection = try ScenarioSelection(arguments)
    let suite = try suite(arguments)
    if arguments.has(deleteOrphans), !selection.isComplete {
      throw CommandError("\(deleteOrphans) needs a whole folder; leave out --filter, files and ids")
    }
    var results: [ScenarioResult] = []
    var scenarioCount = 0
    for part in try selection.parts() {
      scenarioCount += part.scenarios.count
      var suite = suite
      suite.goldens = suite.ignoresGuidance ? nil : part.goldens
      results += await suite.run(part.scenarios)
    }
    guard !results.isEmpty else {
      throw CommandError("no scenario of these runs under the named systems")
    }
    var report = try self.report(results, selection, arguments)
    report.skippedCount = scenarioCount - results.count
    try write(report, format, to: arguments.value(of: "--output"))
    return report.isGreen ? .success : .failure
  }

  /// The suite that the options describe.
  private static func suite(_ arguments: Arguments) throws(CommandError) -> ScenarioSuite {
    let systems = try arguments.systems()
    do throws(RunError) {
      let asked = arguments.value(of: "--record")
      let mode = try recordMode(named: asked)
      var suite = ScenarioSuite(goldens: GoldenStore(folder: "Golden"), recordMode: mode)
      suite.isStrict = arguments.has("--strict")
      suite.runner.allowsProcesses = arguments.has(allowRun.name)
      suite.systems = systems
      suite.ignoresGuidance = try ignoresGuidance(arguments)
      if systems != nil, asked != nil, mode != .never {
        throw RunError(
          .contradictory, "a part of the systems cannot be recorded; leave out --system or --record"
        )
      }
      if suite.ignoresGuidance, asked != nil, mode != .never {
        throw RunError(
          .contradictory, "what ignored marks bring cannot be recorded; leave out --record")
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

  /// Whether `--guidance ignored` is given.
  private static func ignoresGuidance(_ arguments: Arguments) throws(RunError) -> Bool {
    guard let word = arguments.value(of: "--guidance") else { return false }
    guard let guidance = SystemProfile.Guidance(rawValue: word) else {
      let words = SystemProfile.Guidance.allCases.map(\.rawValue)
      throw RunError(
        .contradictory,
        "--guidance: there is no '\(word)'; \(NearestWord.advice(for: word, in: words))")
    }
    return guidance == .ignored
  }

  /// The format of `--format`.
  private static func reportFormat(_ arguments: Arguments) throws(CommandError) -> ReportFormat {
    let name = arguments.value(of: "--format") ?? ReportFormat.text.name
    guard let format = ReportFormat.all.first(where: { $0.name == name }) else {
      let advice = NearestWord.advice(for: name, in: formatNames)
      throw CommandError("--format: there is no format '\(name)'; \(advice)")
    }
    return format
  }

  /// The report on a run; after a complete one golden files without a scenario are looked for.
  private static func report(
    _ results: [ScenarioResult], _ selection: ScenarioSelection, _ arguments: Arguments
  ) throws(CommandError) -> SuiteReport {
    var orphans = selection.orphans
    if arguments.has(deleteOrphans) {
      for path in orphans {
        do {
          try FileManager.default.removeItem(atPath: path)
        } catch {
          throw CommandError("\(path): cannot be deleted: \(error.reason)")
        }
        Output.error("deleted \(path.onOneLine)\n")
      }
      orphans = []
    }
    return SuiteReport(
      results: results, orphans: orphans,
      orphansFail: RecordMode.isCI(ProcessInfo.processInfo.environment))
  }

  /// Writes a report to standard output or a file; problems go to standard error where the report
  /// does not show them.
  private static func write(
    _ report: SuiteReport, _ format: ReportFormat, to file: String?
  ) throws(CommandError) {
    if let file {
      try Output.write(format.render(report), to: file)
    } else if format.name != ReportFormat.text.name {
      try Output.print(format.render(report))
      guard !format.showsProblems else { return }
    }
    Output.error(TextReport.diagnostics(report.colored(Output.isErrorColored)))
    guard file != nil || format.name == ReportFormat.text.name else { return }
    try Output.print(TextReport.summary(report.colored(Output.isOutputColored)))
  }
}
