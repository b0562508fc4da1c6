import BackupContainer
import BackupScenarios
import Foundation
import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `half-done finds` {
  /// Steps that save an album with two pictures.
  private let album = [
    "{ createDirectory: 'Documents/Source' }", "{ save: 'Documents/Source/1', size: 1 }",
    "{ save: 'Documents/Source/2', size: 1 }",
  ]
  private let copy = "copy: 'Documents/Source', to: 'Documents/Album'"
  /// The finding if the fifth step repeats the copy.
  private let findingAtStep5 = "half-done error 5 Documents/Album"

  /// Returns a step in which the app is killed before it creates a file.
  private func killed(_ step: String) -> String { "{ \(step), killed: { before: 'create' } }" }

  /// Returns the findings if the app is killed during the copy, and these steps follow.
  private func findingLines(_ steps: String...) async throws -> [String] {
    try await Trial.verdicts(album + [killed(copy)] + steps)
  }

  @Test func `a repeated copy that fails on the remnant of the killed copy`() async throws {
    #expect(try await findingLines("{ \(copy) }") == [findingAtStep5])
  }

  @Test func `each repetition that fails`() async throws {
    let secondFinding = "half-done error 7 Documents/Album"
    #expect(
      try await findingLines("{ \(copy) }", "{ backup: 'a' }", "{ \(copy) }") == [
        findingAtStep5, secondFinding,
      ])
  }

  @Test func `a remnant that iOS carries over, but not one that it deletes`() async throws {
    #expect(try await findingLines("{ updateApp: '2.0' }", "{ \(copy) }").count == 1)
    #expect(try await findingLines("{ backup: 'a' }", "{ restore: 'a' }", "{ \(copy) }").count == 1)
    let cached = "copy: 'Documents/Source', to: 'Library/Caches/Album'"
    let steps = album + [killed(cached), "{ purge: 'criticalStorage' }", "{ \(cached) }"]
    #expect(try await Trial.verdicts(steps) == [])
  }

  @Test func `each start of the app that fails`() async throws {
    let launch = [
      "{ createDirectory: 'Documents/Source' }", "{ save: 'Documents/Source/1', size: 1 }",
      "{ \(copy) }",
    ]
    let read = "read: 'tmp/x', ifMissing: 'skip'"
    let killed = "{ \(read), killed: { before: 'create', path: 'Documents/Album/1' } }"
    let steps = [killed, "{ \(read) }"]
    #expect(
      try await Trial.verdicts(steps, "launch: [\(launch.joined(separator: ", "))]")
        == ["half-done error launch 3 Documents/Album"])
  }

  @Test func `nothing if the item existed before the kill`() async throws {
    let steps = album + ["{ \(copy) }", killed("save: 'Documents/b', size: 1"), "{ \(copy) }"]
    #expect(try await Trial.verdicts(steps) == [])
    #expect(try await Trial.failure(steps)?.contains("already exists") == true)
  }

  @Test(arguments: [
    ["{ remove: 'Documents/Album' }"],
    ["{ move: 'Documents/Album', to: 'Documents/Former' }"],
    ["{ remove: 'Documents/Album' }", "{ save: 'Documents/Album', size: 1 }"],
  ])
  func `nothing if the remnant is gone or replaced`(steps: [String]) async throws {
    let steps = album + [killed(copy)] + steps + ["{ \(copy) }"]
    #expect(try await Trial.verdicts(steps) == [])
    let isInTheWay = steps.contains { $0.contains("save: 'Documents/Album'") }
    #expect((try await Trial.failure(steps) != nil) == isInTheWay)
  }

  @Test func `nothing on a file that a later step put beside the remnant`() async throws {
    let add = "{ copy: 'Documents/Source/2', to: 'Documents/Album/2' }"
    let steps = album + [killed(copy), add, add]
    #expect(try await Trial.verdicts(steps) == [])
    #expect(try await Trial.failure(steps)?.contains("already exists") == true)
  }

  @Test(arguments: ["mayThrow: true", "throws: true", "throws: 'fileExists'"])
  func `nothing if the app handles the error`(key: String) async throws {
    #expect(try await findingLines("{ \(copy), \(key) }") == [])
  }
}

@Suite struct `half-done finds in code of the app's own` {
  /// Kills the app during a copy of two files, and returns the findings and the failure of the
  /// action that follows.
  private func outcomeOfKill(
    _ action: @escaping @Sendable (URL) throws -> Void
  ) async throws -> (findings: [String], failure: String?) {
    let actions: AppActions = ["again": { try action($0.container.documents) }]
    let steps = [
      "{ createDirectory: 'Documents/Source' }", "{ save: 'Documents/Source/1', size: 1 }",
      "{ save: 'Documents/Source/2', size: 1 }", "{ save: 'Documents/old', size: 1 }",
      "{ copy: 'Documents/Source', to: 'Documents/Album', "
        + "killed: { before: 'create', path: 'Documents/Album/2' } }",
      "{ perform: 'again' }",
    ]
    let transcript = try await Trial.transcript(steps, runner: ScenarioRunner(actions: actions))
    return (RuleList.findings(in: transcript).map(\.line), transcript.failure?.message)
  }

  @Test func `a repeated copy that fails on the remnant of the killed copy`() async throws {
    let outcome = try await outcomeOfKill { documents in
      try FileManager.default.copyItem(
        at: documents.appendingPathComponent("Source/1"),
        to: documents.appendingPathComponent("Album/1"))
    }
    #expect(outcome.findings == ["half-done error 6 Documents/Album/1"] && outcome.failure == nil)
  }

  @Test func `nothing if the item in the way existed before, whatever is copied`() async throws {
    let outcome = try await outcomeOfKill { documents in
      try FileManager.default.copyItem(
        at: documents.appendingPathComponent("Album/1"),
        to: documents.appendingPathComponent("old"))
    }
    #expect(outcome.findings == [] && outcome.failure != nil)
  }

  @Test func `nothing if the killed step had removed the file that the action reads`() async throws
  {
    let actions: AppActions = [
      "again": { _ = try Data(contentsOf: $0.container.documents.appendingPathComponent("D/b")) }
    ]
    let steps = [
      "{ createDirectory: 'Documents/D' }", "{ save: 'Documents/D/a', size: 1 }",
      "{ save: 'Documents/D/b', size: 1 }",
      "{ remove: 'Documents/D', killed: { before: 'remove', path: 'Documents/D/a' } }",
      "{ perform: 'again' }",
    ]
    let transcript = try await Trial.transcript(steps, runner: ScenarioRunner(actions: actions))
    #expect(RuleList.findings(in: transcript).isEmpty)
    #expect(transcript.failure?.message.contains("the app's code threw") == true)
  }
}
