import BackupContainer
import BackupDiagnostics
import BackupReports
import BackupScenarios
import BackupVerdicts
import Foundation

extension Command {
  static let test = Command(
    name: "test", operands: "[-- ARGUMENT…]",
    summary: "Runs 'swift test', and shows what failed and what waits for a review.",
    discussion: """
      It tests the package in the working directory. ARGUMENTs are those of 'swift test', such as
      -- --filter Backup. The results are in .build/backup-testing/results.json, which 'report' and
      'explain' read, and the page of the report is beside them. The exit status is 0 if the tests
      pass, 1 if they fail or cannot be built, and 2 if the arguments are wrong.
      """,
    options: [reviewing, watch, open],
    variables: [.record, .pending, .ci, .shard, .temporaryFolder],
    run: testOrWatch)

  private static let reviewing = Option(
    "--review", "review the changes of golden files that wait for it")
  private static let watch = Option(
    "--watch", "test again after each change of a source, test, scenario or golden file")
  private static let open = Option("--open", "open the page of the report; with --watch, only once")

  private static func testOrWatch(_ arguments: Arguments) async throws -> ExitStatus {
    guard FileKind(at: "Package.swift", followingLinks: true) == .file else {
      throw CommandError(
        "there is no Package.swift here; run this in the folder of a package. For an Xcode project, run "
          + "the tests in Xcode")
    }
    let packageTests = try PackageTests()
    var opensPage = arguments.has(open)
    func testOnce() async throws -> ExitStatus {
      let status = try await packageTests.run(arguments.operands)
      guard !Task.isCancelled else { return status }
      let isGreen = try packageTests.show(after: status, reviewing: arguments.has(reviewing))
      if opensPage { try packageTests.openPage() }
      opensPage = false
      return status == .success && !isGreen ? .failure : status
    }
    guard arguments.has(watch) else { return try await testOnce() }
    return await WatchedFiles.repeating("the package's files", files: WatchedFiles.ofPackage) {
      do {
        return try await testOnce()
      } catch {
        Output.error(error)
        return .unusableInput
      }
    }
  }
}

/// Runs the tests of the package in the working directory, and shows their results.
private struct PackageTests {
  /// The exit status of SwiftPM for arguments that it does not know (`EX_USAGE`).
  private static let usageStatus: Int32 = 64
  private static let folder = ".build/backup-testing"

  /// The files for the results and the page. Their paths are absolute, with all links resolved. The
  /// kit would refuse a relative path if a link, such as `.build`, leads out of the working
  /// directory.
  private let resultsFile: TextFile
  private let pageFile: TextFile

  init() throws {
    try TextFile(path: "\(Self.folder)/results.json").makeFolder()
    let realFolder = TextFile.realPath(of: Self.folder) ?? Self.folder
    resultsFile = try TextFile(reportAt: "\(realFolder)/results.json")
    pageFile = try TextFile(reportAt: "\(realFolder)/report.html")
  }

  /// Runs the tests. Their output goes to standard output. Earlier results are removed first. If
  /// the tests cannot be built, there are thus no results.
  func run(_ arguments: [String]) async throws -> ExitStatus {
    try resultsFile.makeFolder()
    for file in [resultsFile, pageFile] where unlink(file.path) != 0 && errno != ENOENT {
      throw CommandError("\(file.path): cannot be removed: \(POSIXError.last.reason)")
    }
    var environment = ProcessInfo.processInfo.environment
    environment["BACKUP_TESTING_REPORT"] = resultsFile.path
    let testCommand = ProcessCommand.programOnPath(
      ["swift", "test"] + arguments, in: environment, printingTo: .standardOutput)
    guard let testCommand else {
      throw CommandError("there is no 'swift' on PATH; put the folder of Swift's toolchain there")
    }
    UnfinishedWork.shared.begin()
    defer { UnfinishedWork.shared.end() }
    switch try await testCommand.run().get().cause {
    case .exited(0): return .success
    case .exited(Self.usageStatus): return .unusableInput
    case .exited, .cancelled: return .failure
    case let cause:
      Output.error("'swift test' \(cause.description(timeLimit: 0))\n")
      return .failure
    }
  }

  /// Prints the failures, the changes that wait for a review, the path of the page, and the counts.
  /// Returns false if the results have a failure. Returns true if there are no results, because
  /// then only `status` shows whether the tests passed.
  func show(after status: ExitStatus, reviewing isReviewing: Bool) throws -> Bool {
    guard resultsFile.isRegularFile else {
      let reason =
        switch status {
        case .success: "these tests did not use the kit"
        case .failure: "the tests could not be built, or ended early; see the messages above"
        case .unusableInput: "'swift test' does not know these arguments"
        }
      Output.error("backup-testing: there are no results: \(reason)\n")
      return true
    }
    var report = try SuiteReport(at: resultsFile.path)
    // Tests that passed without scenarios are no failure.
    if status == .success, report.scenarios.isEmpty { report.obstacle = nil }
    Output.error(report.failures.diagnostics(isColored: Output.isErrorColored))
    for goldens in report.goldenStores {
      let pendingChanges = try goldens.readPending().pending
      guard !pendingChanges.isEmpty else { continue }
      if isReviewing {
        _ = try Review.run(on: pendingChanges, in: goldens)
      } else {
        try Output.print(
          "to review, run: \(goldens.command("review"))\n"
            + pendingChanges.map { "  \($0.title)\n" }.joined())
      }
    }
    try pageFile.write(try SuiteReport.formats.format(named: "html").text(report, for: pageFile))
    try Output.print("page: \(pageFile.path.relativeToWorkingDirectory)\n")
    try Output.print(report.summary(isColored: Output.isOutputColored))
    return report.isGreen
  }

  /// Opens the page with the desktop's program for this: `xdg-open`, or `open` on a Mac. Without
  /// such a program, does nothing, because the path was printed.
  func openPage() throws {
    guard pageFile.isRegularFile else { return }
    let environment = ProcessInfo.processInfo.environment
    let openCommands = ["xdg-open", "open"].lazy.compactMap { name in
      ProcessCommand.programOnPath(
        [name, pageFile.path], in: environment, printingTo: .standardOutput)
    }
    try openCommands.first?.startDetached()
  }
}

extension SuiteReport {
  /// The report with the failures only, without warnings and advice.
  fileprivate var failures: SuiteReport {
    func failedEntries(_ entries: [ScenarioReport]) -> [ScenarioReport] {
      entries.filter(\.hasFailed).map { entry in
        var entry = entry
        entry.problems.removeAll { !$0.isFailure }
        return entry
      }
    }
    return SuiteReport(
      failedEntries(scenarios), failedTests: failedEntries(failedTests), obstacle: obstacle,
      orphans: orphans,
      orphansFail: orphansFail)
  }

  /// The golden files that the tests compared with. Some may have changes that wait for a review.
  fileprivate var goldenStores: [GoldenStore] {
    let folderPairs = scenarios.compactMap { scenario in
      scenario.goldenFolder.map { [$0, scenario.pendingFolder ?? ""] }
    }
    return Set(folderPairs).sorted { $0[0] < $1[0] }.map { folderPair in
      GoldenStore(folder: folderPair[0]).leavingNewTexts(in: folderPair[1])
    }
  }
}
