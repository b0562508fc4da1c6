import BackupDevice
import Testing
import TrialSupport

@testable import BackupRules

/// Events remove some keychain items, and an app that reads them unchecked causes findings.
@Suite struct `A keychain item` {
  private let read = "{ readKeychainItem: 'token' }"

  private func setItem(_ accessibility: String = "ordinary") -> String {
    "{ setKeychainItem: 'token', accessibility: '\(accessibility)' }"
  }

  /// Returns the messages if the app sets an item, steps follow, and the app reads the item
  /// unchecked.
  private func messages(
    _ accessibility: String, _ steps: String..., backups: String = "iCloud"
  ) async throws -> [String] {
    try await Trial.findings([setItem(accessibility)] + steps + [read], "backups: '\(backups)'")
      .map(\.message)
  }

  @Test(
    arguments: [
      "{ kill: {} }", "{ reinstall: {} }", "{ offload: {} }, { reinstall: {} }",
      "{ updateApp: '2' }", "{ purge: 'criticalStorage' }", "{ remove: 'Library' }",
      "{ backup: 'b' }, { restore: { label: 'b', to: 'sameDevice' } }",
    ], ["ordinary", "thisDeviceOnly"])
  func `stays on its device, whatever becomes of the app`(
    step: String, accessibility: String
  ) async throws {
    for backups in ["iCloud", "local", "local-encrypted", "off"] {
      #expect(try await messages(accessibility, step, backups: backups) == [])
    }
  }

  @Test(arguments: ["newDevice", "transfer"])
  func `for this device only reaches no other device, and the message says why`(
    destination: String
  ) async throws {
    for backups in ["iCloud", "local", "local-encrypted", "off"] {
      let restore = "{ restore: { label: 'b', to: '\(destination)' } }"
      #expect(
        try await messages("thisDeviceOnly", "{ backup: 'b' }", restore, backups: backups) == [
          "the app reads the keychain item 'token' without checking, but it has been missing since "
            + "the restore in step 3 (the backup \"b\" does not move the item, which is for one "
            + "device only, to another device)"
        ])
    }
  }

  @Test func `that is ordinary reaches another device only by an encrypted backup to a computer`()
    async throws
  {
    let lost =
      "the app reads the keychain item 'token' without checking, but it has been missing since the "
      + "restore in step 3 (the backup \"b\" does not move the item to another device; only "
      + "restoring an encrypted local backup would)"
    for (backups, destination, expected) in [
      ("iCloud", "newDevice", [lost]), ("local", "newDevice", [lost]), ("off", "newDevice", [lost]),
      ("local-encrypted", "newDevice", []), ("local-encrypted", "transfer", [lost]),
    ] {
      let restore = "{ restore: { label: 'b', to: '\(destination)' } }"
      #expect(
        try await messages("ordinary", "{ backup: 'b' }", restore, backups: backups) == expected,
        "\(backups) \(destination)")
    }
  }

  @Test func `that was set after the backup is not in it`() async throws {
    let steps = [
      "{ backup: 'b' }", setItem("thisDeviceOnly"), "{ restore: { label: 'b', to: 'sameDevice' } }",
      read,
    ]
    #expect(
      try await Trial.findings(steps).map(\.message) == [
        "the app reads the keychain item 'token' without checking, but it has been missing since "
          + "the restore in step 3 (the backup \"b\" was taken before the app set the item)"
      ])
  }

  @Test func `that is missing is one finding, with sources on the keychain and what to do`()
    async throws
  {
    let findings = try await Trial.findings([read, read, "{ readKeychainItem: 'other' }"])
    #expect(
      findings.map(\.line) == ["exists-before-use error 1 -", "exists-before-use error 3 -"])
    #expect(
      findings.map(\.message) == [
        "the app reads the keychain item 'token' without checking, but it is missing",
        "the app reads the keychain item 'other' without checking, but it is missing",
      ])
    #expect(
      findings.first?.advice
        == "check that the item exists; if it does not, ask the user again, for example to sign in")
    #expect(findings.first?.sources == [.appleKeychain, .applePlatformSecurity])
  }

  @Test func `that is missing is no finding in an app that checks, or asks and sets it again`()
    async throws
  {
    let lost = [setItem(), "{ backup: 'b' }", "{ restore: 'b' }"]
    let checked = lost + ["{ readKeychainItem: 'token', ifMissing: 'skip' }"]
    #expect(try await Trial.verdicts(checked) == [])
    #expect(try await Trial.verdicts(checked + [setItem(), read]) == [])
    #expect(
      try await Trial.verdicts(lost + ["{ readKeychainItem: 'token', throws: true }"]) == [])
    #expect(
      try await Trial.verdicts(lost + ["{ readKeychainItem: 'token', mayThrow: true }"]) == [])
  }

  @Test func `gives the app control, so that it is responsible for its files`() async throws {
    let save = "{ save: 'Documents/a', size: 1 }"
    let steps = [save, "{ backup: 'a' }", "{ place: 'Documents/b', size: 1 }", setItem()]
    #expect(
      try await Trial.verdicts(
        steps + ["{ backup: 'b' }"], "files: { '*/a': 'critical', '*/b': 'offline' }")
        == ["recreatable-data-backed-up error 3 Documents/b"])
  }
}
