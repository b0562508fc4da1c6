#if os(macOS) || os(Linux)
import BackupExplorationReports
import BackupTesting
import Testing

@testable import BackupExploration
@testable import BackupScenarios

/// What an app itself believes, asked after the system has acted.
@Suite struct CheckedAppTests {
  static let head = "files: { 'Documents/**': 'critical', '**': 'cached' },"
  static let add = "{ perform: 'add', with: { name: '1.jpg' } }"

  @Test func `a check that fails in a process of its own is a finding, with the item`() async throws
  {
    let steps = [Self.add, "{ purge: 'lowStorage' }", "{ relaunch: {} }"]
    let run = try await AppStory(CheckedApp.self, steps, head: Self.head).run()
    #expect(run.failure == nil)
    let finding = try #require(run.findings.first)
    #expect(run.findings.count == 1 && finding.rule == "app-check-failed")
    #expect(finding.path?.description == "Library/Caches/1.jpg")
    #expect(finding.message.contains("after the purge 'lowStorage': "), "\(finding)")
  }

  @Test func `an expectation of a check that fails is one, and no issue`() async throws {
    let steps = ["{ perform: 'add', with: { name: 'odd' } }", "{ kill: {} }", "{ relaunch: {} }"]
    let run = try await AppStory(CheckedApp.self, steps, head: Self.head).run()
    #expect(run.findings.map(\.rule) == ["app-check-failed"], "\(run.findings)")
    let message = try #require(run.findings.first).message
    #expect(message.contains("(CheckedApp.swift:18)"), "\(message)")
  }

  @Test func `what a check changes is not there`() async throws {
    let steps = [
      Self.add, "{ kill: {} }", "{ relaunch: {} }",
      "{ expectFiles: { present: ['Documents/list.txt'] } }",
    ]
    let run = try await AppStory(CheckedApp.self, steps, head: Self.head).run()
    #expect(run.findings == [] && run.failure == nil)
  }

  @Test(.container(files: ["Documents/**": .critical, "Library/Caches/**": .cached]))
  func `a session asks too`() async throws {
    let container = try FakeContainer.current
    let app = try await container.launch(CheckedApp.self)
    try await app.perform("add", with: ["name": "1.jpg"])
    try container.purge(.lowStorage)
    _ = try await container.launch(CheckedApp.self)
    #expect(try container.findings().map(\.rule) == ["app-check-failed"])
  }

  @Test(.container(files: ["Documents/**": .critical, "Library/Caches/**": .cached]))
  func `a session asks after a kill, as a scenario does`() async throws {
    let container = try FakeContainer.current
    let app = try await container.launch(CheckedApp.self)
    try await app.perform("add", with: ["name": "odd"])
    try container.killApp()
    _ = try await container.launch(CheckedApp.self)
    #expect(try container.findings().map(\.rule) == ["app-check-failed"])
  }
}
#endif
