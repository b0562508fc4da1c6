#if os(macOS) || os(Linux)
import Testing

@testable import BackupRules
@testable import BackupScenarios

/// Habits of real apps with paths and directories, through an update and a restore.
@Suite(.enabled(if: TapTrial.isTapAvailable, "nobody sees there what an app looks for"))
struct PathHabitTests {
  /// The rules of the errors, and the rules of all findings.
  private func brokenRules(_ habit: String) async throws -> (errors: Set<String>, all: Set<String>)
  {
    let use = "{ perform: 'use', with: { habit: '\(habit.replacing("'", with: "\\'"))' } }"
    let steps = [
      "{ place: 'Documents/Inbox/letter.txt', contents: 'Dear' }",
      use.replacing("use", with: "save"),
      "{ backup: 'b' }", "{ updateApp: '2.0' }", use, "{ backup: 'c' }",
      "{ restore: 'c' }", use, "{ backup: 'd' }",
    ]
    let files = "files: { 'Library/Caches/**': 'cached', '**': 'critical' },"
    let run = try await AppStory(PathHabitApp.self, steps, head: files).run()
    #expect(run.failure == nil)
    let errors = run.findings.filter { $0.severity == .error }
    return (Set(errors.map(\.rule)), Set(run.findings.map(\.rule)))
  }

  @Test(arguments: PathHabitApp.wrong.keys.sorted())
  func `a wrong habit is an error`(habit: String) async throws {
    let rule = habit.contains("Inbox") ? "refused-place" : "stale-container-path"
    #expect(try await brokenRules(habit).errors == [rule])
  }

  @Test(arguments: PathHabitApp.stored.keys.sorted())
  func `a path that is only stored is a warning`(habit: String) async throws {
    let brokenRules = try await brokenRules(habit)
    #expect(brokenRules.errors == [])
    #expect(brokenRules.all == ["stale-container-path"])
  }

  @Test(arguments: PathHabitApp.right.keys.sorted())
  func `a right habit is no error`(habit: String) async throws {
    let brokenRules = try await brokenRules(habit)
    #expect(brokenRules.errors == [])
    #expect(brokenRules.all.isDisjoint(with: ["stale-container-path", "refused-place"]))
  }
}
#endif
