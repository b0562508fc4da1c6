import BackupContainer
import BackupDevice
import Foundation
import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct `value-of-other-device finds` {
  private let token = "defaults: { token: 'device' }, backups: 'local-encrypted'"
  private let setToken = "{ setDefault: { token: '1', other: 2 } }"
  private let read = "{ readDefault: 'token' }"

  private func restore(_ destination: String = "newDevice", _ label: String = "b") -> String {
    "{ restore: { label: '\(label)', to: '\(destination)' } }"
  }

  @Test(arguments: ["newDevice", "transfer"])
  func `a default that is used on another device, once`(destination: String) async throws {
    let findings = try await Trial.findings(
      [setToken, "{ backup: 'b' }", restore(destination), "{ readDefault: 'other' }", read, read],
      token)
    #expect(findings.map(\.line) == ["value-of-other-device error 5 -"])
    #expect(findings.first?.sources == [.appleAPNs])
  }

  @Test func `a keychain item, but none for this device only`() async throws {
    for (accessibility, isFound) in [("ordinary", true), ("thisDeviceOnly", false)] {
      let steps = [
        "{ setKeychainItem: 'token', accessibility: '\(accessibility)' }", "{ backup: 'b' }",
        restore(),
        "{ readKeychainItem: 'token', ifMissing: 'recreate' }",
      ]
      #expect(
        try await Trial.verdicts(steps, token)
          == (isFound ? ["value-of-other-device error 4 -"] : []))
    }
  }

  @Test func `nothing that is unused, missing, set again or of the same device`() async throws {
    let stepsOnOldDevice = [setToken, "{ backup: 'b' }"]
    #expect(try await Trial.verdicts(stepsOnOldDevice + [restore()], token) == [])
    #expect(try await Trial.verdicts(stepsOnOldDevice + [restore(), setToken, read], token) == [])
    #expect(
      try await Trial.verdicts(stepsOnOldDevice + [restore("sameDevice"), read], token) == [])
    #expect(try await Trial.verdicts(["{ backup: 'b' }", restore(), read], token) == [])
    #expect(try await Trial.verdicts(stepsOnOldDevice + [restore(), read], "") == [])
    // The new device's backup contains the old device's value. The old device keeps its own.
    let second = stepsOnOldDevice + [restore(), "{ backup: 'c' }"]
    #expect(try await Trial.verdicts(second + [restore("sameDevice"), read], token) == [])
    #expect(
      try await Trial.verdicts(second + [restore("sameDevice", "c"), read], token)
        == ["value-of-other-device error 6 -"])
  }

  @Test func `nothing once code of the app has changed user defaults`() async throws {
    let actions: AppActions = [
      "register": {
        let list = $0.container.library.appendingPathComponent(
          "Preferences/com.example.app.plist")
        try Data(["token": StoredValue.text("2")].propertyListText.utf8).write(to: list)
      }
    ]
    let transcript = try await Trial.transcript(
      [setToken, "{ backup: 'b' }", restore(), "{ perform: 'register' }", read], token,
      runner: ScenarioRunner(actions: actions))
    #expect(transcript.failure == nil)
    #expect(RuleList.findings(in: transcript).map(\.line) == [])
  }

  @Test func `nothing on a name that no step reads, which the run reports`() async throws {
    let scenario = try Trial.scenario([setToken, "{ backup: 'b' }"], token)
    let problems = try await Trial.result(scenario, .all).problems
    #expect(
      problems.map(\.message).contains(
        "no step reads 'token' of 'defaults', so nothing was checked"))
  }
}
