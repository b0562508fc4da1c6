import Foundation
import TestSupport
import Testing

@testable import BackupContainer
@testable import BackupScenarios
@testable import BackupTesting

/// A lookup by the shim on a thread without a container is reported.
@Suite struct LostLookUpTests {
  /// The lookup.
  private let call = "FileManager.urls(for: .documentDirectory, in:)"

  /// Returns the issues that code records.
  private func issues(
    _ code: @Sendable () async throws -> Void
  ) async throws -> [TestIssue.CollectedIssue] {
    try await TestIssue.collecting { try await code() }
  }

  @Test func `a lookup of a detached task is noted, and a lookup of the test itself is not`()
    async throws
  {
    let containers = OpenContainers()
    let container = try FakeContainer(traits: nil, among: containers)
    await container.runCode {
      containers.reportLostLookUp("NSHomeDirectory()")
      let call = call
      await Task.detached {
        containers.reportLostLookUp("")
        containers.reportLostLookUp(call)
      }.value
    }
    let complaints = container.takeCodeComplaints()
    #expect(complaints.count == 1)
    #expect(complaints.first?.hasPrefix("\(call) was called on a thread") == true)
  }

  @Test func `a lookup without a container ends the run of a scenario, whatever its step expects`()
    async throws
  {
    let call = call
    let run = try await ActionRun(
      ["{ perform: 'save', throws: true }", "{ backup: 'b' }"],
      actions: [
        "save": { action in
          try action.fake.lostLookUps.withLock { $0.append(call) }
          throw CancellationError()
        }
      ])
    #expect(run.failure?.hasPrefix("\(call) was called on a thread") == true)
    #expect(run.failure?.contains("pass the container's root") == true)
    #expect(run.transcript.failure?.step.position.line == 2)
  }

  @Test(.container) func `in a test, the lookup is an issue at the call that ran the code`()
    async throws
  {
    let container = try FakeContainer.current
    let call = call
    let line = #line + 2
    let issues = try await issues {
      try await container.perform("save") {
        container.lostLookUps.withLock { $0.append(call) }
      }
    }
    #expect(issues.map(\.sourceLocation.line) == [line])
    #expect(issues.first?.text.hasPrefix(call) == true)
  }

  @Test func `in a test, a lookup outside of calls is an issue at the test`() async throws {
    let test = try #require(Test.current)
    let call = call
    let issues = try await issues {
      try await ContainerTrait.container.provideScope(for: test, testCase: Test.Case.current) {
        try FakeContainer.current.lostLookUps.withLock { $0.append(call) }
      }
    }
    #expect(issues.map(\.sourceLocation) == [test.sourceLocation])
  }
}
