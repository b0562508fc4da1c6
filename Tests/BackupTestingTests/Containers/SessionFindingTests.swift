import BackupTesting
import Foundation
import Testing

@testable import BackupContainer
@testable import BackupDiagnostics
@testable import BackupRules
@testable import BackupScenarios

/// Findings in tests without scenario files, and their lines.
@Suite(.container(files: ["Documents/**": .critical, "Library/**": .offline]))
struct SessionFindingTests {
  private let container: FakeContainer
  /// The app's movie.
  private var movie: URL { container.library.appendingPathComponent("com.example.app.mp4") }

  init() throws {
    container = try FakeContainer.current
  }

  @Test func `a finding points at the call that ran the code`() async throws {
    let line = #line + 1
    try await container.perform("download") {
      try Data(count: 10).write(to: movie)
    }
    try container.backUp()
    let finding = try #require(try container.findings().first)
    #expect(finding.rule == "recreatable-data-backed-up")
    #expect(finding.step.position.line == line)
    let start = "error: recreatable-data-backed-up at line \(line), download: "
    #expect(finding.testDescription.hasPrefix(start))
  }

  @Test func `messages name lines of the test`() async throws {
    let line = #line + 1
    try await container.perform("download") {
      try Data(count: 10).write(to: movie)
      try movie.excludeFromBackup()
    }
    try await container.perform("again") { try Data(count: 20).write(to: movie) }
    try container.backUp()
    let finding = try #require(try container.findings().first)
    #expect(finding.step.position.line == line + 4)
    #expect(finding.step.description == "line \(line + 4)")
    #expect(finding.message.contains("lost its mark in line \(line + 4): "))
    #expect(try container.explain("Library/com.example.app.mp4").contains("in line \(line + 4)"))
  }

  @Test func `code that runs in the test itself is found before the next call`() throws {
    try Data(count: 10).write(to: movie)
    try movie.excludeFromBackup()
    let line = #line + 1
    try container.backUp()
    try Data(count: 20).write(to: movie, options: .atomic)
    try container.backUp()
    let findings = try container.findings()
    #expect(findings.map(\.rule) == ["reapply-on-save"])
    #expect(findings.first?.step.position.line == line + 2)
    #expect(findings.first?.step.summary == "the app's code before line \(line + 2)")
  }

  @Test func `code after the last call is found after it`() throws {
    let line = #line + 1
    try container.backUp()
    try Data(count: 1).write(to: container.temporary.appendingPathComponent("x"))
    try Data(count: 10).write(to: movie)
    try movie.excludeFromBackup()
    _ = try container.findings()
    try movie.excludeFromBackup()
    try Data(count: 20).write(to: movie, options: .atomic)
    let finding = try #require(try container.findings().first)
    #expect(finding.rule == "reapply-on-save")
    #expect(finding.step.position.line == line)
    #expect(finding.step.summary == "the app's code after line \(line)")
  }

  @Test func `a file saved in place and marked again is right, in the test itself too`() throws {
    try Data(count: 10).write(to: movie)
    try movie.excludeFromBackup()
    try container.backUp()
    try Data(count: 20).write(to: movie)
    try movie.excludeFromBackup()
    try container.backUp()
    #expect(try container.findings().isEmpty)
  }

  @Test func `a file saved in place and not marked again is a warning`() throws {
    try Data(count: 10).write(to: movie)
    try movie.excludeFromBackup()
    try container.backUp()
    try Data(count: 20).write(to: movie)
    #expect(try movie.hasBackupExclusionMark)
    try container.backUp()
    #expect(try container.findings().map(\.severity) == [.warning])
  }

  @Test func `reading findings twice finds the same`() throws {
    try Data(count: 10).write(to: movie)
    try container.backUp()
    let first = try container.findings()
    #expect(first.count == 1)
    #expect(try container.findings() == first)
  }

  @Test func `changes before a failed call are not counted twice`() throws {
    try Data(count: 10).write(to: movie)
    #expect(throws: RunError.self) { try container.updateSystem(to: "5.0") }
    try movie.excludeFromBackup()
    try container.backUp()
    #expect(try container.findings().isEmpty)
  }

  @Test func `findings come worst first`() throws {
    try Data(count: 10).write(to: container.library.appendingPathComponent("x"))
    try FileManager.default.createDirectory(
      at: container.library.appendingPathComponent("Own"), withIntermediateDirectories: true)
    try Data(count: 1).write(to: container.library.appendingPathComponent("Own/y"))
    try container.backUp()
    let severities = try container.findings().map(\.severity)
    #expect(severities == severities.sorted())
    #expect(severities.count > 1)
  }
}
