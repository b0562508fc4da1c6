import BackupContainer
import BackupScenarios
import Foundation
import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `half-done finds` {
  /// An album with two pictures.
  private let album = [
    "{ createDirectory: 'Documents/Source' }", "{ save: 'Documents/Source/1', size: 1 }",
    "{ save: 'Documents/Source/2', size: 1 }",
  ]
  private let copy = "copy: 'Documents/Source', to: 'Documents/Album'"
  /// The finding on a copy that the fifth step makes again.
  private let found = "half-done error 5 Documents/Album"

  /// A step in which the app is killed before it makes a file.
  private func killed(_ step: String) -> String { "{ \(step), killed: { before: 'create' } }" }

  /// What is found where the copy is cut short, and then other things happen.
  private func verdicts(_ steps: String...) async throws -> [String] {
    try await Trial.verdicts(album + [killed(copy)] + steps)
  }

  @Test func `a copy that fails on what it had made when the app was killed`() async throws {
    #expect(try await verdicts("{ \(copy) }") == [found])
  }

  @Test func `each time that it fails`() async throws {
    let again = "half-done error 7 Documents/Album"
    #expect(try await verdicts("{ \(copy) }", "{ backup: 'a' }", "{ \(copy) }") == [found, again])
  }

  @Test func `what the system carries over, and not what it takes`() async throws {
    #expect(try await verdicts("{ updateApp: '2.0' }", "{ \(copy) }").count == 1)
    #expect(try await verdicts("{ backup: 'a' }", "{ restore: 'a' }", "{ \(copy) }").count == 1)
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

  @Test func `nothing where the item was there before the kill`() async throws {
    let steps = album + ["{ \(copy) }", killed("save: 'Documents/b', size: 1"), "{ \(copy) }"]
    #expect(try await Trial.verdicts(steps) == [])
    #expect(try await Trial.failure(steps)?.contains("already exists") == true)
  }

  @Test(arguments: [
    ["{ remove: 'Documents/Album' }"],
    ["{ move: 'Documents/Album', to: 'Documents/Former' }"],
    ["{ remove: 'Documents/Album' }", "{ save: 'Documents/Album', size: 1 }"],
  ])
  func `nothing where it is gone, or another is there since`(steps: [String]) async throws {
    let steps = album + [killed(copy)] + steps + ["{ \(copy) }"]
    #expect(try await Trial.verdicts(steps) == [])
    let isInTheWay = steps.contains { $0.contains("save: 'Documents/Album'") }
    #expect((try await Trial.failure(steps) != nil) == isInTheWay)
  }

  @Test func `nothing that a later step put beside what the killed one made`() async throws {
    let add = "{ copy: 'Documents/Source/2', to: 'Documents/Album/2' }"
    let steps = album + [killed(copy), add, add]
    #expect(try await Trial.verdicts(steps) == [])
    #expect(try await Trial.failure(steps)?.contains("already exists") == true)
  }

  @Test(arguments: ["mayThrow: true", "throws: true", "throws: 'fileExists'"])
  func `nothing where the app copes with it`(key: String) async throws {
    #expect(try await verdicts("{ \(copy), \(key) }") == [])
  }
}

@Suite struct `half-done finds in code of the app's own` {
  /// What comes of an action in Documents after one of a folder's two files was copied there.
  private func verdicts(
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

  @Test func `a copy that fails on what it had made when the app was killed`() async throws {
    let outcome = try await verdicts { documents in
      try FileManager.default.copyItem(
        at: documents.appendingPathComponent("Source/1"),
        to: documents.appendingPathComponent("Album/1"))
    }
    #expect(outcome.findings == ["half-done error 6 Documents/Album/1"] && outcome.failure == nil)
  }

  @Test func `nothing where what is in the way was there before, whatever is copied`() async throws
  {
    let outcome = try await verdicts { documents in
      try FileManager.default.copyItem(
        at: documents.appendingPathComponent("Album/1"),
        to: documents.appendingPathComponent("old"))
    }
    #expect(outcome.findings == [] && outcome.failure != nil)
  }

  @Test func `nothing where the killed run had taken away what it reads`() async throws {
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
