import BackupCollections
import BackupContainer
import BackupDiagnostics
import BackupReports
import BackupSourceIndex
import BackupVerdicts
import Foundation

extension Command {
  static let report = Command(
    name: "report",
    operands: "RESULTS…", operandCounts: 1...Int.max,
    summary: "Makes one report from the results that tests or runs have written.",
    discussion: """
      RESULTS are files that tests write with BACKUP_TESTING_REPORT=FILE, or that 'run --format
      json' writes. The files of several shards make one report. With --scenarios, the report also
      names golden files without a scenario, and scenarios without a result. If a finding names no
      line of code, --index-store adds the places in the app's sources that may cause it.
      """,
    options: [.format(SuiteReport.formats), .output, .scenarios, .golden, .indexStore],
    variables: [.jobSummary],
    run: writeReport)

  private static func writeReport(_ arguments: Arguments) async throws -> ExitStatus {
    let work = LongWork.begin("writing the report")
    defer { work?.end() }
    let output = try ReportOutput(arguments)
    var report = SuiteReport()
    let pathGroups = arguments.operands.grouped { TextFile(path: $0).resolvedPath }
    if let repeatedPath = pathGroups.first(where: { $0.count > 1 })?.first {
      throw CommandError("\(repeatedPath): these results are named twice; name them once")
    }
    var origins: [ReportOrigin?] = []
    for path in arguments.operands {
      let partialReport = try SuiteReport(at: path)
      origins.append(partialReport.origin)
      report.scenarios += partialReport.scenarios
      report.failedTests += partialReport.failedTests
      report.orphans += partialReport.orphans.filter { !report.orphans.contains($0) }
      report.orphansFail = report.orphansFail || partialReport.orphansFail
      report.unselectedScenarioCount += partialReport.unselectedScenarioCount
      report.obstacle = report.obstacle ?? partialReport.obstacle.map { "\(path): \($0)" }
    }
    report.origin = .common(to: origins)
    report.scenarios.sort { ($0.id, $0.file) < ($1.id, $1.file) }
    if let folder = arguments.value(of: .scenarios) {
      let ids = try ScenarioFolder(path: folder).files.map(\.id)
      let missingIDs = Set(ids).subtracting(report.scenarios.map(\.id))
      if let firstMissingID = missingIDs.min() {
        report.obstacle =
          "\(missingIDs.count.counted("scenario")) of \(folder) "
          + "\(missingIDs.count.wordForm("is", plural: "are")) not in the results, such as '\(firstMissingID)'"
      }
      report.orphans = try GoldenStore(named: arguments.value(of: .golden), besideScenarios: folder)
        .orphans(notOwnedBy: ids)
    }
    if let storePath = arguments.value(of: .indexStore) {
      try output.file?.requireOutside(of: storePath, andNoneOf: arguments.operands)
      do {
        let index = try SourceIndex(store: storePath)
        for note in index.notes { Output.error("note: \(note.onOneLine)\n".asMessage) }
        report.addSuspectedPlaces(from: index)
      } catch let error as RunError {
        Output.error("note: \("\(error)".onOneLine); the report has no hints from it\n".asMessage)
      }
    }
    if report.scenarios.isEmpty, report.obstacle == nil {
      report.obstacle = "no scenario is in the results, so nothing was tested"
    }
    try output.writeAndPrintProblems(report)
    guard !report.hasUnreadableScenario else { return .unusableInput }
    return report.isGreen ? .success : .failure
  }
}

extension SuiteReport {
  init(at path: String) throws {
    let bytes = try RegularFile.bytesOfReport("results", at: path)
    do {
      try self.init(results: bytes)
    } catch let error as RunError {
      throw CommandError("\(path): \(error)")
    } catch {
      throw CommandError(
        "\(path): these are not results of this kit; expected a file that tests write with "
          + "BACKUP_TESTING_REPORT=FILE, or that 'run --format json' writes")
    }
  }
}
