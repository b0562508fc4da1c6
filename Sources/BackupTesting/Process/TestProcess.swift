import BackupContainer
package import BackupDiagnostics
import BackupScenarios
package import BackupVerdicts
import Foundation
import Testing

/// A scenario's result, and its place in the report that the environment asks for.
package struct ReportedResult: Sendable {
  package let result: ScenarioResult
  /// Nil if there is no report.
  fileprivate let place: Int?
}

/// What the scenarios of one process of tests have in common: what the environment asks of them.
package struct TestProcess: Sendable {
  /// The process that runs; tests put another in its place.
  @TaskLocal package static var current = shared

  /// The process itself. At its end, it prints the causes that failures share, and ends the report.
  private static let shared: TestProcess = {
    let process = TestProcess(
      environment: ProcessInfo.processInfo.environment, folder: buildFolder)
    atexit {
      print(TestProcess.shared.failures.withLock { $0.digest }, terminator: "")
      print(TestProcess.shared.sentenceOnRecorded, terminator: "")
      // A report without its end is red.
      try? TestProcess.shared.report.get()?.end()
    }
    return process
  }()

  package let environment: [String: String]
  let failed: FailedScenarios
  package let usage = ActionUsage()
  /// The part of the scenarios that runs; nil for all.
  package let shard: Result<Shard?, RunError>
  /// The report that is asked for; nil if none is.
  let report: Result<ProcessReport?, RunError>
  /// Whether an issue says already that there is no report.
  let isReportMissed = Locked(false)
  /// What failed, without its runs.
  let failures = Locked<[ScenarioReport]>([])
  /// The paths of the golden files that were written.
  let recorded = Locked<Set<String>>([])
  /// The rules whose sources were printed.
  let sourced = Locked<Set<String>>([])
  /// Whether unknown variables of the environment were named.
  private let isEnvironmentChecked = Locked(false)
  /// Whether it was said that the app runs in this process.
  let isGuestKnown = Locked(false)
  /// Whether it was found out what this machine's Foundation makes of marks.
  let isFoundationTried = Locked(false)
  /// Whether it was said that the apps' temporary files are not in their containers.
  let isTemporaryFolderKnown = Locked(false)
  /// Bounds how many processes of apps live at once.
  let limits: AppLimits

  /// Apps of scenarios and those that tests launch in the container of their trait have a limit
  /// each: a test that holds an app may run scenarios, which would wait for a turn that only tests
  /// like itself could give. A scenario's app waits for no other, so its turn ends.
  struct AppLimits: Sendable {
    let scenarios: ProcessLimit
    let launched: ProcessLimit
  }

  /// Those of this process: four apps for each processor, since each mostly waits until it is
  /// quiet.
  static let sharedLimits = limits(count: 4 * ProcessInfo.processInfo.activeProcessorCount)

  static func limits(count: Int) -> AppLimits {
    AppLimits(scenarios: ProcessLimit(count: count), launched: ProcessLimit(count: count))
  }

  /// A process that keeps what the next one must know in a folder.
  init(environment: [String: String], folder: URL, limits: AppLimits = sharedLimits) {
    self.environment = environment
    self.limits = limits
    self.failed = FailedScenarios(in: folder)
    self.report = Result { () throws(RunError) in try ProcessReport(in: environment) }
    self.shard = Result { () throws(RunError) in try Shard.ofTests(in: environment) }
  }

  /// Warns once of each variable of the environment that looks like the kit's and is none.
  func checkEnvironment(at sourceLocation: SourceLocation) {
    guard !isEnvironmentChecked.exchange(for: true) else { return }
    for complaint in KitVariables.complaints(in: environment) {
      TestIssue.record(complaint, isFailure: false, at: sourceLocation)
    }
  }

  /// How many golden files were written, in a line that ends in LF; empty for none.
  var sentenceOnRecorded: String {
    let count = recorded.withLock(\.count)
    return count == 0
      ? ""
      : "recorded \(count.counted("golden file")); check \(count.form("it", plural: "them")) in "
        + "version control, and commit \(count.form("it", plural: "them"))\n"
  }

  /// The folder that the bundle or program of the tests was built into; the temporary folder where
  /// that is not known.
  private static let buildFolder: URL = {
    let arguments = CommandLine.arguments.map { URL(fileURLWithPath: $0) }
    let places = Bundle.allBundles.map(\.bundleURL) + arguments
    let found = places.lazy.compactMap(bundle).first
    return found?.deletingLastPathComponent() ?? FileManager.default.temporaryDirectory
  }()

  private static func bundle(around place: URL) -> URL? {
    var url = place.standardizedFileURL
    while url.pathComponents.count > 1 {
      if url.pathExtension == "xctest" { return url }
      url.deleteLastPathComponent()
    }
    return nil
  }

  /// The environment variable that says which scenarios run: a glob, or ``failedWord``.
  static let filterVariable = ScenarioFolder.filterVariable
  /// What the variable says for the scenarios that failed when they last ran.
  private static let failedWord = "failed"

  private static let tagPrefix = "tag:"

  /// The scenarios that have the tag that the environment asks for, or all; it is an error if none
  /// is left.
  func tagged(_ scenarios: [Scenario], in folder: String) throws(RunError) -> [Scenario] {
    guard let filter = environment[Self.filterVariable], filter.hasPrefix(Self.tagPrefix) else {
      return scenarios
    }
    let tag = String(filter.dropFirst(Self.tagPrefix.count))
    let found = scenarios.filter { $0.tags.contains(tag) }
    guard found.isEmpty, !scenarios.isEmpty, try shard.get() == nil else { return found }
    throw RunError(
      .noScenario,
      "\(Self.filterVariable): no scenario in \(folder) has the tag '\(tag)', and a test of no "
        + "scenario would always pass; correct or unset the variable")
  }

  /// The scenario files of a folder that the environment asks for; it is an error if none is left,
  /// which would be a test of nothing.
  func filtered(_ folder: ScenarioFolder) throws(RunError) -> ScenarioFolder {
    guard let filter = environment[Self.filterVariable], !filter.isEmpty, !folder.files.isEmpty
    else { return folder }
    // Tags are known only after the files are read.
    if filter.hasPrefix(Self.tagPrefix) { return folder }
    let isFailedOnly = filter == Self.failedWord
    let found = try RunError.naming("\(Self.filterVariable):") { () throws(RunError) in
      guard isFailedOnly else { return try folder.selecting(glob: filter) }
      let paths = try failed.paths()
      return folder.selecting { paths.contains($0.path) }
    }
    guard found.files.isEmpty else { return found }
    let missing =
      isFailedOnly
      ? "no scenario in \(folder.path) failed in its last run, according to \(failed.place)"
      : "no scenario in \(folder.path) matches '\(filter)'"
    throw RunError(
      .noScenario,
      "\(Self.filterVariable): \(missing), and a test of no scenario would always "
        + "pass; correct or unset the variable")
  }

  /// The scenario files of a test that are in this process's shard, which is said. It is an error if
  /// none of the test's folder is; of a part of the folder there may be none.
  func inShard(
    _ files: ScenarioFolder, of folder: ScenarioFolder
  ) throws(RunError) -> ScenarioFolder {
    guard let shard = try shard.get() else { return files }
    guard folder.files.contains(where: { shard.contains($0.id) }) else {
      throw shard.noShare(of: folder.files.count, in: folder.path)
    }
    let found = files.selecting { shard.contains($0.id) }
    let share = shard.share(found.files.count, of: files.files.count, in: folder.path)
    print(
      found.files.isEmpty ? "warning: \(share) for this test, which tests nothing here" : share)
    return found
  }

  private var reportVariable: String {
    ProcessReport.request(in: environment)?.variable ?? ProcessReport.environmentVariable
  }

  /// Begins the report that the environment asks for, where files could not be read with these.
  ///
  /// Where it cannot be written, the first scenario that runs says so; where files could not be
  /// read none may run, and it is said on standard error.
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
    // The first failure or scenario that is added says why it cannot be written.
    try? report.get()?.begin()
  }

  /// Whether the environment asks for a report that can be written.
  var hasReport: Bool { (try? report.get()) != nil }

  /// Adds what came of a scenario to the report, with its problems as the test takes them; and an issue
  /// the first time that this cannot be done.
  func add(
    _ result: ScenarioResult, _ problems: [Scenario.Problem], from folder: String?,
    at sourceLocation: SourceLocation
  ) async -> ReportedResult {
    var short = ScenarioReport(result, withRuns: false)
    short.take(problems)
    if short.hasFailed { failures.withLock { $0.append(short) } }
    do throws(RunError) {
      let place = try await report.get()?.add(result, problems, from: folder)
      return ReportedResult(result: result, place: place)
    } catch {
      noteMissing(error, at: sourceLocation)
      return ReportedResult(result: result, place: nil)
    }
  }

  /// Adds what exploring a scenario came to, to its place in the report.
  package func add(
    _ exploration: ExplorationRecord, _ problems: [Scenario.Problem], to reported: ReportedResult
  ) async {
    let scenario = reported.result.scenario
    var short = ScenarioReport(reported.result, withRuns: false)
    short.add(exploration, problems)
    if short.hasFailed {
      failures.withLock { $0.append(short) }
      failed.note(scenario.file, hasFailed: true)
    }
    guard let place = reported.place else { return }
    do throws(RunError) {
      try await report.get()?.add(exploration, problems, at: place)
    } catch {
      noteMissing(error, at: scenario.sourceLocation(.start))
    }
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

  /// Takes the arguments of a test from code, and adds its error to the report: no test would run, and
  /// the report would be green. Of mistaken scenario files, the report has each already.
  func addingFailure<Value>(in file: String, _ arguments: () throws -> Value) throws -> Value {
    do {
      return try arguments()
    } catch {
      if (error as? RunError)?.code != .invalidScenario {
        let place = SourceLocation(fileID: "Tests/Arguments", filePath: file, line: 1, column: 1)
        add(failure: "\(error)", at: place)
      }
      throw error
    }
  }

  private func noteMissing(_ error: RunError, at sourceLocation: SourceLocation) {
    guard !isReportMissed.exchange(for: true) else { return }
    TestIssue.show("\(reportVariable): \(error)", at: sourceLocation)
  }
}
