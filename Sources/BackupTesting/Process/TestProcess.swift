import BackupContainer
package import BackupDiagnostics
import BackupScenarios
package import BackupVerdicts
import Foundation
import Testing

/// A scenario's result, and its index in the report of the tests.
package struct ReportedResult: Sendable {
  package let result: ScenarioResult
  /// The index in the report; nil if the tests write no report.
  fileprivate let reportIndex: Int?
}

/// The state that the tests of one process share, such as the environment variables and the report.
package struct TestProcess: Sendable {
  /// The current process. Tests of the kit replace it.
  @TaskLocal package static var current = shared

  /// The state of the actual process. When the process ends, it prints a summary of the failures
  /// and other notes, and marks the report as complete.
  private static let shared: TestProcess = {
    let process = TestProcess(
      environment: ProcessInfo.processInfo.environment, folder: buildFolder)
    atexit {
      print(TestProcess.shared.failedReports.withLock { $0.sharedCauses }, terminator: "")
      print(TestProcess.shared.lineOfSources, terminator: "")
      print(TestProcess.shared.lineOnRecordedGoldens, terminator: "")
      print(TestProcess.shared.notesOnUnusedPatterns, terminator: "")
      print(TestProcess.shared.failedReports.withLock { $0.failedLine }, terminator: "")
      // A report that is not marked as complete counts as a failure.
      try? TestProcess.shared.report.get()?.end()
    }
    return process
  }()

  package let environment: [String: String]
  /// The scenarios that failed in their last run.
  let failedScenarios: FailedScenarios
  /// The scenarios whose last exploration found no problem.
  package let explorationMemory: ExplorationMemory
  package let actionUsage = ActionUsage()
  /// The shard of the scenarios to run; nil to run all scenarios.
  package let shard: Result<Shard?, RunError>
  /// The report that the environment asks for; nil if it asks for none.
  let report: Result<ProcessReport?, RunError>
  /// True once the kit has recorded an issue that the report cannot be written.
  let hasRecordedMissingReport = Locked(false)
  /// The reports of the scenarios that failed, without the details of their runs.
  let failedReports = Locked<[ScenarioReport]>([])
  /// The paths of the golden files that this process has written.
  let recordedGoldenPaths = Locked<Set<String>>([])
  /// The uses so far of the patterns that an app's scenarios share, with the paths of the
  /// scenarios' files and folders.
  let sharedFileUse = Locked<(use: SharedFileUse, files: Set<String>, folders: Set<String>)>(
    (SharedFileUse(), [], []))
  /// The keys of the sources, such as Apple's documentation, for the rules that the app broke. The
  /// process prints them at its end.
  private let sourceKeys = Locked<Set<String>>([])
  /// The check for tests that share a golden file.
  let sharedGoldenFiles = SharedGoldenFiles()
  private let hasCheckedEnvironment = Locked(false)
  /// True once the kit has warned that the app runs in the test's process.
  let hasWarnedOfAppInTestProcess = Locked(false)
  /// True once the kit has checked how this machine's Foundation treats marks.
  let hasCheckedFoundation = Locked(false)
  /// True once the kit has warned that the apps' temporary files are not in their containers.
  let hasWarnedOfTemporaryFolder = Locked(false)
  let limits: AppLimits
  var printOutput: @Sendable (String) -> Void = { print($0, terminator: "") }

  /// The limits on the number of apps that run at once.
  ///
  /// The limits are separate to prevent a deadlock. A test that has launched an app may also run
  /// scenarios. With one limit, many of these tests could use all turns, and their scenarios would
  /// wait forever. With its own limit, a scenario's app waits only for apps of other scenarios, and
  /// each of these ends.
  struct AppLimits: Sendable {
    /// The limit on apps that scenarios launch.
    let scenarioApps: ProcessLimit
    /// The limit on apps that tests launch in the container of the trait `.container`.
    let testApps: ProcessLimit
  }

  /// The limits of this process: four apps for each processor. The kit waits most of the time until
  /// an app is idle, so more apps than processors can run.
  static let sharedLimits = limits(count: 4 * ProcessInfo.processInfo.activeProcessorCount)

  static func limits(count: Int) -> AppLimits {
    AppLimits(scenarioApps: ProcessLimit(count: count), testApps: ProcessLimit(count: count))
  }

  /// Creates the state of a process.
  ///
  /// `folder` is the folder in which the lists of failed and explored scenarios are stored for the
  /// next process.
  init(environment: [String: String], folder: URL, limits: AppLimits = sharedLimits) {
    self.environment = environment
    self.limits = limits
    self.failedScenarios = FailedScenarios(in: folder)
    self.explorationMemory = ExplorationMemory(in: folder)
    self.report = Result { () throws(RunError) in try ProcessReport(in: environment) }
    self.shard = Result { () throws(RunError) in try Shard.ofTests(in: environment) }
  }

  /// Warns, once in each process, of each environment variable whose name begins like the kit's,
  /// but which the kit does not know.
  func checkEnvironment(at sourceLocation: SourceLocation) {
    guard !hasCheckedEnvironment.exchange(for: true) else { return }
    for complaint in KitVariables.complaints(in: environment) {
      TestIssue.record(complaint, isFailure: false, at: sourceLocation)
    }
  }

  /// A line that lists the sources for the broken rules; empty if no rule is broken.
  var lineOfSources: String { sourceKeys.withLock(\.lineOfSources) }

  /// A line with the number of golden files that this process has written; empty if it has written
  /// none.
  var lineOnRecordedGoldens: String {
    let count = recordedGoldenPaths.withLock(\.count)
    return count == 0
      ? ""
      : "recorded \(count.counted("golden file")); check \(count.wordForm("it", plural: "them")) in "
        + "version control, and commit \(count.wordForm("it", plural: "them"))\n"
  }

  /// A line for each shared pattern that matched no file in any scenario.
  ///
  /// The text is empty if the process has not run all scenarios in their folders, because a
  /// scenario that has not run may use the pattern.
  var notesOnUnusedPatterns: String {
    let (use, filePaths, folderPaths) = sharedFileUse.withLock(\.self)
    let ranAllScenarios = folderPaths.allSatisfy { folder in
      (try? ScenarioFolder(path: folder))?.files.allSatisfy { filePaths.contains($0.path) } == true
    }
    return ranAllScenarios ? use.notes : ""
  }

  /// The folder that contains the bundle of the tests, `.xctest`; the temporary folder if the
  /// bundle is unknown.
  private static let buildFolder: URL = {
    let arguments = CommandLine.arguments.map { URL(fileURLWithPath: $0) }
    let candidateURLs = Bundle.allBundles.map(\.bundleURL) + arguments
    let bundleOfTests = candidateURLs.lazy.compactMap(testBundle(around:)).first
    return bundleOfTests?.deletingLastPathComponent() ?? FileManager.default.temporaryDirectory
  }()

  /// Returns the bundle of tests that a URL is in, or is itself; nil if there is none.
  private static func testBundle(around startURL: URL) -> URL? {
    var url = startURL.standardizedFileURL
    while url.pathComponents.count > 1 {
      if url.pathExtension == "xctest" { return url }
      url.deleteLastPathComponent()
    }
    return nil
  }

  /// The environment variable that selects scenarios. Its value is a glob such as `marks/**`, a tag
  /// such as `tag:slow`, or `failed`.
  static let filterVariable = ScenarioFolder.filterVariable
  /// The value of ``filterVariable`` for the scenarios that failed in their last run.
  private static let failedWord = "failed"

  private static let tagPrefix = "tag:"

  /// Returns the scenarios with the tag in ``filterVariable``, or all scenarios if the variable
  /// contains no tag. Throws if no scenario has the tag, unless this process runs only a shard.
  func selectingTag(_ scenarios: [Scenario], in folder: String) throws(RunError) -> [Scenario] {
    guard let filter = environment[Self.filterVariable], filter.hasPrefix(Self.tagPrefix) else {
      return scenarios
    }
    let tag = String(filter.dropFirst(Self.tagPrefix.count))
    // The tags of a scenario with mistakes are unknown, so the filter keeps the scenario.
    let taggedScenarios = scenarios.filter { $0.tags.contains(tag) || !$0.mistakes.isEmpty }
    guard taggedScenarios.isEmpty, !scenarios.isEmpty, try shard.get() == nil else {
      return taggedScenarios
    }
    throw RunError(
      .noScenario,
      "\(Self.filterVariable): no scenario in \(folder) has the tag '\(tag)', and a test of no "
        + "scenario would always pass; correct or unset the variable")
  }

  /// Returns the scenario files of a folder that ``filterVariable`` selects. Throws if the variable
  /// selects none, because the test would test nothing.
  func selectingByFilter(_ folder: ScenarioFolder) throws(RunError) -> ScenarioFolder {
    guard let filter = environment[Self.filterVariable], !filter.isEmpty, !folder.files.isEmpty
    else { return folder }
    // The tags are in the files, which are read later: see `selectingTag(_:in:)`.
    if filter.hasPrefix(Self.tagPrefix) { return folder }
    let selectsFailed = filter == Self.failedWord
    let selectedFolder = try RunError.addingSubject("\(Self.filterVariable):") {
      () throws(RunError) in
      guard selectsFailed else { return try folder.selecting(glob: filter) }
      let paths = try failedScenarios.paths()
      return folder.selecting { paths.contains($0.path) }
    }
    guard selectedFolder.files.isEmpty else { return selectedFolder }
    let reason =
      selectsFailed
      ? "no scenario in \(folder.path) failed in its last run, according to \(failedScenarios.listPath)"
      : "no scenario in \(folder.path) matches '\(filter)'"
    throw RunError(
      .noScenario,
      "\(Self.filterVariable): \(reason), and a test of no scenario would always "
        + "pass; correct or unset the variable")
  }

  /// Returns the scenario files of a test that are in this process's shard, and prints their
  /// number.
  ///
  /// A test may run only some files of its `folder`, those of `candidateFolder`, and the shard may
  /// contain none of these. However, if the shard contains no file of `folder`, the method throws
  /// an error.
  func selectingShard(
    _ candidateFolder: ScenarioFolder, of folder: ScenarioFolder
  ) throws(RunError) -> ScenarioFolder {
    guard let shard = try shard.get() else { return candidateFolder }
    guard folder.files.contains(where: { shard.contains($0.id) }) else {
      throw shard.emptyShardError(of: folder.files.count, in: folder.path)
    }
    let selectedFolder = candidateFolder.selecting { shard.contains($0.id) }
    let note = shard.sizeInWords(
      selectedFolder.files.count, of: candidateFolder.files.count, in: folder.path)
    print(
      selectedFolder.files.isEmpty ? "warning: \(note), so this test tests nothing" : note)
    return selectedFolder
  }

  private var reportVariable: String {
    ProcessReport.request(in: environment)?.variable ?? ProcessReport.environmentVariable
  }

  /// Begins the report that the environment asks for, with the scenario files that have mistakes.
  ///
  /// If the report cannot be written, usually the first scenario that runs records an issue. If
  /// files have mistakes, perhaps no scenario runs, so this method also prints an error.
  func beginReport(with mistakenFiles: [FileWithMistakes]) {
    do throws(RunError) {
      try report.get()?.add(mistaken: mistakenFiles)
    } catch {
      guard !mistakenFiles.isEmpty else { return }
      FileHandle.note("error: \(reportVariable): \(error)\n")
    }
  }

  /// Begins the report that the environment asks for, before a test that has no scenario.
  func beginReport() {
    // If the report cannot be written, the method that adds the first failure or scenario records
    // an issue.
    try? report.get()?.begin()
  }

  var hasReport: Bool { (try? report.get()) != nil }

  /// Adds the result of a scenario to the report, with the problems that `recordIssues()` returned.
  ///
  /// If the report cannot be written, records an issue, once in each process.
  func add(
    _ result: ScenarioResult, _ problems: [Scenario.Problem], from folder: String?,
    at sourceLocation: SourceLocation
  ) async -> ReportedResult {
    var reportWithoutRuns = ScenarioReport(result, withRuns: false)
    reportWithoutRuns.replaceProblems(problems)
    keepFailure(of: reportWithoutRuns)
    do throws(RunError) {
      let index = try await report.get()?.add(result, problems, from: folder)
      return ReportedResult(result: result, reportIndex: index)
    } catch {
      recordMissingReport(error, at: sourceLocation)
      return ReportedResult(result: result, reportIndex: nil)
    }
  }

  /// Adds the outcome of an exploration to the scenario's entry in the report.
  package func add(
    _ exploration: ExplorationRecord, _ problems: [Scenario.Problem],
    to reportedResult: ReportedResult
  ) async {
    let scenario = reportedResult.result.scenario
    var reportWithoutRuns = ScenarioReport(reportedResult.result, withRuns: false)
    reportWithoutRuns.add(exploration, problems)
    keepFailure(of: reportWithoutRuns)
    if reportWithoutRuns.hasFailed { failedScenarios.record(scenario.file, hasFailed: true) }
    guard let index = reportedResult.reportIndex else { return }
    do throws(RunError) {
      try await report.get()?.add(exploration, problems, at: index)
    } catch {
      recordMissingReport(error, at: scenario.sourceLocation(.start))
    }
  }

  /// Keeps sources for broken rules, to print them at the end of the process. Does nothing while a
  /// test of the kit collects issues.
  func keepSources(_ keys: [String]) {
    guard !TestIssue.isCollecting else { return }
    sourceKeys.withLock { $0.formUnion(keys) }
  }

  /// Keeps the report of a scenario if it has failed, to print it at the end of the process. Does
  /// nothing while a test of the kit collects issues.
  private func keepFailure(of report: ScenarioReport) {
    guard report.hasFailed, !TestIssue.isCollecting else { return }
    failedReports.withLock { $0.append(report) }
  }

  /// Adds a failure that belongs to no scenario to the report, with the name of the current test.
  func add(failure text: String, at sourceLocation: SourceLocation) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let problem = Scenario.Problem(
      kind: .failedTest, severity: .error, isFailure: true,
      position: SourcePosition(line: sourceLocation.line, column: sourceLocation.column),
      message: lines[0], details: Array(lines.dropFirst()), variants: nil)
    let testName =
      Test.current.map { $0.displayName ?? $0.name } ?? "a test of \(sourceLocation.fileName)"
    do throws(RunError) {
      try report.get()?.add(problem, ofTest: testName, in: sourceLocation.filePath)
    } catch {
      recordMissingReport(error, at: sourceLocation)
    }
  }

  /// Runs the code that returns the arguments of a test. If the code throws an error, adds the
  /// error to the report.
  ///
  /// Without arguments, the test does not run, so the report would otherwise show no failure.
  func addingFailure<Value>(in file: String, _ arguments: () throws -> Value) throws -> Value {
    do {
      return try arguments()
    } catch {
      let startOfFile = SourceLocation(
        fileID: "Tests/Arguments", filePath: file, line: 1, column: 1)
      add(failure: "\(error)", at: startOfFile)
      throw error
    }
  }

  private func recordMissingReport(_ error: RunError, at sourceLocation: SourceLocation) {
    guard !hasRecordedMissingReport.exchange(for: true) else { return }
    TestIssue.recordWithoutReport("\(reportVariable): \(error)", at: sourceLocation)
  }
}
