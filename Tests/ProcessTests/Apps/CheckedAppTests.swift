#if os(macOS) || os(Linux)
import BackupExplorationReports
import BackupTesting
import Testing

@testable import BackupExploration
@testable import BackupScenarios

/// The kit runs an app's own check at the launch after an event of iOS.
@Suite struct CheckedAppTests {
  static let head = "files: { 'Documents/**': 'critical', '**': 'cached' },"
  static let add = "{ perform: 'add', with: { name: '1.jpg' } }"

  @Test func `a check that fails in the app's process is a finding with the file`() async throws {
    let steps = [Self.add, "{ purge: 'lowStorage' }", "{ relaunch: {} }"]
    let run = try await AppStory(CheckedApp.self, steps, head: Self.head).run()
    #expect(run.failure == nil)
    let finding = try #require(run.findings.first)
    #expect(run.findings.count == 1 && finding.rule == "app-check-failed")
    #expect(finding.path?.description == "Library/Caches/1.jpg")
    #expect(finding.message.contains("after the purge 'lowStorage': "), "\(finding)")
  }

  @Test func `an expectation that fails in a check is a finding, and no issue`() async throws {
    let steps = ["{ perform: 'add', with: { name: 'odd' } }", "{ kill: {} }", "{ relaunch: {} }"]
    let run = try await AppStory(CheckedApp.self, steps, head: Self.head).run()
    #expect(run.findings.map(\.rule) == ["app-check-failed"], "\(run.findings)")
    let message = try #require(run.findings.first).message
    #expect(message.contains("(CheckedApp.swift:18)"), "\(message)")
  }

  @Test func `changes by a check do not stay in the container`() async throws {
    let steps = [
      Self.add, "{ kill: {} }", "{ relaunch: {} }",
      "{ expectFiles: { present: ['Documents/list.txt'] } }",
    ]
    let run = try await AppStory(CheckedApp.self, steps, head: Self.head).run()
    #expect(run.findings == [] && run.failure == nil)
  }

  @Test(.container(files: ["Documents/**": .critical, "Library/Caches/**": .cached]))
  func `a session runs the check after a kill, as a scenario does`() async throws {
    let container = try FakeContainer.current
    let app = try await container.launch(CheckedApp.self)
    try await app.perform("add", with: ["name": "odd"])
    try container.killApp()
    _ = try await container.launch(CheckedApp.self)
    #expect(try container.findings().map(\.rule) == ["app-check-failed"])
  }
}
#endif
