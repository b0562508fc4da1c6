import Testing
import TrialSupport

@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct `A locked device` {
  private static let locks = [
    "lock": "{ lock: {} }", "restart": "{ restart: { locked: true } }",
  ]

  @Test(arguments: [
    ("complete", ["lock", "restart"]), ("untilFirstUnlock", ["restart"]), ("none", []), (nil, ["restart"]),
  ])
  func `keeps a file from the app by its protection`(
    _ protection: String?, _ expected: [String]
  ) async throws {
    let key = protection.map { ", protection: '\($0)'" } ?? ""
    for (name, lock) in Self.locks {
      let findings = try await Trial.verdicts([
        "{ save: 'Documents/a', size: 1\(key) }", lock, "{ read: 'Documents/a' }", "{ unlock: {} }",
        "{ read: 'Documents/a' }",
      ])
      #expect(
        findings
          == (expected.contains(name) ? ["readable-before-use error 3 Documents/a"] : []), "\(name)")
    }
  }

  @Test(arguments: [
    "{ append: 'Documents/a', size: 1 }", "{ copy: 'Documents/a', to: 'Documents/b' }",
  ])
  func `keeps it from a step that needs its contents, unless the app looks`(_ step: String)
    async throws
  {
    let before = ["{ save: 'Documents/a', size: 1 }", "{ restart: { locked: true } }"]
    #expect(
      try await Trial.verdicts(before + [step]) == ["readable-before-use error 3 Documents/a"])
    for check in ["ifMissing: 'skip'", "ifLocked: 'skip'"] {
      let careful = step.dropLast(2) + ", \(check) }"
      let transcript = try await Trial.transcript(before + [String(careful)])
      #expect(transcript.failure == nil)
      #expect(transcript.entries.count { $0.event.isChange } == 1)
    }
  }

  @Test func `is unlocked by a restore on another device and by an update of the system`()
    async throws
  {
    let first = [
      "{ save: 'Documents/a', size: 1, protection: 'complete' }", "{ backup: 'b' }",
      "{ restart: { locked: true } }",
    ]
    for step in ["{ restore: 'b' }", "{ updateSystem: '27' }", "{ restart: {} }"] {
      #expect(
        try await Trial.failure(first + [step, "{ read: 'Documents/a' }"], "system: '26'") == nil)
    }
    // The restored file has the protection that it had.
    #expect(
      try await Trial.verdicts(first + ["{ restore: 'b' }", "{ lock: {} }", "{ read: 'Documents/a' }"])
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

  @Test func `that is not locked cannot be unlocked`() {
    #expect(
      Trial.mistakes(in: "{ title: 'T', steps: [{ lock: {} }, { unlock: {} },\n{ unlock: {} }] }") == [
        "2:1: the device is not locked at this step; put { lock: {} } or { restart: { locked: true } } "
          + "before it"
      ])
  }
}
