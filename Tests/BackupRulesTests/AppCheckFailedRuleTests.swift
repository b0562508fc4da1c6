import BackupContainer
import BackupFileTree
import BackupScenarios
import Foundation
import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `app-check-failed finds` {
  /// Returns an app that saves a picture in Caches and its name in Documents. Its check fails if a
  /// picture is missing.
  private static func host(
    launch: @escaping @Sendable (FakeContainer.Locations) throws -> Void = { _ in },
    checking: @escaping @Sendable (FakeContainer.Locations) throws -> Void = { container in
      let index = container.documents.appendingPathComponent("index")
      guard let name = try? String(contentsOf: index, encoding: .utf8) else { return }
      _ = try Data(contentsOf: container.caches.appendingPathComponent(name))
    }
  ) -> InProcessHost {
    InProcessHost([
      "add": { action in
        let container = action.container
        try Data("picture".utf8).write(to: container.caches.appendingPathComponent("1.jpg"))
        try Data("1.jpg".utf8).write(to: container.documents.appendingPathComponent("index"))
      }
    ]) {
      try launch($0.container)
    } check: {
      try checking($0.container)
    }
  }

  private func transcript(_ steps: [String], on host: InProcessHost) async throws -> Transcript {
    let head = "files: { 'Documents/**': 'critical', '**': 'cached' }"
    let transcript = try await Trial.transcript(steps, head, runner: ScenarioRunner(host: host))
    #expect(transcript.failure == nil)
    return transcript
  }

  private let add = "{ perform: 'add' }"
  private let restart = ["{ purge: 'lowStorage' }", "{ relaunch: {} }"]

  @Test func `a check that fails at the start after a purge, and names the purge`()
    async throws
  {
    let transcript = try await transcript([add] + restart, on: Self.host())
    let findings = RuleList.findings(in: transcript)
    #expect(findings.map(\.line) == ["app-check-failed error 3 Library/Caches/1.jpg"])
    let message = try #require(findings.first?.message)
    #expect(message.hasPrefix("the app's own check fails after the purge 'lowStorage':"))
    #expect(message.hasSuffix("'Library/Caches/1.jpg'"), "\(message)")
  }

  @Test(arguments: ["{ kill: {} }", "{ updateApp: '2' }", "{ backup: 'b' }, { restore: 'b' }"])
  func `a check that fails at the start after another event that ends the app`(event: String)
    async throws
  {
    let host = Self.host(checking: { _ in throw CocoaError(.coderInvalidValue) })
    let transcript = try await transcript([add, event, "{ relaunch: {} }"], on: host)
    #expect(RuleList.findings(in: transcript).map(\.rule) == ["app-check-failed"])
  }

  @Test func `nothing if the start creates the picture again`() async throws {
    let host = Self.host(launch: { container in
      let picture = container.caches.appendingPathComponent("1.jpg")
      if !FileManager.default.fileExists(atPath: picture.path) {
        try Data("picture".utf8).write(to: picture)
      }
    })
    #expect(RuleList.findings(in: try await transcript([add] + restart, on: host)) == [])
  }

  @Test func `nothing while only the app has acted`() async throws {
    let host = Self.host(checking: { _ in throw CocoaError(.coderInvalidValue) })
    let steps = [add, "{ backup: 'b' }", "{ relaunch: {} }", add]
    #expect(RuleList.findings(in: try await transcript(steps, on: host)) == [])
  }

  @Test func `nothing if the check changes files, and undoes these changes`() async throws {
    let host = Self.host(checking: { container in
      try FileManager.default.removeItem(at: container.documents.appendingPathComponent("index"))
    })
    let transcript = try await transcript([add, "{ kill: {} }", "{ relaunch: {} }"], on: host)
    #expect(RuleList.findings(in: transcript) == [])
    #expect(transcript.lastTree.contains(try ContainerPath("Documents/index")))
  }
}
