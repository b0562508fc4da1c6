import BackupContainer
package import BackupDiagnostics
import BackupScenarios
package import BackupVerdicts
import Foundation
import Testing

/// A scenario's result, and its place in the report that the environment asks for.
package struct ReportedResult: Sendable {
  package let result: ScenarioResult
  /// The place in the report; nil if there is no report.
  fileprivate let place: Int?
}

/// The state that the tests of one process share, such as the requests of the environment.
package struct TestProcess: Sendable {
  /// The current process. Tests of the kit put another in its place.
  @TaskLocal package static var current = shared

  /// The actual process. At its end, it prints the causes that failures share and the names of
  /// the scenarios that failed, and ends the report.
  private static let shared: TestProcess = {
    let process = TestProcess(
      environment: ProcessInfo.processInfo.environment, folder: buildFolder)
    atexit {
      print(TestProcess.shared.failures.withLock { $0.digest }, terminator: "")
      print(TestProcess.shared.lineOfSources, terminator: "")
      print(TestProcess.shared.sentenceOnRecorded, terminator: "")
      print(TestProcess.shared.notesOnUnusedPatterns, terminator: "")
      print(TestProcess.shared.failures.withLock { $0.failedLine }, terminator: "")
      // A report that is not ended counts as a failure.
      try? TestProcess.shared.report.get()?.end()
    }
    return process
  }()

  package let environment: [String: String]
  let failed: FailedScenarios
  /// The scenarios whose last exploration found no problem.
  package let explored: ExplorationMemory
  package let usage = ActionUsage()
  /// The part of the scenarios to run; nil for all.
  package let shard: Result<Shard?, RunError>
  /// The report that the environment asks for; nil if it asks for none.
  let report: Result<ProcessReport?, RunError>
  /// True once an issue has been recorded because the report cannot be written.
  let hasRecordedMissingReport = Locked(false)
  /// The reports of the scenarios that failed, without their runs.
  let failures = Locked<[ScenarioReport]>([])
  /// The paths of the golden files that were written.
  let recorded = Locked<Set<String>>([])
  /// The use of shared classes in the scenarios that ended, and the files and folders of these scenarios.
  let sharedUse = Locked<(use: SharedFileUse, files: Set<String>, folders: Set<String>)>(
    (SharedFileUse(), [], []))
  /// The keys of the sources of broken rules.
  private let sources = Locked<Set<String>>([])
  /// The golden files that the tests compare with.
  let sharedGoldens = SharedGoldenFiles()
  private let isEnvironmentChecked = Locked(false)
  /// True once the kit has warned that the app runs in this process.
  let hasWarnedOfGuest = Locked(false)
  /// True once the kit has tried how this machine's Foundation treats marks.
  let hasTriedFoundation = Locked(false)
  /// True once the kit has warned that the apps' temporary files are not in their containers.
  let hasWarnedOfTemporaryFolder = Locked(false)
  let limits: AppLimits
  /// Shows the output of an app.
  var show: @Sendable (String) -> Void = { print($0, terminator: "") }

  /// The limits for apps of scenarios, and for apps that tests launch in the container of their
  /// trait.
  ///
  /// They are separate because a test that holds an app may run scenarios. With one limit, these
  /// would wait for a turn that only tests like itself could give. A scenario's app waits for no
  /// other, so its turn ends.
  struct AppLimits: Sendable {
    let scenarios: ProcessLimit
    let launched: ProcessLimit
  }

  /// The limits of this process: four apps for each processor, because an app mostly waits until it is quiet.
  static let sharedLimits = limits(count: 4 * ProcessInfo.processInfo.activeProcessorCount)

  static func limits(count: Int) -> AppLimits {
    AppLimits(scenarios: ProcessLimit(count: count), launched: ProcessLimit(count: count))
  }

  /// Creates a process that keeps the list of failed scenarios in a folder, for the next process.
  init(environment: [String: String], folder: URL, limits: AppLimits = sharedLimits) {
    self.environment = environment
    self.limits = limits
    self.failed = FailedScenarios(in: folder)
    self.explored = ExplorationMemory(in: folder)
    self.report = Result { () throws(RunError) in try ProcessReport(in: environment) }
    self.shard = Result { () throws(RunError) in try Shard.ofTests(in: environment) }
  }

  /// Warns once of each environment variable that looks like one of the kit's but is unknown.
  func checkEnvironment(at sourceLocation: SourceLocation) {
    guard !isEnvironmentChecked.exchange(for: true) else { return }
    for complaint in KitVariables.complaints(in: environment) {
      TestIssue.record(complaint, isFailure: false, at: sourceLocation)
    }
  }

  /// A line, with its LF, with the sources of the broken rules; empty for none.
  var lineOfSources: String { sources.withLock(\.lineOfSources) }

  /// A line, with its LF, that states how many golden files were written; empty for none.
  var sentenceOnRecorded: String {
    let count = recorded.withLock(\.count)
    return count == 0
      ? ""
      : "recorded \(count.counted("golden file")); check \(count.form("it", plural: "them")) in "
        + "version control, and commit \(count.form("it", plural: "them"))\n"
  }

  /// A line, with its LF, for each shared pattern that no scenario has used; empty if not all scenarios of the folders
  /// were run.
  var notesOnUnusedPatterns: String {
    let (use, files, folders) = sharedUse.withLock(\.self)
    let isWhole = folders.allSatisfy { folder in
      (try? ScenarioFolder(path: folder))?.files.allSatisfy { files.contains($0.path) } == true
    }
    return isWhole ? use.notes : ""
  }

  /// The folder that the tests' bundle was built into; the temporary folder if it is unknown.
  private static let buildFolder: URL = {
    let arguments = CommandLine.arguments.map { URL(fileURLWithPath: $0) }
    let places = Bundle.allBundles.map(\.bundleURL) + arguments
    let testBundle = places.lazy.compactMap(bundle).first
    return testBundle?.deletingLastPathComponent() ?? FileManager.default.temporaryDirectory
  }()

  private static func bundle(around place: URL) -> URL? {
    var url = place.standardizedFileURL
    while url.pathComponents.count > 1 {
      if url.pathExtension == "xctest" { return url }
      url.deleteLastPathComponent()
    }
    return nil
  }

  /// The environment variable that selects scenarios: a glob, a tag after ``tagPrefix``, or
  /// ``failedWord``.
  static let filterVariable = ScenarioFolder.filterVariable
  /// The value of the variable that selects the scenarios that failed in their last run.
  private static let failedWord = "failed"

  private static let tagPrefix = "tag:"

  /// Returns the scenarios with the tag that the environment asks for, or all of them if it asks
  /// for none. It is an error if none is left.
  func tagged(_ scenarios: [Scenario], in folder: String) throws(RunError) -> [Scenario] {
    guard let filter = environment[Self.filterVariable], filter.hasPrefix(Self.tagPrefix) else {
      return scenarios
    }
    let tag = String(filter.dropFirst(Self.tagPrefix.count))
    // A file with mistakes may have the tag.
    let tagged = scenarios.filter { $0.tags.contains(tag) || !$0.mistakes.isEmpty }
    guard tagged.isEmpty, !scenarios.isEmpty, try shard.get() == nil else { return tagged }
    throw RunError(
      .noScenario,
      "\(Self.filterVariable): no scenario in \(folder) has the tag '\(tag)', and a test of no "
        + "scenario would always pass; correct or unset the variable")
  }

  /// Returns the scenario files of a folder that the environment asks for. It is an error if none
  /// is left, because the test would test nothing.
  func filtered(_ folder: ScenarioFolder) throws(RunError) -> ScenarioFolder {
    guard let filter = environment[Self.filterVariable], !filter.isEmpty, !folder.files.isEmpty
    else { return folder }
    // Tags are known only after the files are read.
    if filter.hasPrefix(Self.tagPrefix) { return folder }
    let isFailedOnly = filter == Self.failedWord
    let selected = try RunError.naming("\(Self.filterVariable):") { () throws(RunError) in
      guard isFailedOnly else { return try folder.selecting(glob: filter) }
      let paths = try failed.paths()
      return folder.selecting { paths.contains($0.path) }
    }
    guard selected.files.isEmpty else { return selected }
    let missing =
      isFailedOnly
      ? "no scenario in \(folder.path) failed in its last run, according to \(failed.place)"
      : "no scenario in \(folder.path) matches '\(filter)'"
    throw RunError(
      .noScenario,
      "\(Self.filterVariable): \(missing), and a test of no scenario would always "
        + "pass; correct or unset the variable")
  }

  /// Returns the scenario files of a test that are in this process's shard, and prints their
  /// number.
  ///
  /// It is an error if no file of the test's folder is in the shard. If the test runs only a part of the folder, the
  /// shard may have no file of this part.
  func inShard(
    _ files: ScenarioFolder, of folder: ScenarioFolder
  ) throws(RunError) -> ScenarioFolder {
    guard let shard = try shard.get() else { return files }
    guard folder.files.contains(where: { shard.contains($0.id) }) else {
      throw shard.noShare(of: folder.files.count, in: folder.path)
    }
    let selected = files.selecting { shard.contains($0.id) }
    let share = shard.share(selected.files.count, of: files.files.count, in: folder.path)
    print(
      selected.files.isEmpty ? "warning: \(share), so this test tests nothing" : share)
    return selected
  }

  private var reportVariable: String {
    ProcessReport.request(in: environment)?.variable ?? ProcessReport.environmentVariable
  }

  /// Begins the report that the environment asks for, with the files that could not be read.
  ///
  /// If the report cannot be written, the first scenario that runs reports this. After files that could
  /// not be read, perhaps no scenario runs, so this function reports it on standard error.
  func beginReport(with mistaken: [MistakenFile]) {
    do throws(RunError) {
      try report.get()?.add(mistaken: mistaken)
    } catch {
      guard !mistaken.isEmpty else { return }
      FileHandle.note("error: \(reportVariable): \(error)\n")
    }
  }

  /// Begins the report that the environment asks for, before a test without a scenario.
  func beginReport() {
    // The first failure or scenario that is added reports why the report cannot be written.
    try? report.get()?.begin()
  }

  var hasReport: Bool { (try? report.get()) != nil }

  /// Adds the result of a scenario to the report, with the problems that `recordIssues()` returned. Records an issue
  /// the first time that this fails.
  func add(
    _ result: ScenarioResult, _ problems: [Scenario.Problem], from folder: String?,
    at sourceLocation: SourceLocation
  ) async -> ReportedResult {
    var short = ScenarioReport(result, withRuns: false)
    short.take(problems)
    noteFailure(of: short)
    do throws(RunError) {
      let place = try await report.get()?.add(result, problems, from: folder)
      return ReportedResult(result: result, place: place)
    } catch {
      noteMissing(error, at: sourceLocation)
      return ReportedResult(result: result, place: nil)
    }
  }

  /// Adds the outcome of the exploration of a scenario, at the scenario's place in the report.
  package func add(
    _ exploration: ExplorationRecord, _ problems: [Scenario.Problem], to reported: ReportedResult
  ) async {
    let scenario = reported.result.scenario
    var short = ScenarioReport(reported.result, withRuns: false)
    short.add(exploration, problems)
    noteFailure(of: short)
    if short.hasFailed { failed.note(scenario.file, hasFailed: true) }
    guard let place = reported.place else { return }
    do throws(RunError) {
      try await report.get()?.add(exploration, problems, at: place)
    } catch {
      noteMissing(error, at: scenario.sourceLocation(.start))
    }
  }

  /// Keeps sources of broken rules for the end of the process, unless a test expects the issue.
  func noteSources(_ keys: [String]) {
    guard !TestIssue.isCollecting else { return }
    sources.withLock { $0.formUnion(keys) }
  }

  /// Keeps the report of a scenario that failed for the end of the process, unless a test expects it.
  private func noteFailure(of report: ScenarioReport) {
    guard report.hasFailed, !TestIssue.isCollecting else { return }
    failures.withLock { $0.append(report) }
  }

  /// Adds a failure that no scenario has, under the name of the test that this task runs.
  func add(failure text: String, at sourceLocation: SourceLocation) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let problem = Scenario.Problem(
      kind: .failedTest, severity: .error, isFailure: true,
      position: SourcePosition(line: sourceLocation.line, column: sourceLocation.column),
      message: lines[0], details: Array(lines.dropFirst()), variants: nil)
    let name =
      Test.current.map { $0.displayName ?? $0.name } ?? "a test of \(sourceLocation.fileName)"
    do throws(RunError) {
      try report.get()?.add(problem, ofTest: name, in: sourceLocation.filePath)
    } catch {
      noteMissing(error, at: sourceLocation)
    }
  }

  /// Runs the code that returns the arguments of a test, and adds an error that it throws to the
  /// report.
  ///
  /// Otherwise no test would run, and the report would show no failure.
  func addingFailure<Value>(in file: String, _ arguments: () throws -> Value) throws -> Value {
    do {
      return try arguments()
    } catch {
      let place = SourceLocation(fileID: "Tests/Arguments", filePath: file, line: 1, column: 1)
      add(failure: "\(error)", at: place)
      throw error
    }
  }

  private func noteMissing(_ error: RunError, at sourceLocation: SourceLocation) {
    guard !hasRecordedMissingReport.exchange(for: true) else { return }
    TestIssue.show("\(reportVariable): \(error)", at: sourceLocation)
  }
}
