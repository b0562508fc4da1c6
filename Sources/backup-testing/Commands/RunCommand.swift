import BackupDevice
import BackupDiagnostics
import BackupReports
import BackupScenarios
import BackupVerdicts
import Foundation

extension Command {
  static let run = Command(
    name: "run",
    operands: "[FOLDER|FILE|ID…]",
    summary: "Runs scenarios, and compares the outcomes with golden files.",
    discussion: """
      By default, the folder Scenarios is run. If a scenario has no golden file, one is written and
      printed, so that you can check it; if CI is set, none is written. A scenario
      that performs the app's own code is skipped; the exit status is 1 if all are skipped.
      """,
    options: [
      .golden, .pending, .filter, tag, .shard, .system, record, .format(SuiteReport.formats),
      .output, guidance, .allowRun, .allowBackups, .limit, strict, deleteOrphans, watch,
    ],
    variables: [.record, .pending, .ci, .shard, .temporaryFolder, .jobSummary]
      + EnvironmentVariable.originVariables,
    run: runOrWatch, handleError: writeObstacle)

  private static let tag = Option(
    "--tag", value: "WORD", "only scenarios with this tag; may be repeated")
  private static let watch = Option(
    "--watch", "run again after each change of a scenario file or \(AppFile.name)")
  private static let record = Option(
    "--record", value: "MODE", "write golden files: never, missing, failed or all",
    possibleValues: RecordMode.allCases.map(\.rawValue))
  private static let guidance = Option(
    "--guidance", value: "WORD",
    "'ignored': marked items are backed up; no golden file is compared", possibleValues: ["ignored"]
  )
  private static let strict = Option(
    "--strict", "unexpected warnings, advice and skipped scenarios also fail")
  private static let deleteOrphans = Option(
    "--delete-orphans", "delete golden files that belong to no scenario")

  private static func runOrWatch(_ arguments: Arguments) async throws -> ExitStatus {
    guard arguments.has(watch) else { return try await runScenarios(arguments) }
    return await WatchedFiles.repeating("a scenario file or \(AppFile.name)") {
      // If the scenarios cannot be found, the run itself reports the error.
      WatchedFiles(edited: (try? ScenarioSelection(arguments).watchedPaths) ?? [])
    } work: {
      do {
        return try await runScenarios(arguments)
      } catch {
        writeObstacle(for: error, arguments)
        Output.error(error)
        return .unusableInput
      }
    }
  }

  private static func runScenarios(_ arguments: Arguments) async throws -> ExitStatus {
    let output = try ReportOutput(arguments)
    if arguments.has(tag), arguments.has(.shard) {
      throw CommandError("--tag and --shard cannot be combined; use one of them")
    }
    let selection = try ScenarioSelection.inShard(arguments)
    let suite = try suite(arguments)
    let deletesOrphans = try deletesOrphans(arguments, in: selection)
    try output.writeUnfinishedReport()
    var (report, sharedFileUse) = try await report(
      on: selection, taggedBy: arguments.allValues(of: tag), by: suite,
      withRuns: output.format.traits.contains(.showsRuns))
    let isDeletingOrphans = deletesOrphans && report.isGreen
    if isDeletingOrphans { deleteOrphans(of: &report) }
    try output.write(report)
    do {
      try output.printRemainingParts(report)
    } catch {
      // The file still contains the report of the whole run.
      Output.error(error)
      return .unusableInput
    }
    guard !report.hasUnreadableScenario else { return .unusableInput }
    let coversAllScenarios =
      selection.selectsWholeFolders && selection.containsAppFiles && selection.shard == nil
      && !arguments.has(tag) && suite.selectedSystems == nil
    if coversAllScenarios, !Task.isCancelled { Output.error(sharedFileUse.notes) }
    if deletesOrphans, !isDeletingOrphans, report.obstacle == nil {
      Output.error(
        "\(deleteOrphans.name) deleted nothing, because a scenario did not pass; fix it first\n")
    }
    return report.isGreen ? .success : .failure
  }

  /// Writes a report that has only the error. If `--format` is wrong, uses the default format.
  private static func writeObstacle(for error: any Error, _ arguments: Arguments) {
    let format = try? arguments.format(of: SuiteReport.formats)
    do {
      let output = try ReportOutput(
        format: format ?? SuiteReport.formats[0], file: ReportOutput.file(arguments))
      try output.write(SuiteReport(obstacle: "\(error)"))
    } catch let newError where "\(newError)" != "\(error)" {
      // The file may still contain an earlier report.
      Output.error(newError)
    } catch {
      // The caller reports this error.
    }
  }

  private static func deletesOrphans(
    _ arguments: Arguments, in selection: ScenarioSelection
  ) throws -> Bool {
    guard arguments.has(deleteOrphans) else { return false }
    guard selection.selectsWholeFolders, selection.shard == nil, !arguments.has(tag) else {
      throw CommandError(
        "\(deleteOrphans.name) needs a whole folder; remove --filter, --shard, --tag, files and ids"
      )
    }
    guard !isCI else {
      throw CommandError(
        "\(deleteOrphans.name) deletes nothing if CI is set; delete on your own machine, check "
          + "the changes, and commit them")
    }
    return true
  }

  /// Runs the selected scenarios, and returns the report. Also returns how the scenarios used the
  /// app files.
  private static func report(
    on selection: ScenarioSelection, taggedBy tags: [String], by suite: ScenarioSuite,
    withRuns: Bool
  ) async throws -> (SuiteReport, SharedFileUse) {
    var (selectedFolders, mistakenFiles) = selection.read()
    var sharedFileUse = SharedFileUse()
    guard mistakenFiles.isEmpty else {
      var report = SuiteReport(mistakenFiles.map { ScenarioReport($0) })
      report.origin = .current()
      return (report, sharedFileUse)
    }
    if !tags.isEmpty {
      for index in selectedFolders.indices {
        selectedFolders[index].scenarios.removeAll { Set(tags).isDisjoint(with: $0.tags) }
      }
      if selectedFolders.allSatisfy(\.scenarios.isEmpty) {
        throw CommandError("no scenario has the tag '\(tags.joined(separator: "' or '"))'")
      }
    }
    var scenarioReports: [ScenarioReport] = []
    for selectedFolder in selectedFolders {
      var suite = suite
      suite.goldens = suite.ignoresGuidance ? nil : selectedFolder.goldens
      scenarioReports += await suite.run(selectedFolder.scenarios).map { result in
        sharedFileUse.add(result)
        return ScenarioReport(result, withRuns: withRuns)
      }
    }
    guard !scenarioReports.isEmpty else {
      throw CommandError(
        "none of these scenarios runs on the version of iOS that --system names; name another"
          + (selection.shard == nil ? "" : ", or use fewer shards"))
    }
    var report = SuiteReport(scenarioReports, orphansFail: isCI)
    report.origin = .current()
    report.unselectedScenarioCount =
      selectedFolders.reduce(0) { $0 + $1.scenarios.count } - scenarioReports.count
    if report.count(.skipped) == scenarioReports.count {
      report.obstacle = "nothing was tested, because every scenario was skipped"
    }
    do {
      report.orphans = try selection.orphans()
    } catch {
      report.obstacle = "\(error)"
    }
    return (report, sharedFileUse)
  }

  private static var isCI: Bool { RecordMode.isCI(ProcessInfo.processInfo.environment) }

  private static func suite(_ arguments: Arguments) throws -> ScenarioSuite {
    let systems = try arguments.systems()
    let runner = try arguments.runner()
    let recordWord = arguments.value(of: record)
    let recordMode =
      if let recordWord {
        try RecordMode.mode(named: recordWord, by: record.name)
      } else {
        try RecordMode.mode(in: ProcessInfo.processInfo.environment)
      }
    var suite = ScenarioSuite(goldens: nil, recordMode: recordMode, runner: runner)
    suite.isRecordingRequested =
      recordWord != nil || RecordMode.isSet(in: ProcessInfo.processInfo.environment)
    suite.isStrict = arguments.has(strict)
    suite.leavesNewTextsForReview = !isCI
    suite.selectedSystems = systems
    let guidance: SystemProfile.Guidance? = try arguments.word(of: guidance, named: "value")
    suite.ignoresGuidance = guidance == .ignored
    guard recordWord != nil, recordMode != .never else { return suite }
    if suite.selectedSystems != nil {
      throw CommandError(
        "golden files cannot be recorded for a part of the systems; remove --system or --record")
    }
    if suite.ignoresGuidance {
      throw CommandError("golden files cannot be recorded with ignored marks; remove --record")
    }
    return suite
  }

  /// Deletes the golden files that belong to no scenario. The report then lists only those that
  /// could not be deleted.
  private static func deleteOrphans(of report: inout SuiteReport) {
    var remainingPaths: [String] = []
    for path in report.orphans {
      do {
        try FileManager.default.removeItem(atPath: path)
        Output.error("deleted \(path.onOneLine)\n")
      } catch {
        remainingPaths.append(path)
        report.obstacle = "\(path): cannot be deleted: \(error.reason)"
      }
    }
    report.orphans = remainingPaths
  }
}
