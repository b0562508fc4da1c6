import BackupContainer
import BackupDiagnostics
import BackupScenarios
import BackupVerdicts

/// The results of the scenarios in a test process, in a file from which the tool makes reports.
///
/// The whole file is written after each scenario, because a process may crash.
final class ProcessReport: Sendable {
  /// The environment variable that asks for the report: a path, or a format, a colon and a path.
  static let environmentVariable = "BACKUP_TESTING_REPORT"
  /// The variable by which Bazel asks for a report in JUnit's XML: a path.
  private static let bazelVariable = "XML_OUTPUT_FILE"

  /// Returns the variable that asks for a report, and its request: a path, or a format, a colon and
  /// a path. Returns nil if no variable asks for one.
  static func request(in environment: [String: String]) -> (variable: String, words: String)? {
    if let words = environment[environmentVariable], !words.isEmpty {
      return (environmentVariable, words)
    }
    guard let path = environment[bazelVariable], !path.isEmpty else { return nil }
    return (bazelVariable, "junit:\(path)")
  }

  /// JSON is for the tool; build servers such as Bazel read JUnit from the tests themselves.
  private static let formats: [OutputFormat<SuiteReport>] = [.json, .junit]

  private let format: OutputFormat<SuiteReport>
  private let file: TextFile
  private let orphansFail: Bool
  private let origin: ReportOrigin
  private let contents = Locked(Additions())
  /// The number of additions that the file contains. The lock guards the file too.
  private let writtenCount = Locked(0)
  /// The queue of tasks that wait for a write, so that one write serves many of them.
  private let writeQueue = ProcessLimit(count: 1)

  private struct Additions {
    var additionCount = 0
    var isEnded = false
    var scenarios: [ScenarioReport] = []
    /// The tests with failures that no scenario has.
    var tests: [ScenarioReport] = []
    /// The files that are not valid scenarios, by path.
    var mistaken: [String: ScenarioReport] = [:]
    /// The golden files without a scenario, by scenario folder, or the error in finding them.
    var orphans: [String: Result<[String], RunError>] = [:]
  }

  /// Creates the report that an environment asks for; returns nil if it asks for none.
  init?(in environment: [String: String]) throws(RunError) {
    guard let words = Self.request(in: environment)?.words else { return nil }
    let word = words.prefix(while: \.isLetter)
    let hasFormat = words.dropFirst(word.count).first == ":"
    let name = hasFormat ? String(word) : "json"
    let path = hasFormat ? String(words.dropFirst(word.count + 1)) : words
    guard !path.isEmpty, let format = Self.formats.first(where: { $0.name == name }) else {
      throw RunError(
        .unwritable,
        "tests write no report '\(words)'; expected a path, such as results.json, or "
          + "junit:results.xml. For other formats, run 'backup-testing report results.json'")
    }
    self.format = format
    self.file = try TextFile(reportAt: path)
    self.orphansFail = RecordMode.isCI(environment)
    self.origin = .current(in: environment)
  }

  /// Replaces the report of an earlier process, which may show no failure.
  func begin() throws(RunError) {
    guard writtenCount.withLock({ $0 == 0 }) else { return }
    try add(mistaken: [])
  }

  /// Adds files that are not valid scenarios, if any, and replaces the report of an earlier
  /// process.
  func add(mistaken: [MistakenFile]) throws(RunError) {
    let count = change { contents in
      for mistaken in mistaken { contents.mistaken[mistaken.file.path] = ScenarioReport(mistaken) }
    }
    try write(through: count)
  }

  /// Adds the result of a scenario, and returns the scenario's place in the report.
  ///
  /// `folder` is the scenario's folder if the golden files are at their usual place beside it.
  func add(
    _ result: ScenarioResult, _ problems: [Scenario.Problem], from folder: String?
  ) async throws(RunError) -> Int {
    var scenario = ScenarioReport(result, withRuns: format.traits.contains(.needsRuns))
    scenario.take(problems)
    var place = 0
    let count = change { contents in
      place = contents.scenarios.count
      contents.scenarios.append(scenario)
      if let folder, contents.orphans[folder] == nil {
        contents.orphans[folder] = Result { () throws(RunError) in try Self.orphans(beside: folder)
        }
      }
    }
    try await writeInTurn(through: count)
    return place
  }

  /// Adds the outcome of the exploration of a scenario, at the scenario's place in the report.
  func add(
    _ exploration: ExplorationRecord, _ problems: [Scenario.Problem], at place: Int
  ) async throws(RunError) {
    try await writeInTurn(through: change { $0.scenarios[place].add(exploration, problems) })
  }

  /// Adds the failure of a test that no scenario has. A failure that many traces have is added once.
  func add(_ failure: Scenario.Problem, ofTest name: String, in file: String) throws(RunError) {
    var test = ScenarioReport(test: name, in: file)
    test.problems = [failure]
    let count = contents.withLock { contents -> Int? in
      let place = contents.tests.firstIndex { ($0.id, $0.file) == (test.id, test.file) }
      if let place {
        guard !contents.tests[place].problems.contains(failure) else { return nil }
        contents.tests[place].problems.append(failure)
      } else {
        contents.tests.append(test)
      }
      contents.additionCount += 1
      return contents.additionCount
    }
    if let count { try write(through: count) }
  }

  private func writeInTurn(through count: Int) async throws(RunError) {
    await writeQueue.take()
    let outcome = Result { () throws(RunError) in try write(through: count) }
    await writeQueue.giveBack()
    try outcome.get()
  }

  /// Marks the report as complete.
  func end() throws(RunError) {
    try write(through: change { $0.isEnded = true })
  }

  /// Changes the contents of the report, and returns the number of the addition.
  private func change(_ change: (inout Additions) -> Void) -> Int {
    contents.withLock { contents in
      change(&contents)
      contents.additionCount += 1
      return contents.additionCount
    }
  }

  /// Writes the report, unless the file has this addition already.
  private func write(through count: Int) throws(RunError) {
    try writtenCount.withLock { writtenCount throws(RunError) in
      guard writtenCount < count else { return }
      let contents = contents.withLock { $0 }
      try file.write(try format.write(report(on: contents)))
      writtenCount = contents.additionCount
    }
  }

  private func report(on contents: Additions) -> SuiteReport {
    let isEmpty = contents.scenarios.isEmpty && contents.mistaken.isEmpty
    var orphans: [String] = []
    var errors: [String] = []
    for (_, result) in contents.orphans.sorted(by: { $0.key < $1.key }) {
      switch result {
      case .success(let paths): orphans += paths
      case .failure(let error): errors.append(error.description)
      }
    }
    var report = SuiteReport(
      (contents.scenarios + contents.mistaken.values).sorted { $0.file < $1.file },
      tests: contents.tests.sorted { ($0.file, $0.id) < ($1.file, $1.id) },
      obstacle: isEmpty
        ? "no scenario has finished"
        : errors.first ?? (contents.isEnded ? nil : "the tests have not ended"),
      orphans: orphans, orphansFail: orphansFail)
    report.origin = origin
    return report
  }

  /// Returns the golden files beside a scenario folder that belong to no file in it.
  private static func orphans(beside folder: String) throws(RunError) -> [String] {
    let ids = try ScenarioFolder(path: folder).files.map(\.id)
    return try GoldenStore(besideScenarios: folder).orphans(notOwnedBy: ids)
  }
}
