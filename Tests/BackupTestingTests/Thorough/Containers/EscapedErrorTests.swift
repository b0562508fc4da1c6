import Foundation
import TestSupport
import Testing

@testable import BackupContainer
@testable import BackupScenarios
@testable import BackupTesting

/// An error about a missing file that app code throws out of a test becomes an issue.
@Suite struct EscapedErrorTests {
  /// An app's error.
  private struct LoadError: Error {
    let cause: any Error
  }

  /// The result of a test.
  private struct Outcome {
    let issues: [TestIssue.CollectedIssue]
    /// The error that the test threw past its trait.
    let error: (any Error)?

    /// The first line of each issue.
    var sentences: [Substring] {
      issues.compactMap { $0.text.split(separator: "\n").first }
    }
  }

  /// Runs code as a test in a container. By default, the system is the newest.
  private func outcome(
    on system: String? = nil, _ code: @escaping @Sendable (FakeContainer) async throws -> Void
  ) async throws -> Outcome {
    let test = try #require(Test.current)
    let errors = CollectedValues<any Error>()
    let issues = await TestIssue.collecting {
      do {
        let trait = ContainerTrait.container(system: system)
        try await trait.provideScope(for: test, testCase: Test.Case.current) {
          try await code(try FakeContainer.current)
        }
      } catch {
        errors.add(error)
      }
    }
    return Outcome(issues: issues, error: errors.values.first)
  }

  @Test func `a missing file that is read is one issue, at the call`() async throws {
    let line = #line + 2
    let outcome = try await outcome { container in
      try await container.perform("load") {
        _ = try Data(contentsOf: container.documents.appendingPathComponent("list.json"))
      }
    }
    #expect(outcome.error == nil)
    #expect(outcome.issues.map(\.sourceLocation.line) == [line])
    let start = "exists-before-use at line \(line), load: the app reads 'Documents/list.json'"
    #expect(outcome.sentences.first?.hasPrefix(start) == true)
  }

  @Test func `a missing file in an app's error is one issue, whatever else the code did`()
    async throws
  {
    let outcome = try await outcome { container in
      try await container.perform("load") {
        try Data([1]).write(to: container.temporary.appendingPathComponent("part"))
        do {
          _ = try Data(contentsOf: container.documents.appendingPathComponent("list.json"))
        } catch {
          throw LoadError(cause: error)
        }
      }
    }
    #expect(outcome.error == nil)
    #expect(outcome.sentences.count == 1)
    #expect(outcome.sentences.first?.contains("threw LoadError(") == true)
  }

  @Test func `a former container's path, and a mark on a missing item, are issues`() async throws {
    let staleOutcome = try await outcome { container in
      let file = container.documents.appendingPathComponent("list.json")
      try container.updateApp(to: "2.0")
      try await container.perform("load") { _ = try Data(contentsOf: file) }
    }
    #expect(staleOutcome.error == nil)
    #expect(staleOutcome.sentences.map { $0.prefix(24) } == ["stale-container-path at "])
    let markedOutcome = try await outcome { container in
      try await container.perform("mark") {
        try container.library.appendingPathComponent("x").excludeFromBackup()
      }
    }
    #expect(markedOutcome.error == nil)
    #expect(markedOutcome.sentences.map { $0.prefix(21) } == ["exists-before-set at "])
  }

  @Test func `a mark that the system lacks is an issue`() async throws {
    let outcome = try await outcome(on: "5.0.1") { container in
      try await container.perform("mark") { try container.library.excludeFromBackup() }
    }
    #expect(outcome.error == nil)
    #expect(outcome.sentences.map { $0.prefix(20) } == ["mark-unavailable at "])
  }

  @Test func `an error that the test handles is no finding`() async throws {
    let outcome = try await outcome { container in
      await #expect(throws: CocoaError.self) {
        try await container.perform("load") {
          _ = try Data(contentsOf: container.documents.appendingPathComponent("list.json"))
        }
      }
      try container.expectNoFindings()
    }
    #expect(outcome.error == nil)
    #expect(outcome.issues.isEmpty)
  }

  @Test func `an error about something else is thrown out of the test`() async throws {
    let outcome = try await outcome { container in
      try? await container.perform("load") {
        _ = try Data(contentsOf: container.documents.appendingPathComponent("list.json"))
      }
      try await container.perform("fail") { throw LoadError(cause: CancellationError()) }
    }
    #expect(outcome.error is LoadError)
    #expect(outcome.issues.isEmpty)
  }

  @Test func `an error of the test itself is thrown, even if app code had the same error before`()
    async throws
  {
    let outcome = try await outcome { container in
      let list = container.documents.appendingPathComponent("list.json")
      try? await container.perform("load") { _ = try Data(contentsOf: list) }
      try container.backUp()
      _ = try Data(contentsOf: list)
    }
    #expect(outcome.error is CocoaError)
    #expect(outcome.issues.isEmpty)
  }
}
