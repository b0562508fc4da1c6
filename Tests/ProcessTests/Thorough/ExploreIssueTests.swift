#if os(macOS) || os(Linux)
import BackupRules
import Foundation
import TestSupport
import Testing

@testable import BackupExploration
@testable import BackupExploring
@testable import BackupScenarios
@testable import BackupTesting

/// The issues that `scenario.explore` records.
struct ExploreIssueTests {
  /// The key that declares the class of the app's movies.
  private static let head = "files: { 'Library/**': 'offline' },"

  /// Explores two downloads by `FolderApp`. By default, they mark the folder only once.
  private static func trial(
    _ environment: [String: String] = [:], action: String = "once", head: String = head
  ) async throws -> AppTrial {
    try await AppTrial(
      FolderApp.self,
      (1...2).map { "{ perform: '\(action)', with: { id: '\($0)' } }" } + ["{ backup: 'night' }"],
      head: head, environment: environment, exploring: true)
  }

  @Test func `a mistake is an error at the step in which the app is killed`() async throws {
    let trial = try await Self.trial()
    #expect(trial.result?.verdict == .passed)
    let error = try #require(trial.errors.first)
    // If the kit knows the app's code, the issue is at a line of the code.
    #expect(trial.errors.count == 1 && (error.file != "x.json5" || error.line == 2))
    #expect(
      error.text.hasPrefix(
        "recreatable-data-backed-up: every backup contains 'Library/Application Support/Movies/1.mp4' "
          + "from then on (killed in step 1, before it marked"))
    #expect(error.text.contains(" ▶ killed here\n     3 mark 'Library/Application Support/Movies'"))
    #expect(error.text.contains("BACKUP_TESTING_REPLAY='x:1.kill(3~mark)' swift test; the"))
    #expect(
      trial.summary == """
        FolderApp was explored: 1 scenario, 1 of 2 actions, 9 crash points, 39 traces, 1 problem; not \
        explored: the action 'always', because no explored scenario performs it; the start of x, \
        because the app has no 'launch'; the consistency of its files, because the app has no 'check'

        """)
  }

  @Test func `the summary of a shard says that no scenario in the shard performs an action`()
    async throws
  {
    let trial = try await Self.trial(
      ["BACKUP_TESTING_SHARD": "1/1", "BACKUP_TESTING_IN_PROCESS": "1"])
    let line =
      "not explored: the action 'always', because no explored scenario in shard 1/1 performs it"
    #expect(trial.summary.contains(line), "\(trial.summary)")
  }

  @Test func `with BACKUP_TESTING_EXPLORE=off, nothing is explored`() async throws {
    #expect(try await Self.trial(["BACKUP_TESTING_EXPLORE": "off"]).errors.isEmpty)
  }

  @Test func `a scenario whose run fails is not explored, and a message says so`() async throws {
    let head = "files: { 'Library/**': 'critical' },"
    for (word, count) in [("", 1), ("off", 0)] {
      let trial = try await Self.trial(
        ["BACKUP_TESTING_EXPLORE": word], action: "always", head: head)
      #expect(trial.result?.verdict == .failed)
      #expect(trial.errors.allSatisfy { !$0.text.contains("explored") })
      let messages = trial.seen.filter {
        $0.text.contains("x: not explored, because its run did not pass")
      }
      #expect(messages.count == count, "\(trial.seen)")
      #expect(
        trial.summary.hasPrefix("FolderApp was NOT explored; ") == (count == 1), "\(trial.summary)")
      #expect(
        trial.summary.hasSuffix("; x, as its issue says\n") == (count == 1), "\(trial.summary)")
    }
  }

  @Test func `a scenario whose golden file was just recorded is explored`() async throws {
    let folder = try TestFolder()
    let scenario = try Scenario(
      text: "{ title: 'x', \(Self.head) steps: [{ perform: 'once', with: { id: '1' } }] }", id: "x")
    let token = ["BACKUP_TESTING_REPLAY": "x:1.kill(3~mark)"]
    let issues = await TestIssue.collecting {
      let result = await TestProcess.$current.withValue(
        TestProcess(environment: token, folder: folder.url)
      ) {
        await ExplorationSummary.$current.withValue(ExplorationSummary()) {
          await scenario.explore(FolderApp.self, options: .init(goldenFolder: folder.path))
        }
      }
      #expect(result?.verdict == .recorded)
    }
    #expect(issues.contains { $0.text.contains("killed in step 1") })
  }

  @Test func `a depth that is no number is an error`() async throws {
    let trial = try await Self.trial(["BACKUP_TESTING_EXPLORE": "many"])
    #expect(trial.errors.map(\.text).joined().contains("'many'; expected off, or a number"))
  }

  @Test func `a token repeats one trace`() async throws {
    let right = try await Self.trial(["BACKUP_TESTING_REPLAY": "x:1.kill(3~mark)"])
    #expect(right.errors.count == 1)
    let other = try await Self.trial(["BACKUP_TESTING_REPLAY": "x:1.kill(2~createDirectory)"])
    #expect(other.errors.isEmpty)
  }

  @Test func `a token of an unknown scenario is refused, with a suggestion`() async throws {
    let trial = try await Self.trial(["BACKUP_TESTING_REPLAY": "y:1.idle"])
    #expect(
      trial.errors.map(\.text).joined().contains("unknown scenario 'y'; did you mean 'x'"))
  }

  @Test func `a token of the standard suite is no error in other scenarios`() async throws {
    let id = try #require(StandardSuite.ids.first)
    let trial = try await Self.trial(["BACKUP_TESTING_REPLAY": "\(id):1.idle"])
    #expect(trial.errors.isEmpty)
    #expect(trial.seen.contains { $0.text.contains("replays a trace of '\(id)'") })
  }

  @Test func `a text that is not a token is refused`() async throws {
    let trial = try await Self.trial(["BACKUP_TESTING_REPLAY": "x"])
    #expect(
      trial.errors.map(\.text).joined().contains(
        "'x' is not a replay token: it does not contain ':'"))
  }

  @Test func `in the test's process, a warning says that the app was not killed`()
    async throws
  {
    let trial = try await Self.trial(["BACKUP_TESTING_IN_PROCESS": "1"], action: "always")
    #expect(trial.errors.isEmpty)
    let text = trial.seen.map(\.text).joined()
    #expect(text.contains("the app was not killed in the middle of step 1 (perform always)"))
    #expect(text.contains("\ndo: explore on Linux with the app in its own process"))
    #expect(!text.contains("FileSystemTap"))
  }
}
#endif
