import Foundation
import TestSupport
import Testing

@testable import BackupContainer
@testable import BackupRules
@testable import BackupTesting

/// The issues that `expectNoFindings` records for findings.
@Suite(.container(files: ["Library/**": .offline])) struct FindingIssueTests {
  private let container: FakeContainer

  init() throws {
    container = try FakeContainer.current
    try Data(count: 10).write(to: container.library.appendingPathComponent("com.example.app.mp4"))
  }

  /// Returns the issues that `expectNoFindings` records.
  private func issues() async throws -> [TestIssue.CollectedIssue] {
    try await TestIssue.collecting { try container.expectNoFindings() }
  }

  @Test func `an issue has the finding's message and its advice`() async throws {
    let line = #line + 1
    try container.backUp()
    let issue = try #require(try await issues().first)
    let lines = issue.text.split(separator: "\n").map(String.init)
    #expect(
      lines.first?.hasPrefix(
        "recreatable-data-backed-up at line \(line), the app's code before line \(line): "
          + "'Library/com.example.app.mp4' is offline data") == true)
    // A note stands between them only if a test of a module with the shim has already run.
    let starts = lines.dropFirst().map { String($0.prefix(4)) }
    #expect(starts.filter { $0 != "note" } == ["do: "])
    #expect(!lines.contains { $0.contains("Finding(") })
    #expect(issue.sourceLocation.line == line)
    #expect(issue.sourceLocation.fileID == #fileID)
  }

  @Test func `an issue points to the file of the call that caused the finding`() async throws {
    let helper = SourceLocation(
      fileID: "Elsewhere/Steps.swift", filePath: "/somewhere/Steps.swift", line: 7, column: 3)
    try container.backUp(sourceLocation: helper)
    #expect(try await issues().map(\.sourceLocation) == [helper])
  }

  @Test func `a finding without a call points to the expectation`() async throws {
    let otherContainer = try FakeContainer()
    _ = try otherContainer.findings()
    try Data(count: 10).write(to: otherContainer.documents.appendingPathComponent("a"))
    try otherContainer.documents.excludeFromBackup()
    let line = #line + 1
    let issues = try await TestIssue.collecting { try otherContainer.expectNoFindings() }
    #expect(issues.map(\.sourceLocation.line) == [line])
  }

  @Test func `a finding in a string is a sentence too`() throws {
    try container.backUp()
    let finding = try #require(try container.findings().first)
    #expect("\(finding)".hasPrefix("error: recreatable-data-backed-up at line "))
    #expect("\(finding)" == finding.testDescription)
  }

  @Test func `findings in a list stand on lines of their own`() throws {
    try container.backUp()
    let findings = try container.findings()
    let lines = String(describingForTest: findings + findings).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(
      lines.dropFirst().allSatisfy { $0.hasPrefix("  error: recreatable-data-backed-up at ") })
  }
}
