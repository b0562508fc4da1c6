import BackupTesting
import Foundation
import Testing

@testable import BackupContainer
@testable import BackupRules
@testable import BackupScenarios

/// Absolute links into the container lead nowhere once the container has another path.
@Suite struct StaleLinkTests {
  /// The actions of an app that saves a draft and a link to it.
  private static let actions: AppActions = [
    "link": { try link($0.fake) },
    "read": { _ = try Data(contentsOf: try $0.fake.latest) },
    "write": { action in
      let file = try FileHandle(forWritingTo: try action.fake.latest)
      try file.close()
    },
    "readBelow": { _ = try Data(contentsOf: try $0.fake.latest.appendingPathComponent("a")) },
    "linkAgain": { action in
      try FileManager.default.removeItem(at: try action.fake.latest)
      try link(action.fake)
    },
    "look": { _ = try? Data(contentsOf: try $0.fake.latest) },
  ]

  /// Saves a draft and links to it, as apps do.
  private static func link(_ container: FakeContainer) throws {
    let draft = container.documents.appendingPathComponent("draft")
    try Data([1]).write(to: draft)
    try FileManager.default.createSymbolicLink(at: container.latest, withDestinationURL: draft)
  }

  /// Runs steps. A step without a colon is the name of an action.
  private func run(_ steps: String...) async throws -> ActionRun {
    try await ActionRun(
      steps.map { $0.contains(":") ? "{ \($0) }" : "{ perform: '\($0)' }" },
      actions: Self.actions)
  }

  @Test(arguments: ["read", "write", "readBelow"])
  func `a link in use is found at the step that created it`(use: String) async throws {
    let run = try await run("link", "updateApp: '2.0'", use)
    #expect(run.failure == nil)
    #expect(run.broken == ["stale-container-path:2"])
    #expect(run.findings.map(\.severity) == [.error])
    #expect(run.findings.first?.path?.string == "Documents/latest")
    #expect(run.findings.first?.advice.contains("relative") == true)
  }

  @Test func `an app that handles the error gets a warning about the link that remains`()
    async throws
  {
    let handledRead = "perform: 'read', throws: 'noSuchFile'"
    let run = try await run("link", "updateApp: '2.0'", handledRead)
    #expect(run.failure == nil)
    #expect(run.findings.map(\.severity) == [.warning])
    #expect(
      try await self.run("link", "updateApp: '2.0'", handledRead, "linkAgain").findings.isEmpty)
  }

  @Test func `a relative link, and a link out of the container, are no findings`() async throws {
    let run = try await ActionRun(
      ["{ perform: 'link' }", "{ updateApp: '2.0' }", "{ perform: 'read' }"],
      actions: [
        "link": { action in
          let documents = action.container.documents
          try Data([1]).write(to: documents.appendingPathComponent("draft"))
          try FileManager.default.createSymbolicLink(
            atPath: try action.fake.latest.path, withDestinationPath: "draft")
          try FileManager.default.createSymbolicLink(
            atPath: documents.path + "/null", withDestinationPath: "/dev/null")
        },
        "read": { _ = try Data(contentsOf: try $0.fake.latest) },
      ])
    #expect(run.failure == nil)
    #expect(run.findings.isEmpty)
  }

  @Test func `a link that remains at the end is recorded at the last step`() async throws {
    let run = try await run("link", "updateApp: '2.0'", "look", "backup: 'b'")
    let last = try #require(run.transcript.entries.last)
    guard case .staleLink = last.event else {
      Issue.record("\(last.event) comes last")
      return
    }
    #expect(last.step.number == .step(4))
  }

  @Test(.container) func `in a plain test, code that only reads counts as a use of the app too`()
    async throws
  {
    let container = try FakeContainer.current
    try await container.perform("link") { try Self.link(container) }
    try container.updateApp(to: "2.0")
    try await container.perform("look") { _ = try? Data(contentsOf: container.latest) }
    let findings = try container.findings()
    #expect(findings.map(\.rule) == ["stale-container-path"])
    #expect(findings.map(\.severity) == [.warning])
  }

  @Test(.container) func `in a plain test, the link is found at the call that created it`()
    async throws
  {
    let container = try FakeContainer.current
    let line = #line + 1
    try await container.perform("link") { try Self.link(container) }
    try container.updateApp(to: "2.0")
    #expect(try container.findings().isEmpty)
    try Data([1]).write(to: container.documents.appendingPathComponent("b"))
    for _ in 0..<2 {
      let findings = try container.findings()
      #expect(findings.map(\.rule) == ["stale-container-path"])
      #expect(findings.map(\.severity) == [.warning])
      #expect(findings.first?.step.position.line == line)
    }
  }
}

extension FakeContainer {
  fileprivate var latest: URL { documents.appendingPathComponent("latest") }
}
