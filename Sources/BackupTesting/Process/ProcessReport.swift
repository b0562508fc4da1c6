import BackupContainer
import BackupDiagnostics
import BackupScenarios
import BackupVerdicts

/// The report of a test process: a file with the results of its scenarios and tests.
///
/// The whole file is written after each scenario, because the process may crash.
final class ProcessReport: Sendable {
  /// The environment variable that asks for a report: `results.json`, or with a format,
  /// `junit:results.xml`.
  static let environmentVariable = "BACKUP_TESTING_REPORT"
  /// The environment variable with which Bazel asks for a report in JUnit's XML format. Its value
  /// is a path.
  private static let bazelVariable = "XML_OUTPUT_FILE"

  /// Returns the environment variable that asks for a report, and the request, such as
  /// `junit:results.xml`. Returns nil if no variable asks for a report.
  static func request(in environment: [String: String]) -> (variable: String, request: String)? {
    if let request = environment[environmentVariable], !request.isEmpty {
      return (environmentVariable, request)
    }
    guard let path = environment[bazelVariable], !path.isEmpty else { return nil }
    return (bazelVariable, "junit:\(path)")
  }

  /// The formats that tests can write. The tool reads JSON, and makes all other formats from it.
  /// Build servers such as Bazel read JUnit XML directly from the tests.
  private static let formats: [OutputFormat<SuiteReport>] = [.json, .junit]

  private let format: OutputFormat<SuiteReport>
  private let file: TextFile
  private let orphansFail: Bool
  private let origin: ReportOrigin
  private let contents = Locked(Contents())
  /// The number of changes that the file contains. The lock also guards the file.
  private let writtenChangeCount = Locked(0)
  /// The queue of tasks that wait to write the file. One write may add the changes of several
  /// waiting tasks.
  private let writeQueue = ProcessLimit(count: 1)

  private struct Contents {
    var changeCount = 0
    var isEnded = false
    var scenarios: [ScenarioReport] = []
    /// The tests with failures that belong to no scenario.
    var tests: [ScenarioReport] = []
    /// The scenario files with mistakes, by path.
    var mistakenFiles: [String: ScenarioReport] = [:]
    /// For each scenario folder, the golden files that belong to no scenario, or the error of the
    /// search for such files.
    var orphans: [String: Result<[String], RunError>] = [:]
  }

  /// Creates the report that an environment asks for. Returns nil if it asks for none.
  init?(in environment: [String: String]) throws(RunError) {
    guard let request = Self.request(in: environment)?.request else { return nil }
    let firstWord = request.prefix(while: \.isLetter)
    let hasFormat = request.dropFirst(firstWord.count).first == ":"
    let formatName = hasFormat ? String(firstWord) : "json"
    let path = hasFormat ? String(request.dropFirst(firstWord.count + 1)) : request
    guard !path.isEmpty, let format = Self.formats.first(where: { $0.name == formatName }) else {
      throw RunError(
        .unwritable,
        "tests write no report '\(request)'; expected a path, such as results.json, or "
          + "junit:results.xml. For other formats, run 'backup-testing report results.json'")
    }
    self.format = format
    self.file = try TextFile(reportAt: path)
    self.orphansFail = RecordMode.isCI(environment)
    self.origin = .current(in: environment)
  }

  /// Replaces the report of an earlier process, unless this process has already written its own.
  ///
  /// Without this call, if this process crashed before its first write, the earlier report would
  /// hide the failure.
  func begin() throws(RunError) {
    guard writtenChangeCount.withLock({ $0 == 0 }) else { return }
    try add(mistaken: [])
  }

  /// Adds scenario files with mistakes, and replaces the report of an earlier process.
  func add(mistaken: [FileWithMistakes]) throws(RunError) {
    let changeCount = change { contents in
      for mistakenFile in mistaken {
        contents.mistakenFiles[mistakenFile.file.path] = ScenarioReport(mistakenFile)
      }
    }
    try write(through: changeCount)
  }

  /// Adds the result of a scenario, and returns the scenario's index in the report.
  ///
  /// `folder` is the scenario's folder if its golden files are in the folder `Golden` beside it,
  /// and otherwise nil.
  func add(
    _ result: ScenarioResult, _ problems: [Scenario.Problem], from folder: String?
  ) async throws(RunError) -> Int {
    var scenario = ScenarioReport(result, withRuns: format.traits.contains(.showsRuns))
    scenario.replaceProblems(problems)
    var index = 0
    let changeCount = change { contents in
      index = contents.scenarios.count
      contents.scenarios.append(scenario)
      if let folder, contents.orphans[folder] == nil {
        contents.orphans[folder] = Result { () throws(RunError) in try Self.orphans(beside: folder)
        }
      }
    }
    try await writeInTurn(through: changeCount)
    return index
  }

  /// Adds the outcome of an exploration to the scenario with this index in the report.
  func add(
    _ exploration: ExplorationRecord, _ problems: [Scenario.Problem], at index: Int
  ) async throws(RunError) {
    try await writeInTurn(through: change { $0.scenarios[index].add(exploration, problems) })
  }

  /// Adds a failure of a test that belongs to no scenario. Adds equal failures of a test only once,
  /// because many traces of an exploration may fail in the same way.
  func add(_ failure: Scenario.Problem, ofTest name: String, in file: String) throws(RunError) {
    var test = ScenarioReport(test: name, in: file)
    test.problems = [failure]
    let changeCount = contents.withLock { contents -> Int? in
      let index = contents.tests.firstIndex { ($0.id, $0.file) == (test.id, test.file) }
      if let index {
        guard !contents.tests[index].problems.contains(failure) else { return nil }
        contents.tests[index].problems.append(failure)
      } else {
        contents.tests.append(test)
      }
      contents.changeCount += 1
      return contents.changeCount
    }
    if let changeCount { try write(through: changeCount) }
  }

  /// Writes the report after the tasks that already wait to write it.
  private func writeInTurn(through changeCount: Int) async throws(RunError) {
    await writeQueue.waitForTurn()
    let outcome = Result { () throws(RunError) in try write(through: changeCount) }
    await writeQueue.endTurn()
    try outcome.get()
  }

  /// Marks the report as complete.
  func end() throws(RunError) {
    try write(through: change { $0.isEnded = true })
  }

  /// Changes the contents of the report, and returns the number of changes so far.
  private func change(_ change: (inout Contents) -> Void) -> Int {
    contents.withLock { contents in
      change(&contents)
      contents.changeCount += 1
      return contents.changeCount
    }
  }

  /// Writes the report, unless the file already contains this many changes.
  private func write(through changeCount: Int) throws(RunError) {
    try writtenChangeCount.withLock { writtenChangeCount throws(RunError) in
      guard writtenChangeCount < changeCount else { return }
      let contents = contents.withLock { $0 }
      try file.write(try format.text(report(on: contents)))
      writtenChangeCount = contents.changeCount
    }
  }

  private func report(on contents: Contents) -> SuiteReport {
    let isEmpty = contents.scenarios.isEmpty && contents.mistakenFiles.isEmpty
    var orphans: [String] = []
    var orphanErrors: [String] = []
    for (_, result) in contents.orphans.sorted(by: { $0.key < $1.key }) {
      switch result {
      case .success(let paths): orphans += paths
      case .failure(let error): orphanErrors.append(error.description)
      }
    }
    var report = SuiteReport(
      (contents.scenarios + contents.mistakenFiles.values).sorted { $0.file < $1.file },
      failedTests: contents.tests.sorted { ($0.file, $0.id) < ($1.file, $1.id) },
      obstacle: isEmpty
        ? "no scenario has finished"
        : orphanErrors.first ?? (contents.isEnded ? nil : "the tests have not ended"),
      orphans: orphans, orphansFail: orphansFail)
    report.origin = origin
    return report
  }

  /// Returns the golden files beside a scenario folder that belong to no scenario in the folder.
  private static func orphans(beside folder: String) throws(RunError) -> [String] {
    let ids = try ScenarioFolder(path: folder).files.map(\.id)
    return try GoldenStore(besideScenarios: folder).orphans(notOwnedBy: ids)
  }
}
