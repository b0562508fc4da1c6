import BackupContainer
import BackupDiagnostics
import BackupScenarios
import BackupVerdicts

/// The results of the scenarios in a process of tests, written to a file from which the tool makes
/// reports.
///
/// The whole file is written after each scenario, since a process may crash.
final class ProcessReport: Sendable {
  /// The environment variable that asks for it: a path, or a format, a colon and a path.
  static let environmentVariable = "BACKUP_TESTING_REPORT"
  /// The variable by which Bazel asks for a report in JUnit's XML: a path.
  private static let bazelVariable = "XML_OUTPUT_FILE"

  /// The variable that asks for a report, and the format, a colon and the path; nil if none does.
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
  private let contents = Locked(Additions())
  /// How many additions the file shows; guards the file too.
  private let shownCount = Locked(0)
  /// Where the tasks wait that want it written, so that one write is for many of them.
  private let line = ProcessLimit(count: 1)

  private struct Additions {
    var additionCount = 0
    var isEnded = false
    var scenarios: [ScenarioReport] = []
    /// The tests that failed without a scenario that did.
    var tests: [ScenarioReport] = []
    /// The files that are no scenarios, by path.
    var mistaken: [String: ScenarioReport] = [:]
    /// The golden files without a scenario, by scenario folder; or why they are not known.
    var orphans: [String: Result<[String], RunError>] = [:]
  }

  /// The report that an environment asks for; nil if it asks for none.
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
  }

  /// Replaces an earlier process's report, which could be green.
  func begin() throws(RunError) {
    guard shownCount.withLock({ $0 == 0 }) else { return }
    try add(mistaken: [])
  }

  /// Adds files that are no scenarios, or nothing; an earlier process's report is replaced.
  func add(mistaken: [MistakenFile]) throws(RunError) {
    let count = change { contents in
      for mistaken in mistaken { contents.mistaken[mistaken.file.path] = ScenarioReport(mistaken) }
    }
    try write(through: count)
  }

  /// Adds what came of a scenario, whose golden files are at their usual place beside the folder;
  /// returns the scenario's place in the report.
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

  /// Adds what exploring a scenario came to that has a place in the report.
  func add(
    _ exploration: ExplorationRecord, _ problems: [Scenario.Problem], at place: Int
  ) async throws(RunError) {
    try await writeInTurn(through: change { $0.scenarios[place].add(exploration, problems) })
  }

  /// Adds the failure of a test that no scenario has; once, also if many traces have it.
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
    await line.take()
    let written = Result { () throws(RunError) in try write(through: count) }
    await line.giveBack()
    try written.get()
  }

  /// Says in the report that no more comes.
  func end() throws(RunError) {
    try write(through: change { $0.isEnded = true })
  }

  /// Changes what the report shows; returns the number of the addition.
  private func change(_ change: (inout Additions) -> Void) -> Int {
    contents.withLock { contents in
      change(&contents)
      contents.additionCount += 1
      return contents.additionCount
    }
  }

  /// Writes the report, unless the file has this addition already.
  private func write(through count: Int) throws(RunError) {
    try shownCount.withLock { shownCount throws(RunError) in
      guard shownCount < count else { return }
      let contents = contents.withLock { $0 }
      try file.write(try format.write(report(on: contents)))
      shownCount = contents.additionCount
    }
  }

  private func report(on contents: Additions) -> SuiteReport {
    let isEmpty = contents.scenarios.isEmpty && contents.mistaken.isEmpty
    var orphans: [String] = []
    var unknown: [String] = []
    for (_, result) in contents.orphans.sorted(by: { $0.key < $1.key }) {
      switch result {
      case .success(let paths): orphans += paths
      case .failure(let error): unknown.append(error.description)
      }
    }
    return SuiteReport(
      (contents.scenarios + contents.mistaken.values).sorted { $0.file < $1.file },
      tests: contents.tests.sorted { ($0.file, $0.id) < ($1.file, $1.id) },
      obstacle: isEmpty
        ? "no scenario has finished"
        : unknown.first ?? (contents.isEnded ? nil : "the tests have not ended"),
      orphans: orphans, orphansFail: orphansFail)
  }

  /// The golden files beside a scenario folder that no file in it has.
  private static func orphans(beside folder: String) throws(RunError) -> [String] {
    let ids = try ScenarioFolder(path: folder).files.map(\.id)
    return try GoldenStore(besideScenarios: folder).orphans(besides: ids)
  }
}
