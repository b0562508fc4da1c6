import BackupTesting
import TestSupport
import Testing

@testable import BackupScenarios

/// What an action is told of the keychain.
@Suite struct KeychainTests {
  /// What an action sees after each of some steps.
  private func seen(_ steps: [String], head: String = "") async throws -> [ActionCall.Keychain] {
    let seen = CollectedValues<ActionCall.Keychain>()
    let look = "{ perform: 'look' }"
    let run = try await ActionRun(
      [look, "{ backup: 'b' }"] + steps.flatMap { [$0, look] },
      actions: ["look": { seen.add($0.keychain) }], head: head)
    #expect(run.failure == nil)
    return Array(seen.values.dropFirst())
  }

  @Test(
    arguments: [
      "{ restore: 'b' }", "{ restore: { label: 'b' } }",
      "{ restore: { label: 'b', to: 'newDevice' } }",
      "{ restore: { label: 'b', to: 'transfer' } }",
    ])
  func `it is lost on another device, until the app starts the next time`(
    restore: String
  ) async throws {
    for kind in ["iCloud", "local", "local-encrypted", "off"] {
      let head = "backups: '\(kind)',"
      #expect(
        try await seen([restore, "{ backup: 'c' }", "{ kill: {} }"], head: head)
          == [.lost, .lost, .kept])
      #expect(
        try await seen([restore + ", { kill: {} }, { purge: 'idle' }"], head: head) == [.lost])
    }
  }

  @Test(
    arguments: [
      "{ restore: { label: 'b', to: 'sameDevice' } }", "{ reinstall: {} }",
      "{ offload: {} }, { reinstall: {} }", "{ updateApp: '2' }", "{ kill: {} }",
      "{ purge: 'idle' }", "{ relaunch: {} }",
    ])
  func `it is kept on the same one`(step: String) async throws {
    #expect(try await seen([step]) == [.kept])
    #expect(try await seen(["{ restore: 'b' }", step]) == [.lost, .kept])
  }

  @Test func `it is not in a backup of a device on which the app has not run`() async throws {
    let restores =
      "{ restore: 'b' }, { backup: 'c' }, { restore: { label: 'c', to: 'sameDevice' } }"
    #expect(try await seen([restores]) == [.lost])
    let running = "{ restore: 'b' }, { relaunch: {} }, { backup: 'c' }"
    #expect(
      try await seen([running + ", { restore: { label: 'c', to: 'sameDevice' } }"]) == [.kept])
  }

  @Test func `it is what became of it last`() async throws {
    #expect(
      try await seen(["{ restore: 'b' }, { restore: { label: 'b', to: 'sameDevice' } }"]) == [.kept]
    )
  }
}
