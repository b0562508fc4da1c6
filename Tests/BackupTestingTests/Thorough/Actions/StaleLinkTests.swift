import BackupTesting
import Foundation
import Testing

@testable import BackupContainer
@testable import BackupRules
@testable import BackupScenarios

/// Links by absolute paths, which lead nowhere once the container has another path.
@Suite struct StaleLinkTests {
  /// An app with a draft, to which a link leads.
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

  /// Runs the app's actions, of which the first makes the link, and the system's steps.
  private func run(_ steps: String...) async throws -> ActionRun {
    try await ActionRun(
      steps.map { $0.contains(":") ? "{ \($0) }" : "{ perform: '\($0)' }" },
      actions: Self.actions)
  }

  @Test(arguments: ["read", "write", "readBelow"])
  func `a link in use is found at the step that made it`(use: String) async throws {
    let run = try await run("link", "updateApp: '2.0'", use)
    #expect(run.failure == nil)
    #expect(run.broken == ["stale-container-path:2"])
    #expect(run.findings.map(\.severity) == [.error])
    #expect(run.findings.first?.path?.string == "Documents/latest")
    #expect(run.findings.first?.advice.contains("relative") == true)
  }

  @Test func `an app that copes with the error is warned of the link that it leaves`() async throws
  {
    let coping = "perform: 'read', throws: 'noSuchFile'"
    let run = try await run("link", "updateApp: '2.0'", coping)
    #expect(run.failure == nil)
    #expect(run.findings.map(\.severity) == [.warning])
    #expect(try await self.run("link", "updateApp: '2.0'", coping, "linkAgain").findings.isEmpty)
  }

  @Test func `a relative link, and one to elsewhere, are none`() async throws {
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

  @Test func `a link that the app leaves at the end is noted at the last step`() async throws {
    let run = try await run("link", "updateApp: '2.0'", "look", "backup: 'b'")
    let last = try #require(run.transcript.entries.last)
    guard case .staleLink = last.event else {
      Issue.record("\(last.event) comes last")
      return
    }
    #expect(last.step.number == .step(4))
  }

  @Test(.container) func `in a plain test code that only reads has run too`() async throws {
    let container = try FakeContainer.current
    try await container.perform("link") { try Self.link(container) }
    try container.updateApp(to: "2.0")
    try await container.perform("look") { _ = try? Data(contentsOf: container.latest) }
    let findings = try container.findings()
    #expect(findings.map(\.rule) == ["stale-container-path"])
    #expect(findings.map(\.severity) == [.warning])
  }

  @Test(.container) func `in a plain test it is found likewise, at the call`() async throws {
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
