#if os(macOS) || os(Linux)
import Testing

@testable import BackupRules
@testable import BackupScenarios

/// Whether an app looks for a file that its list names, and that is missing.
@Suite(.enabled(if: TapTrial.isThere, "nobody sees there what an app looks for"))
struct IndexAppTests {
  private func found(_ action: String, after event: String) async throws -> [String] {
    let steps = ["{ perform: 'add' }", "{ backup: 'b' }", event, "{ perform: '\(action)' }"]
    let head = "files: { 'Documents/**': 'critical', '**': 'cached' },"
    let run = try await AppStory(IndexApp.self, steps, head: head).run()
    #expect(run.failure == nil)
    return run.findings.map { "\($0.rule) \($0.path.map { "\($0)" } ?? "")" }
  }

  @Test(arguments: ["{ purge: 'lowStorage' }", "{ restore: 'b' }"])
  func `an app that looks is right, and one that reads is advised`(event: String) async throws {
    #expect(try await found("look", after: event) == [])
    #expect(try await found("renew", after: event) == [])
    #expect(
      try await found("read", after: event) == [
        "names-missing-file Library/Caches/Pictures/cover.png",
        "names-missing-file Library/Caches/Pictures/other.png",
      ])
  }
}
#endif
