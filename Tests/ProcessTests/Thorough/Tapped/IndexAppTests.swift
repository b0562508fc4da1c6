#if os(macOS) || os(Linux)
import Testing

@testable import BackupRules
@testable import BackupScenarios

/// The kit advises an app that reads a missing file, although its list names the file.
@Suite(.enabled(if: TapTrial.isTapAvailable, "nobody sees there what an app looks for"))
struct IndexAppTests {
  private func findings(_ action: String, after event: String) async throws -> [String] {
    let steps = ["{ perform: 'add' }", "{ backup: 'b' }", event, "{ perform: '\(action)' }"]
    let head = "files: { 'Documents/**': 'critical', '**': 'cached' },"
    let run = try await AppStory(IndexApp.self, steps, head: head).run()
    #expect(run.failure == nil)
    return run.findings.map { "\($0.rule) \($0.path.map { "\($0)" } ?? "")" }
  }

  @Test(arguments: ["{ purge: 'lowStorage' }", "{ restore: 'b' }"])
  func `an app that checks for a file is right, and one that only reads gets advice`(event: String)
    async throws
  {
    #expect(try await findings("look", after: event) == [])
    #expect(try await findings("renew", after: event) == [])
    #expect(
      try await findings("read", after: event) == [
        "names-missing-file Library/Caches/Pictures/cover.png",
        "names-missing-file Library/Caches/Pictures/other.png",
      ])
  }
}
#endif
