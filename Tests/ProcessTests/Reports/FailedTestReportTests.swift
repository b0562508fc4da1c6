#if os(macOS) || os(Linux)
import BackupReports
import BackupTesting
import Foundation
import TestSupport
import Testing

@testable import BackupContainer
@testable import BackupExploring
@testable import BackupScenarios
@testable import BackupTesting
@testable import BackupVerdicts

/// If a test fails, each report says so.
struct FailedTestReportTests {
  @Test(arguments: Ending.allCases)
  func `each format reports a failure exactly if the test fails`(_ ending: Ending) async throws {
    // On other systems, exploration does not kill the app within a save.
    if ending == .exploration, !TapTrial.isTapAvailable { return }
    let folder = try TestFolder([
      "Scenarios/x.json5": ending.scenario, "Scenarios/y.json5": ending.scenario,
    ])
    let path = folder.url("results.json").path
    let process = TestProcess(
      environment: ending.environment.merging(["BACKUP_TESTING_REPORT": path]) { $1 },
      folder: folder.url, limits: TestProcess.current.limits)
    let failures = try await TestProcess.$current.withValue(process) {
      try await Self.failures { try await ending.run(in: folder.path + "/Scenarios") }
    }
    if ending != .crashOfTests { try process.report.get()?.end() }
    let report = try JSONDecoder().decode(
      SuiteReport.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    let isRed = !ending.isGreen
    #expect(failures.isEmpty != isRed || ending == .crashOfTests, "\(failures)")
    #expect(report.isGreen != isRed, "\(report.summary)")
    for format in SuiteReport.formats {
      let text = try format.text(report)
      #expect(Self.isRed(text, format.name) == isRed, "\(format.name): \(text)")
    }
    guard ending == .exploration else { return }
    try Self.expectExplorations(in: report)
    #expect(
      process.failedReports.withLock(\.sharedCauses).hasPrefix("1 shared cause in 2 scenarios:\n"))
    #expect(process.failedReports.withLock(\.failedLine) == "failed: x, y\n")
    let failed = ["x", "y"].map { "\(folder.path)/Scenarios/\($0).json5" }
    #expect(try process.failedScenarios.paths() == Set(failed))
  }

  /// Expects reports on the exploration of two scenarios, with a link to the problem of each.
  private static func expectExplorations(in report: SuiteReport) throws {
    func text(_ format: String) throws -> String {
      try SuiteReport.formats.format(named: format).text(report)
    }
    #expect(report.count(.failed) == 2)
    #expect(report.summary.contains("\n2 scenarios explored: "))
    for scenario in report.scenarios {
      let record = try #require(scenario.exploration)
      #expect(record.crashPoints > 0 && !record.points.isEmpty)
      #expect(scenario.problems.first?.message == record.counterexamples.first?.message)
      #expect(try text("junit").contains(record.summary))
    }
    let page = try text("html")
    for anchor in ["s0-0", "s1-0"] {
      #expect(page.contains("<a href=\"#\(anchor)\" title=\"") && page.contains("id=\"\(anchor)\""))
    }
  }

  /// Runs code, and returns the failures that it records. They do not fail this test.
  private static func failures(
    of code: @escaping @Sendable () async throws -> Void
  ) async throws -> [String] {
    let failures = CollectedValues<String>()
    let collector = IssueHandlingTrait.compactMapIssues { issue in
      if issue.isFailure { failures.add("\(issue)") }
      return nil
    }
    do {
      try await collector.provideScope(
        for: try #require(Test.current), testCase: Test.Case.current, performing: code)
    } catch {
      failures.add("\(error)")
    }
    return failures.values
  }

  /// Whether a report says that something failed.
  private static func isRed(_ text: String, _ format: String) -> Bool {
    switch format {
    case "text": text.contains(": error: ")
    case "json": !text.contains(#""failed" : 0"#) || text.contains(#""obstacle" : "#)
    case "junit": !text.contains(#"failures="0" errors="0""#)
    case "github": text.contains("::error ")
    case "markdown": !text.contains("## No scenario failed.\n")
    case "sarif": text.contains(#""level" : "error""#)
    case "html": text.contains(#"class="verdict error""#) && text.contains(#"class="error""#)
    default: false
    }
  }

  /// How a test ends.
  enum Ending: CaseIterable {
    case none, knownIssue, knownIssueInContainer
    case finding, golden, failedStep, unboundAction, crashOfApp, expectationInApp
    case expectationInAction
    case exploration, unfinishedExploration, unknownTrace
    case unreadable, noScenario, noFolder, noStandardSuite, recordMode
    case findingInContainer, expectationInContainer, errorInContainer, crashInContainer
    case crashOfTests

    var isGreen: Bool { [.none, .knownIssue, .knownIssueInContainer].contains(self) }

    var environment: [String: String] {
      switch self {
      case .unknownTrace: ["BACKUP_TESTING_REPLAY": "x"]
      case .recordMode: ["BACKUP_TESTING_RECORD": "sometimes"]
      default: [:]
      }
    }

    var scenario: String {
      switch self {
      case .unreadable: "{"
      case .golden: "{ title: 'X', steps: [{ backup: 'one' }] }"
      default:
        "{ title: 'X', golden: { compare: false }, files: { 'Library/**': 'offline' }, steps: [\n"
          + "\(steps) { backup: 'one' }] }"
      }
    }

    private var steps: String {
      switch self {
      case .finding, .knownIssue: "{ save: 'Library/a', size: 1 },"
      case .failedStep: "{ remove: 'Library/a' },"
      case .unboundAction: "{ perform: 'unbound' },"
      case .crashOfApp: "{ perform: 'killed' },"
      case .expectationInApp, .expectationInAction: "{ perform: 'expect' },"
      case .exploration, .unknownTrace: "{ perform: 'once', with: { id: '1' } },"
      default: ""
      }
    }

    func run(in folder: String) async throws {
      switch self {
      case .none, .finding, .failedStep, .unboundAction, .unreadable, .recordMode, .crashOfTests:
        await (try Scenario.all(in: folder).first)?.run()
      case .knownIssue:
        let scenarios = try Scenario.all(in: folder)
        await withKnownIssue { await scenarios.first?.run() }
      case .golden:
        await (try Scenario.all(in: folder).first)?.run(options: .init(recordMode: .never))
      case .crashOfApp, .expectationInApp:
        await (try Scenario.all(in: folder).first)?.run(DyingApp.self)
      case .expectationInAction:
        await (try Scenario.all(in: folder).first)?.run(actions: DyingApp.actions)
      case .exploration, .unknownTrace:
        for scenario in try Scenario.all(in: folder) { await scenario.explore(FolderApp.self) }
      case .unfinishedExploration:
        let scenarios = try StandardSuite.scenarios(for: ListApp.self)
        let scenario = try #require(scenarios.first { $0.id == "critical" })
        await StandardSuite.explore(scenario, for: ListApp.self, bounds: .init(budget: 1))
      case .noScenario:
        // The report also has a scenario that passes.
        await (try Scenario.all(in: folder).first)?.run()
        _ = try Scenario.all(in: folder, matching: "z")
      case .noFolder:
        await (try Scenario.all(in: folder).first)?.run()
        _ = try Scenario.all(in: "/no/such/folder")
      case .noStandardSuite:
        await (try Scenario.all(in: folder).first)?.run()
        let app = StandardApp(bundleIdentifier: "com.example.app", files: [:])
        _ = try StandardSuite.scenarios(for: app)
      case .findingInContainer, .knownIssueInContainer, .expectationInContainer, .errorInContainer,
        .crashInContainer:
        await (try Scenario.all(in: folder).first)?.run()
        let trait = ContainerTrait.container(files: ["Library/**": .offline])
        let test = try #require(Test.current)
        try await trait.provideScope(for: test, testCase: Test.Case.current) {
          try await use(FakeContainer.current)
        }
      }
    }

    private func use(_ container: FakeContainer) async throws {
      switch self {
      case .findingInContainer:
        try Data([1]).write(to: container.library.appendingPathComponent("a"))
        try container.backUp()
        try container.expectNoFindings()
      case .knownIssueInContainer:
        await withKnownIssue { try await Self.findingInContainer.use(container) }
      case .expectationInContainer:
        #expect(try container.backUp().contains("Documents/a"))
      case .crashInContainer:
        try await container.launch(DyingApp.self).perform("killed")
      default:
        throw CocoaError(.fileReadUnknown)
      }
    }
  }
}

/// An app without a mistake.
enum ListApp: AppUnderTest {
  static let files: KeyValuePairs<String, DataClass> = ["Documents/list": .critical]

  static let actions: AppActions = [
    "save.critical": { action in
      try Data("[]".utf8).write(to: action.container.documents.file("list"), options: .atomic)
    }
  ]
}
#endif
