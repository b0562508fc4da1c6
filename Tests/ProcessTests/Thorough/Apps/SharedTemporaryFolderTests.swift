#if os(macOS) || os(Linux)
import BackupTesting
import Foundation
import Testing

/// An app whose temporary files are not in its container. On a Mac, this holds for every app.
enum SharedTemporaryFolderApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    #if os(Linux)
    setenv("TMPDIR", "/tmp", 1)
    #endif
  }

  static let actions: AppActions = [
    "save": { action in
      try Data("note".utf8).write(to: action.container.documents.appendingPathComponent("note"))
    }
  ]
}

/// The kit warns if it cannot see an app's temporary files, and skips scenarios that need them.
@Suite struct SharedTemporaryFolderTests {
  private static let steps = ["{ perform: 'save' }", "{ backup: 'one' }"]

  @Test func `the warning about temporary files outside the container occurs once`() async throws {
    let steps = Self.steps + ["{ relaunch: {} }", "{ perform: 'save' }"]
    let trial = try await AppTrial(SharedTemporaryFolderApp.self, steps)
    #expect(trial.result?.verdict == .passed)
    #expect(trial.errors.isEmpty)
    #expect(trial.seen.count { $0.text.contains("keeps its temporary files in /tmp") } == 1)
  }

  @Test(arguments: [
    "files: { 'tmp/**': 'temporary' },", "launch: [{ save: 'tmp/a', size: '1 KB' }],",
  ])
  func `a scenario that names tmp is skipped, and does not pass`(head: String) async throws {
    let trial = try await AppTrial(SharedTemporaryFolderApp.self, Self.steps, head: head)
    #expect(trial.result?.verdict == .skipped)
    #expect(trial.seen.contains { $0.text.contains("skipped: this scenario names 'tmp'") })
  }

  @Test func `a scenario that names tmp is not explored, and a message says so`() async throws {
    let trial = try await AppTrial(
      SharedTemporaryFolderApp.self, Self.steps, head: "files: { 'tmp/**': 'temporary' },",
      exploring: true)
    #expect(trial.seen.contains { $0.text.contains("not explored, because its run was skipped") })
  }
}
#endif
