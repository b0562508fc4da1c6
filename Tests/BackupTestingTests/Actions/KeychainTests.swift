import BackupTesting
import TestSupport
import Testing

@testable import BackupScenarios

/// An action learns whether the keychain is kept or lost.
@Suite struct KeychainTests {
  /// Returns the keychain that an action sees after each step.
  private func seenKeychains(
    _ steps: [String], head: String = ""
  ) async throws -> [ActionCall.Keychain] {
    let keychains = CollectedValues<ActionCall.Keychain>()
    let performLook = "{ perform: 'look' }"
    let run = try await ActionRun(
      [performLook, "{ backup: 'b' }"] + steps.flatMap { [$0, performLook] },
      actions: ["look": { keychains.add($0.keychain) }], head: head)
    #expect(run.failure == nil)
    return Array(keychains.values.dropFirst())
  }

  @Test(
    arguments: [
      "{ restore: 'b' }", "{ restore: { label: 'b' } }",
      "{ restore: { label: 'b', to: 'newDevice' } }",
      "{ restore: { label: 'b', to: 'transfer' } }",
    ])
  func `it is lost on another device, until the app starts again`(
    restore: String
  ) async throws {
    for kind in ["iCloud", "local", "local-encrypted", "off"] {
      let head = "backups: '\(kind)',"
      #expect(
        try await seenKeychains([restore, "{ backup: 'c' }", "{ kill: {} }"], head: head)
          == [.lost, .lost, .kept])
      #expect(
        try await seenKeychains([restore + ", { kill: {} }, { purge: 'idle' }"], head: head) == [
          .lost
        ])
    }
  }

  @Test(
    arguments: [
      "{ restore: { label: 'b', to: 'sameDevice' } }", "{ reinstall: {} }",
      "{ offload: {} }, { reinstall: {} }", "{ updateApp: '2' }", "{ kill: {} }",
      "{ purge: 'idle' }", "{ relaunch: {} }",
    ])
  func `it is kept on the same device`(step: String) async throws {
    #expect(try await seenKeychains([step]) == [.kept])
    #expect(try await seenKeychains(["{ restore: 'b' }", step]) == [.lost, .kept])
  }

  @Test func `it is not in a backup of a device on which the app has not run`() async throws {
    let restores =
      "{ restore: 'b' }, { backup: 'c' }, { restore: { label: 'c', to: 'sameDevice' } }"
    #expect(try await seenKeychains([restores]) == [.lost])
    let running = "{ restore: 'b' }, { relaunch: {} }, { backup: 'c' }"
    #expect(
      try await seenKeychains([running + ", { restore: { label: 'c', to: 'sameDevice' } }"]) == [
        .kept
      ])
  }

  @Test func `the last restore counts`() async throws {
    #expect(
      try await seenKeychains(["{ restore: 'b' }, { restore: { label: 'b', to: 'sameDevice' } }"])
        == [.kept]
    )
  }
}
