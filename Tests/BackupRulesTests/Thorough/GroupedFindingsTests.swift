import BackupContainer
import BackupFileTree
import Foundation
import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios

@Suite struct `Findings are shown` {
  private static let movies = "\(support)/Movies"
  private static let offline = "files: { '**': 'offline' }"

  /// Returns the shown findings if a `perform` step saves these files, and other steps and a backup
  /// follow.
  private func shownFindings(
    _ files: [String], _ steps: [String] = [], _ other: String = offline
  ) async throws -> [Scenario.Finding] {
    var actions = AppActions()
    actions.bind("save") { action in
      for file in files {
        let url = action.container.url.appending(path: file)
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(count: 5).write(to: url)
      }
    }
    let transcript = try await Trial.transcript(
      ["{ perform: 'save' }"] + steps + ["{ backup: 'b' }"], other,
      runner: ScenarioRunner(actions: actions))
    let findings = RuleList.findings(in: transcript)
    #expect(findings.filter { $0.rule == "recreatable-data-backed-up" }.count >= files.count - 1)
    return GroupedFindings(findings, in: transcript).mergedFindings
  }

  @Test func `once for a directory if all its files have them, with count, bytes and names`()
    async throws
  {
    let shown = try await shownFindings((1...5).map { "\(Self.movies)/\($0).mp4" })
    #expect(shown.count == 1)
    #expect(
      shown.first?.message
        == "'\(Self.movies)/1.mp4' is offline data, which can be created or downloaded again, "
        + "but the backup \"b\" contains it; also 4 more files in '\(Self.movies)' "
        + "(5 in all, 25 bytes): '2.mp4', '3.mp4', '4.mp4' and 1 more")
  }

  @Test func `once for a file that is used twice, with the steps`() async throws {
    var transcript = try await Trial.transcript(["{ backup: 'a' }", "{ backup: 'b' }"])
    let path = try ContainerPath("Documents/a")
    transcript.entries += transcript.entries.map {
      Transcript.Entry(
        step: $0.step, event: .staleURL(path, wrappedIn: nil), tree: $0.tree, profile: $0.profile)
    }
    let shown = GroupedFindings(RuleList.findings(in: transcript), in: transcript).mergedFindings
    #expect(shown.map(\.line) == ["stale-container-path error 1 Documents/a"])
    #expect(shown.first?.message.hasSuffix("has changed it; in step 1 and step 2") == true)
  }

  @Test func `once for two or three files with all their names`() async throws {
    let shown = try await shownFindings(["\(Self.movies)/1.mp4", "\(Self.movies)/a/2.mp4"])
    #expect(shown.map { $0.message.hasSuffix(" (2 in all, 10 bytes): 'a/2.mp4'") } == [true])
  }

  @Test func `once for the topmost directory whose files all have them`() async throws {
    let shown = try await shownFindings([
      "Documents/a/1", "Documents/b/2", "\(support)/a/1", "\(support)/b/2",
    ])
    #expect(shown.map { $0.message.contains("1 more file in 'Documents'") } == [true, false])
    #expect(shown.map { $0.message.contains("1 more file in '\(support)'") } == [false, true])
  }

  @Test func `for each file of a directory in which another file has none`() async throws {
    let shown = try await shownFindings(
      ["Documents/a/1", "Documents/a/2", "Documents/b/3", "Documents/b/4"],
      ["{ exclude: 'Documents/a/2' }", "{ save: 'Documents/a/5', size: 1 }"])
    #expect(
      shown.map(\.line) == [
        "recreatable-data-backed-up error 1 Documents/a/1",
        "recreatable-data-backed-up error 3 Documents/a/5",
        "recreatable-data-backed-up error 1 Documents/b/3",
      ])
    #expect(
      shown.map { $0.message.contains("1 more file in 'Documents/b'") } == [false, false, true])
  }

  @Test func `once for the files of a directory that several steps have saved`() async throws {
    let shown = try await shownFindings(
      ["Documents/a/1"],
      ["{ save: 'Documents/a/2', size: 1 }", "{ save: 'Documents/a/3', size: 1 }"])
    #expect(shown.map(\.line) == ["recreatable-data-backed-up error 1 Documents/a/1"])
    let message = try #require(shown.first?.message)
    #expect(message.contains("2 more files in 'Documents/a'"), "\(message)")
    #expect(message.hasSuffix("'2' and '3', in step 1, step 2 and step 3"), "\(message)")
  }

  @Test func `separately if the problem or the advice differs`() async throws {
    let shown = try await shownFindings(
      ["Documents/1.a", "Documents/2.a", "Documents/1.b", "Documents/2.b"], [],
      "files: { '**/*.a': 'cached', '**': 'offline' }")
    #expect(shown.count == 2)
  }
}
