#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

/// The folder that `Tests/Scripts/issue-texts` names; nil in other runs.
private let folder = ProcessInfo.processInfo.environment["ISSUE_TEXTS"]

/// Writes the texts of each seeded app's issues to a file.
@Suite(.enabled(if: folder != nil, "only Tests/Scripts/issue-texts needs the texts"))
struct IssueTextTests {
  /// The seeded apps, each with a file name. The second scenario of an app has a number in the
  /// name.
  private static let apps: [(name: String, app: SeededApp)] =
    Dictionary(grouping: SeededApp.wrong + SeededApp.right) { $0.testDescription }
    .flatMap { name, apps in
      apps.enumerated().map { ("\(name)\($0 == 0 ? "" : " \($0 + 1)").txt", $1) }
    }
    .sorted { $0.0 < $1.0 }

  @Test(arguments: apps)
  func `the texts of a seeded app are written`(name: String, seeded: SeededApp) async throws {
    let folder = URL(fileURLWithPath: try #require(folder))
    let trial = try await AppTrial(
      seeded.app, seeded.steps, head: "files: { \(seeded.files) },", exploring: true)
    let text = trial.seen.map { "\($0)\n\n" }.joined() + trial.summary
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }
}
#endif
