#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

/// The folder that `Tests/Scripts/issue-texts` names; nil in other runs.
private let folder = ProcessInfo.processInfo.environment["ISSUE_TEXTS"]

/// Writes the texts of each seeded app's issues to a file.
@Suite(.enabled(if: folder != nil, "only Tests/Scripts/issue-texts needs the texts"))
struct IssueTextTests {
  @Test(arguments: SeededApp.wrong + SeededApp.right)
  func `the texts of a seeded app are written`(_ seeded: SeededApp) async throws {
    let folder = URL(fileURLWithPath: try #require(folder))
    let trial = try await AppTrial(
      seeded.app, seeded.steps, head: "files: { \(seeded.files) },", exploring: true)
    let text = trial.seen.map { "\($0)\n\n" }.joined() + trial.summary
    try Data(text.utf8).write(to: folder.appendingPathComponent("\(seeded.testDescription).txt"))
  }
}
#endif
