#if os(macOS) || os(Linux)
import BackupExplorationReports
import BackupTesting
import Testing

@testable import BackupExploration
@testable import BackupScenarios

/// What an app itself believes, asked after the system has acted.
@Suite struct CheckedAppTests {
  private static let head = "files: { 'Documents/**': 'critical', '**': 'cached' },"
  private static let add = "{ perform: 'add', with: { name: '1.jpg' } }"

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

  @Test func `exploration asks at each start, and not where the app has put things right`()
    async throws
  {
    let wrong = try await AppStory(CheckedApp.self, [Self.add], head: Self.head).explored()
    #expect(wrong.counterexamples.map(\.finding.rule) == ["app-check-failed"], "\(wrong.text)")
    let right = try await AppStory(RepairingApp.self, [Self.add], head: Self.head).explored()
    #expect(right.counterexamples.isEmpty && right.obstacle == nil, "\(right.text)")
  }

  @Test
  func `a file that the app tells the whole part of by itself is a warning if its check passes`()
    async throws
  {
    let head = "files: { 'Documents/**': 'critical' },"
    let save = "{ perform: 'save' }"
    let explored = try await AppStory(TwoSlotsApp.self, [save, save, save], head: head).explored()
    let found = explored.counterexamples.map(\.finding)
    #expect(Set(found.map(\.rule)) == ["torn-save"] && !explored.isWrong, "\(explored.text)")
    #expect(found.allSatisfy { $0.message.hasSuffix("but the app's check passes") })
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
}
#endif
