import BackupContainer
import Foundation
import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios

@Suite struct `user-data-lost at a start finds` {
  /// Returns the scenario's other keys: the classes, and a step at each start of the app.
  private func otherKeys(_ launch: String, _ dataClass: String = "critical") -> String {
    "files: { 'Documents/**': '\(dataClass)', '**': 'cached' }, launch: [\(launch)]"
  }

  private let save = "{ save: 'Documents/a', contents: 'mine' }"
  /// A step at the start that overwrites the saved file.
  private static let overwrite = "{ save: 'Documents/a', contents: 'none' }"
  private let expectedFindings = ["user-data-lost error launch 1 Documents/a"]

  @Test(arguments: ["none", "MINE", "mine and more"])
  func `a restored file that the next start overwrites`(contents: String) async throws {
    let launch = "{ save: 'Documents/a', contents: '\(contents)' }"
    let steps = [save, "{ backup: 'b' }", "{ restore: 'b' }", "{ relaunch: {} }"]
    #expect(try await Trial.verdicts(steps, otherKeys(launch)) == expectedFindings)
    #expect(
      try await Trial.verdicts(steps + ["{ backup: 'c' }"], otherKeys(launch)) == expectedFindings)
  }

  @Test(
    arguments: [
      "{ relaunch: {} }", "{ kill: {} }", "{ updateApp: '2' }", "{ purge: 'idle' }",
      "{ offload: {} }, { reinstall: {} }",
    ])
  func `a file that a start overwrites with its initial contents`(ending: String) async throws {
    let read = "{ read: 'Documents/a' }"
    #expect(
      try await Trial.verdicts([save, ending, read], otherKeys(Self.overwrite)) == expectedFindings)
    #expect(
      try await Trial.verdicts([save, ending], otherKeys(Self.overwrite))
        == (ending.contains("relaunch") ? expectedFindings : []))
  }

  @Test(
    arguments: [
      "{ save: 'Documents/a', contents: 'mine' }",
      "{ read: 'Documents/a', ifMissing: 'recreate', contents: '[]' }",
      "{ append: 'Documents/a', contents: '!', throws: true }",
    ])
  func `nothing if the start keeps the saved contents`(launch: String) async throws {
    let launch =
      launch.contains("throws")
      ? "{ read: 'Documents/a', ifMissing: 'recreate', contents: 'm' }, "
        + "{ append: 'Documents/a', contents: '!' }" : launch
    let steps = [save, "{ backup: 'b' }", "{ restore: 'b' }", "{ read: 'Documents/a' }"]
    #expect(try await Trial.verdicts(steps, otherKeys(launch)) == [])
  }

  @Test(arguments: [
    (#"{"stars":0,"other":7}"#, true), (#"{"level":7,"other":7}"#, false),
  ])
  func `a number that is lost although an equal one remains, but not one under a new key`(
    newContents: String, isLost: Bool
  ) async throws {
    let save = #"{ save: 'Documents/a', contents: '{"stars":7,"other":7}' }"#
    let steps = [save, "{ backup: 'b' }", "{ restore: 'b' }", "{ relaunch: {} }"]
    let launch = "{ save: 'Documents/a', contents: '\(newContents)' }"
    #expect(try await Trial.verdicts(steps, otherKeys(launch)) == (isLost ? expectedFindings : []))
  }

  @Test func `nothing whose values are in another file with another format`() async throws {
    let steps = [
      #"{ save: 'Documents/a', contents: 'one\ntwo' }"#,
      #"{ save: 'Documents/b', contents: '{"lines":["one","two"]}' }"#, "{ relaunch: {} }",
    ]
    #expect(try await Trial.verdicts(steps, otherKeys("{ remove: 'Documents/a' }")) == [])
  }

  @Test func `nothing that the user has saved again since`() async throws {
    let steps = [save, "{ backup: 'b' }", "{ restore: 'b' }", save, "{ read: 'Documents/a' }"]
    #expect(try await Trial.verdicts(steps, otherKeys(Self.overwrite)) == [])
  }

  @Test(arguments: ["{ remove: 'Documents/a' }", "{ move: 'Documents/a', to: 'Documents/b' }"])
  func `nothing that the user has removed or moved away`(step: String) async throws {
    let steps = [save, step, "{ relaunch: {} }", "{ read: 'Documents/a' }"]
    #expect(try await Trial.verdicts(steps, otherKeys(Self.overwrite)) == [])
  }

  @Test(arguments: [
    "{ move: 'Documents/a', to: 'Documents/b' }, \(Self.overwrite)",
    "\(Self.overwrite), { save: 'Documents/b', contents: 'mine' }",
  ])
  func `nothing whose contents are in another file when the start ends`(launch: String) async throws
  {
    let steps = [save, "{ relaunch: {} }", "{ read: 'Documents/a' }"]
    #expect(try await Trial.verdicts(steps, otherKeys(launch)) == [])
  }

  @Test func `nothing that a restore does not bring back`() async throws {
    let steps = ["{ backup: 'b' }", save, "{ restore: 'b' }", "{ read: 'Documents/a' }"]
    #expect(try await Trial.verdicts(steps, otherKeys(Self.overwrite)) == [])
  }

  @Test func `nothing if the restored backup has older contents`() async throws {
    let steps = [
      save, "{ backup: 'b' }", "{ save: 'Documents/a', contents: 'ours' }", "{ restore: 'b' }",
      "{ read: 'Documents/a' }",
    ]
    #expect(try await Trial.verdicts(steps, otherKeys("{ save: 'tmp/a', size: 1 }")) == [])
  }

  @Test func `nothing that iOS has replaced since`() async throws {
    let steps = [save, "{ place: 'Documents/a', contents: 'ours' }", "{ read: 'Documents/a' }"]
    #expect(try await Trial.verdicts(steps, otherKeys("{ save: 'tmp/a', size: 1 }")) == [])
  }

  @Test(arguments: ["support", "offline"])
  func `nothing that can be created again`(dataClass: String) async throws {
    let steps = [save, "{ relaunch: {} }", "{ read: 'Documents/a' }"]
    #expect(
      try await Trial.verdicts(steps, otherKeys(Self.overwrite, dataClass)).allSatisfy {
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
  func `nothing that a start converts to another format with all its words`(
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
