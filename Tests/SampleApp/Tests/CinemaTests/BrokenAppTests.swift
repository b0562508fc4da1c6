import BackupTesting
import Cinema
import Foundation
import Testing

/// In the same scenarios, the app without a fault has no finding (``CinemaScenarioTests``).
@Suite struct BrokenAppTests {
  @Test(arguments: BrokenApp.all)
  func `Each broken app is caught by the expected rules`(_ app: BrokenApp) async throws {
    let scenarios = try Scenario.all(matching: app.scenario)
    let scenario = try #require(scenarios.first)
    var rules: Set<String> = []
    let issues = Issues()
    try await withKnownIssue {
      let result = await scenario.run(actions: app.actions, options: .init(recordMode: .never))
      // This includes warnings and advice.
      rules = Set(try #require(result).runs.flatMap(\.findings).map(\.rule))
    } when: {
      Faults.areExpected
    } matching: { issue in
      issues.add(issue)
      return true
    }
    #expect(rules == app.rules)
    guard Faults.areExpected else { return }
    // On other platforms, the kit does not see which code saves a file.
    #if os(Linux)
    let lines = try issues.linesOfCode()
    #expect(lines.isEmpty == (app.fault == nil))
    if let fault = app.fault { #expect(lines.contains { $0.contains(fault) }) }
    #endif
  }

  #if os(Linux)
  @Test(.container(files: ["Library/Application Support/Movies/*": .offline]))
  func `Findings of a test without a scenario name the code that it performs`() async throws {
    let container = try FakeContainer.current
    let movies = MovieStore(directories: AppDirectories(home: container.url))
    let download = container.url.appending(path: "tmp/download")
    try Data(count: 100).write(to: download)
    try await container.perform("download") { try movies.keepUnmarked(download, as: 1) }
    try container.backUp()
    let issues = Issues()
    try withKnownIssue {
      try container.expectNoFindings()
    } when: {
      Faults.areExpected
    } matching: { issue in
      issues.add(issue)
      return true
    }
    guard Faults.areExpected else { return }
    let lines = try issues.linesOfCode()
    #expect(lines.contains { $0.contains("moveItem(at: download, to: file)") })
  }
  #endif
}

/// Collects the issues of a test.
private final class Issues: @unchecked Sendable {
  private let lock = NSLock()
  private var texts: [String] = []

  func add(_ issue: Issue) {
    lock.withLock { texts += issue.comments.map(\.rawValue) }
  }

  /// Returns the lines of the app's source that the findings name, for example line 7 for
  /// `code: saved by f(), File.swift:7`.
  func linesOfCode() throws -> [Substring] {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let sources = tests.appending(path: "../../Sources/Cinema")
    let named = lock.withLock { texts }.flatMap { $0.split(separator: "\n") }
      .filter { $0.hasPrefix("code:") }
      .flatMap { $0.matches(of: #/([\w+]+\.swift):(\d+)/#) }
    return try named.map { place in
      let folders = [tests, tests.appending(path: "Broken"), sources]
      let file = folders.map { $0.appending(path: place.1) }
        .first { FileManager.default.fileExists(atPath: $0.path) }
      let text = try String(contentsOf: #require(file), encoding: .utf8)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      return lines[try #require(Int(place.2)) - 1]
    }
  }
}
