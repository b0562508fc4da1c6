import BackupContainer
import Foundation
import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios

@Suite struct `user-data-lost at a start finds` {
  /// What the app promises, and one step at each of its starts.
  private func other(_ launch: String, _ dataClass: String = "critical") -> String {
    "files: { 'Documents/**': '\(dataClass)', '**': 'cached' }, launch: [\(launch)]"
  }

  private let save = "{ save: 'Documents/a', contents: 'mine' }"
  /// A start that writes over it.
  private static let empty = "{ save: 'Documents/a', contents: 'none' }"
  private let found = ["user-data-lost error launch 1 Documents/a"]

  @Test(arguments: ["none", "MINE", "mine and more"])
  func `a restored file that the next start writes over`(contents: String) async throws {
    let launch = "{ save: 'Documents/a', contents: '\(contents)' }"
    let steps = [save, "{ backup: 'b' }", "{ restore: 'b' }", "{ relaunch: {} }"]
    #expect(try await Trial.verdicts(steps, other(launch)) == found)
    #expect(try await Trial.verdicts(steps + ["{ backup: 'c' }"], other(launch)) == found)
  }

  @Test(
    arguments: [
      "{ relaunch: {} }", "{ kill: {} }", "{ updateApp: '2' }", "{ purge: 'idle' }",
      "{ offload: {} }, { reinstall: {} }",
    ])
  func `a file that a start writes over with what it begins with`(ending: String) async throws {
    let read = "{ read: 'Documents/a' }"
    #expect(try await Trial.verdicts([save, ending, read], other(Self.empty)) == found)
    #expect(
      try await Trial.verdicts([save, ending], other(Self.empty))
        == (ending.contains("relaunch") ? found : []))
  }

  @Test(
    arguments: [
      "{ save: 'Documents/a', contents: 'mine' }",
      "{ read: 'Documents/a', ifMissing: 'recreate', contents: '[]' }",
      "{ append: 'Documents/a', contents: '!', throws: true }",
    ])
  func `nothing where the start keeps what was saved`(launch: String) async throws {
    let launch =
      launch.contains("throws")
      ? "{ read: 'Documents/a', ifMissing: 'recreate', contents: 'm' }, "
        + "{ append: 'Documents/a', contents: '!' }" : launch
    let steps = [save, "{ backup: 'b' }", "{ restore: 'b' }", "{ read: 'Documents/a' }"]
    #expect(try await Trial.verdicts(steps, other(launch)) == [])
  }

  @Test(arguments: [
    (#"{"stars":0,"other":7}"#, true), (#"{"level":7,"other":7}"#, false),
  ])
  func `a number that is gone, though the same is elsewhere, and not one under another key`(
    now: String, isLost: Bool
  ) async throws {
    let save = #"{ save: 'Documents/a', contents: '{"stars":7,"other":7}' }"#
    let steps = [save, "{ backup: 'b' }", "{ restore: 'b' }", "{ relaunch: {} }"]
    let launch = "{ save: 'Documents/a', contents: '\(now)' }"
    #expect(try await Trial.verdicts(steps, other(launch)) == (isLost ? found : []))
  }

  @Test func `nothing that an earlier start has put into another file and format`() async throws {
    let steps = [
      #"{ save: 'Documents/a', contents: 'one\ntwo' }"#,
      #"{ save: 'Documents/b', contents: '{"lines":["one","two"]}' }"#, "{ relaunch: {} }",
    ]
    #expect(try await Trial.verdicts(steps, other("{ remove: 'Documents/a' }")) == [])
  }

  @Test func `nothing that the user has saved since`() async throws {
    let steps = [save, "{ backup: 'b' }", "{ restore: 'b' }", save, "{ read: 'Documents/a' }"]
    #expect(try await Trial.verdicts(steps, other(Self.empty)) == [])
  }

  @Test(arguments: ["{ remove: 'Documents/a' }", "{ move: 'Documents/a', to: 'Documents/b' }"])
  func `nothing that the user has removed or moved away`(step: String) async throws {
    let steps = [save, step, "{ relaunch: {} }", "{ read: 'Documents/a' }"]
    #expect(try await Trial.verdicts(steps, other(Self.empty)) == [])
  }

  @Test(arguments: [
    "{ move: 'Documents/a', to: 'Documents/b' }, \(Self.empty)",
    "\(Self.empty), { save: 'Documents/b', contents: 'mine' }",
  ])
  func `nothing whose contents are in another file when the start ends`(launch: String) async throws
  {
    let steps = [save, "{ relaunch: {} }", "{ read: 'Documents/a' }"]
    #expect(try await Trial.verdicts(steps, other(launch)) == [])
  }

  @Test func `nothing of what a restore does not bring back`() async throws {
    let steps = ["{ backup: 'b' }", save, "{ restore: 'b' }", "{ read: 'Documents/a' }"]
    #expect(try await Trial.verdicts(steps, other(Self.empty)) == [])
  }

  @Test func `the older contents right where an older backup is restored`() async throws {
    let steps = [
      save, "{ backup: 'b' }", "{ save: 'Documents/a', contents: 'ours' }", "{ restore: 'b' }",
      "{ read: 'Documents/a' }",
    ]
    #expect(try await Trial.verdicts(steps, other("{ save: 'tmp/a', size: 1 }")) == [])
  }

  @Test func `nothing that the system has put there since`() async throws {
    let steps = [save, "{ place: 'Documents/a', contents: 'ours' }", "{ read: 'Documents/a' }"]
    #expect(try await Trial.verdicts(steps, other("{ save: 'tmp/a', size: 1 }")) == [])
  }

  @Test(arguments: ["support", "offline"])
  func `nothing that can be made again`(dataClass: String) async throws {
    let steps = [save, "{ relaunch: {} }", "{ read: 'Documents/a' }"]
    #expect(
      try await Trial.verdicts(steps, other(Self.empty, dataClass)).allSatisfy {
        !$0.hasPrefix("user-data-lost")
      })
  }

  @Test func `nothing in the defaults, which a start may set`() async throws {
    let steps = [
      "{ setDefault: { a: 1 } }", "{ backup: 'b' }", "{ restore: 'b' }", "{ relaunch: {} }",
    ]
    let launch = "{ setDefault: { starts: 1 } }"
    #expect(
      try await Trial.verdicts(
        steps, "files: { 'Library/Preferences/**': 'critical' }, launch: [\(launch)]") == [])
  }

  @Test(arguments: [
    ("{\"version\": 2, \"notes\": [\"a year of days\"]}", nil),
    ("a year of the same", "user-data-lost"), ("notes of the week", "user-data-lost"),
    ("[]", "user-data-lost"),
  ])
  func `nothing that a start on a restored device brings to another format with all its words`(
    text: String, rule: String?
  ) async throws {
    let actions: AppActions = [
      "start": { action in
        let note = action.container.documents.appendingPathComponent("a")
        if FileManager.default.fileExists(atPath: note.path) {
          try Data(text.utf8).write(to: note, options: .atomic)
        }
      }
    ]
    let transcript = try await Trial.transcript(
      [
        "{ save: 'Documents/a', contents: 'a year of days' }", "{ backup: 'b' }",
        "{ restore: 'b' }", "{ relaunch: {} }",
      ], "files: { 'Documents/**': 'critical' }, launch: [{ perform: 'start' }]",
      runner: ScenarioRunner(actions: actions))
    #expect(RuleList.findings(in: transcript).map(\.rule) == [rule].compactMap(\.self))
  }
}
