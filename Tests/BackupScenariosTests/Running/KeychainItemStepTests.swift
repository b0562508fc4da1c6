import BackupDevice
import Testing
import TrialSupport

@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct `A step on a keychain item` {
  @Test func `that sets an item leaves no file, and each later event has the item`()
    async throws
  {
    let transcript = try await Trial.transcript([
      "{ setKeychainItem: 'a' }", "{ setKeychainItem: 'b', accessibility: 'thisDeviceOnly' }",
      "{ backup: 'n' }", "{ setKeychainItem: 'a', accessibility: 'thisDeviceOnly' }",
    ])
    #expect(transcript.failure == nil)
    #expect(transcript.lastTree == transcript.firstTree)
    #expect(
      transcript.entries.map(\.keychain.names) == [
        [], ["a"], ["a", "b"], ["a", "b"], ["a", "b"],
      ])
    #expect(transcript.entries.dropLast().last?.keychain["a"]?.accessibility == .ordinary)
    #expect(transcript.entries.last?.keychain["a"]?.accessibility == .thisDeviceOnly)
  }

  @Test func `that reads an item with an unexpected value fails`() async throws {
    let set = "{ setKeychainItem: 'a', value: 'x' }"
    #expect(
      try await Trial.failure([
        set, "{ readKeychainItem: 'a', expect: 'x' }", "{ readKeychainItem: 'b', expect: null }",
        "{ readKeychainItem: 'b', ifMissing: 'skip', expect: 'y' }",
      ]) == nil)
    #expect(
      try await Trial.failure([set, "{ readKeychainItem: 'a', expect: 'y' }"])
        == "step 2: expected the keychain item 'a' to be \"y\", but it exists with the value \"x\"")
    #expect(
      try await Trial.failure([
        "{ setKeychainItem: 'a' }", "{ readKeychainItem: 'a', expect: null }",
      ])
        == "step 2: expected no keychain item 'a', but it exists, without a 'value'")
  }

  @Test func `that recreates a missing item keeps an existing one`() async throws {
    let recreate = "{ readKeychainItem: 'a', ifMissing: 'recreate', value: 'new' }"
    #expect(
      try await Trial.failure([
        "{ setKeychainItem: 'a', value: 'old' }", recreate,
        "{ readKeychainItem: 'a', expect: 'old' }",
        "{ removeKeychainItem: 'a' }", "{ readKeychainItem: 'a', expect: null }", recreate,
        "{ readKeychainItem: 'a', expect: 'new' }",
      ]) == nil)
  }

  @Test func `that reads a missing item fails, unless it expects this`() async throws {
    #expect(
      try await Trial.failure([
        "{ setKeychainItem: 'a' }", "{ readKeychainItem: 'a' }",
        "{ readKeychainItem: 'b', throws: true }", "{ readKeychainItem: 'b', ifMissing: 'skip' }",
      ]) == nil)
    #expect(
      try await Trial.failure([
        "{ setKeychainItem: 'a' }", "{ readKeychainItem: 'a', throws: true }",
      ]) == "step 2: the step succeeded, but its 'throws' requires it to fail; remove 'throws', or "
        + "correct the step")
  }

  @Test func `after a restore has the items of the restored backup`() async throws {
    let (set, backup) = ("{ setKeychainItem: 'a' }", "{ backup: 'b' }")
    let toOtherDevice = "{ restore: 'b' }"
    let toSameDevice = "{ restore: { label: 'b', to: 'sameDevice' } }"
    let transcript = try await Trial.transcript([
      set, backup, toOtherDevice, toSameDevice, toOtherDevice,
    ])
    #expect(transcript.entries.suffix(3).map(\.keychain.names) == [[], ["a"], []])
  }

  @Test func `has lines in the golden file if iOS may have removed the item`() async throws {
    let scenario = try Trial.scenario(
      [
        "{ setKeychainItem: 'a  b' }",
        "{ setKeychainItem: 'c\\n', accessibility: 'thisDeviceOnly' }",
        "{ backup: 'b' }", "{ updateApp: '2' }", "{ reinstall: {} }", "{ restore: 'b' }",
      ], "backups: 'local-encrypted'")
    let run = try await ScenarioRunner().run(scenario, scenario.variants[0])
    #expect(
      run.goldenLines.filter { $0.hasSuffix("(keychain item)") || !$0.hasPrefix(" ") } == [
        "backup \"b\": 0 files, 0 bytes", "updateApp 2", "reinstall",
        "  there  a  b  (keychain item)", "  there  c\\n  (keychain item)", "restore \"b\"",
        "  there  a  b  (keychain item)",
        "  gone   c\\n  (keychain item)",
      ])
  }
}
