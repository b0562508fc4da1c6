import Testing
import TrialSupport

@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct `A locked device` {
  @Test func `is unlocked by a restore on another device and by an update of the system`()
    async throws
  {
    let stepsBefore = [
      "{ save: 'Documents/a', size: 1, protection: 'complete' }", "{ backup: 'b' }",
      "{ restart: { locked: true } }",
    ]
    for step in ["{ restore: 'b' }", "{ updateSystem: '27' }", "{ restart: {} }"] {
      #expect(
        try await Trial.failure(stepsBefore + [step, "{ read: 'Documents/a' }"], "system: '26'")
          == nil)
    }
    // The restored file has the protection that it had.
    #expect(
      try await Trial.verdicts(
        stepsBefore + ["{ restore: 'b' }", "{ lock: {} }", "{ read: 'Documents/a' }"])
        == ["readable-before-use error 6 Documents/a"])
  }

  @Test func `launches the app in the background after a restart`() async throws {
    let transcript = try await Trial.transcript(
      ["{ restart: { locked: true } }", "{ unlock: {} }", "{ restart: {} }"],
      "launch: [{ save: 'Documents/a', size: 1 }]")
    #expect(
      transcript.entries.count { if case .launch = $0.event { true } else { false } } == 1)
    #expect(transcript.entries.count { $0.event.isChange } == 1)
  }

  @Test func `lets launch steps wait for the unlock, once`() async throws {
    let transcript = try await Trial.transcript(
      ["{ restart: { locked: true } }", "{ unlock: {} }", "{ lock: {} }", "{ unlock: {} }"],
      "launch: [{ save: 'Documents/a', size: 1, ifLocked: 'wait' }, { save: 'Documents/b', size: 1, ifLocked: 'skip' }]"
    )
    let changes = transcript.entries.filter(\.event.isChange)
    #expect(changes.map(\.step.summary) == ["save Documents/a"])
    #expect(
      Trial.mistakes(inStep: "{ save: 'Documents/a', size: 1, ifLocked: 'wait' }") == [
        "33: 'wait' is only for steps of 'launch'; put this step behind the 'unlock'"
      ])
  }

  @Test func `lets the app read files that it created since the lock`() async throws {
    let steps = [
      "{ restart: { locked: true } }", "{ save: 'Documents/a', size: 1 }",
      "{ read: 'Documents/a' }",
    ]
    #expect(try await Trial.verdicts(steps) == [])
    let moved = ["{ move: 'Documents/a', to: 'Documents/b' }", "{ read: 'Documents/b' }"]
    #expect(try await Trial.verdicts(steps + moved) == [])
    #expect(
      try await Trial.verdicts(
        steps + ["{ unlock: {} }", "{ restart: { locked: true } }", "{ read: 'Documents/a' }"])
        == ["readable-before-use error 6 Documents/a"])
  }

  @Test func `says that it cannot lock files for the app's own code`() async throws {
    let runner = ScenarioRunner(actions: ["p": { _ in }])
    let transcript = try await Trial.transcript(
      ["{ perform: 'p' }", "{ lock: {} }", "{ unlock: {} }"], runner: runner)
    #expect(transcript.doubts.map(\.step.summary) == ["lock"])
  }

  @Test func `hides keychain items until the first unlock`() async throws {
    let steps = [
      "{ setKeychainItem: 'a' }", "{ restart: { locked: true } }", "{ readKeychainItem: 'a' }",
    ]
    #expect(try await Trial.verdicts(steps) == ["readable-before-use error 3 -"])
    #expect(
      try await Trial.failure([
        steps[0], "{ lock: {} }", steps[2], "{ unlock: {} }", steps[1],
        "{ readKeychainItem: 'a', ifMissing: 'skip' }", "{ unlock: {} }", steps[2],
      ]) == nil)
  }

  @Test func `must be locked before it can be unlocked`() {
    #expect(
      Trial.mistakes(in: "{ title: 'T', steps: [{ lock: {} }, { unlock: {} },\n{ unlock: {} }] }")
        == [
          "2:1: the device is not locked at this step; put { lock: {} } or { restart: { locked: true } } "
            + "before it"
        ])
  }
}
