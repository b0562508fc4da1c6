import Foundation
import TestSupport
import Testing

@testable import BackupContainer
@testable import BackupDiagnostics
@testable import BackupRules
@testable import BackupTesting

/// Errors that a test with a container does not check.
@Suite struct UnseenFindingTests {
  private struct Oops: Error {}

  /// The behaviour of a test with a container.
  struct TestBehaviour: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The rules in the issues that are recorded at the end of the test.
    let rules: [String]
    var findings = ContainerTrait.UnseenFindings.reported
    let act: @Sendable (FakeContainer) throws -> Void

    /// Breaks a rule with an error, in a backup that the test takes.
    static func breakRule(in container: FakeContainer, file: String = "com.example.app.mp4") throws
    {
      try Data(count: 10).write(to: container.library.appendingPathComponent(file))
      try container.backUp()
    }

    private static let broken = ["recreatable-data-backed-up"]

    static let all = [
      TestBehaviour(testDescription: "looks at nothing", rules: broken) { try breakRule(in: $0) },
      TestBehaviour(testDescription: "expects no findings", rules: []) {
        try breakRule(in: $0)
        try $0.expectNoFindings()
      },
      TestBehaviour(testDescription: "looks at the findings before the backup, too", rules: []) {
        try Data(count: 10).write(to: $0.library.appendingPathComponent("com.example.app.mp4"))
        try $0.backUp()
        _ = try $0.findings()
        try $0.backUp("later")
      },
      TestBehaviour(testDescription: "breaks a rule after a look", rules: broken) {
        try $0.expectNoFindings()
        try breakRule(in: $0)
      },
      TestBehaviour(testDescription: "breaks it for another file after a look", rules: broken) {
        try breakRule(in: $0)
        _ = try $0.findings()
        try breakRule(in: $0, file: "com.example.app.2.mp4")
      },
      TestBehaviour(testDescription: "has a warning", rules: []) {
        let folder = $0.library.appendingPathComponent("Movies")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        #expect(RuleList.findings(in: try $0.session(at: .unknown).transcript()).count == 1)
      },
      TestBehaviour(testDescription: "throws", rules: []) {
        try breakRule(in: $0)
        throw Oops()
      },
      TestBehaviour(testDescription: "opts out", rules: [], findings: .ignored) {
        try breakRule(in: $0)
      },
    ]
  }

  /// Returns the issues at the end of a test, without those that `expectNoFindings` records in it.
  private func issues(_ behaviour: TestBehaviour) async throws -> [TestIssue.CollectedIssue] {
    let test = try #require(Test.current)
    let trait = ContainerTrait.container(
      files: ["Library/**": .offline, "Documents/**": .critical], findings: behaviour.findings)
    return try await TestIssue.collecting {
      do {
        try await trait.provideScope(for: test, testCase: Test.Case.current) {
          let container = try FakeContainer.current
          _ = try await TestIssue.collecting { try behaviour.act(container) }
        }
      } catch is Oops {}
    }
  }

  @Test(arguments: TestBehaviour.all)
  func `unchecked errors are issues when the test ends`(behaviour: TestBehaviour) async throws {
    let issues = try await issues(behaviour)
    #expect(issues.map { $0.text.prefix { $0 != " " } } == behaviour.rules.map { $0[...] })
    for issue in issues {
      #expect(issue.isFailure && issue.sourceLocation.fileID == #fileID)
      #expect(issue.text.contains("end it with 'try container.expectNoFindings()'"))
      #expect(issue.text.contains("'.container(findings: .ignored)'"))
    }
  }

  @Test func `a missing container is an error that names the trait`() throws {
    let error = try #require(throws: RunError.self) { _ = try FakeContainer.current }
    #expect(error.code == .noContainer)
    #expect(error.description.contains("add the trait '.container'"))
  }

  @Test(.container) func `code that ran and changed nothing is a warning`() async throws {
    let container = try FakeContainer.current
    func warnings() async throws -> [String] {
      let issues = try await TestIssue.collecting { try container.expectNoFindings() }
      #expect(issues.allSatisfy { !$0.isFailure })
      return issues.map(\.text)
    }
    #expect(try await warnings() == [])
    await #expect(throws: Oops.self) { try await container.perform("fail") { throw Oops() } }
    #expect(try await warnings() == [])
    try await container.perform("forget to wait") {}
    #expect(try await warnings().map { $0.contains("ran, but changed nothing") } == [true])
    try await container.perform("save") {
      try Data([1]).write(to: container.documents.appendingPathComponent("a"))
    }
    #expect(try await warnings() == [])
  }
}
