import BackupFileTree
import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios

@Suite struct `sealed-file-unreadable finds` {
  private let critical = "files: { 'Documents/**': 'critical' }"
  private let encrypted = ", backups: 'local-encrypted'"
  private let restore = ["{ backup: 'b' }", "{ restore: 'b' }"]
  private let read = "{ read: 'Documents/a' }"

  /// Returns steps that set a key and save a file encrypted with it.
  private func sealed(_ accessibility: String = "ordinary", _ otherFields: String = "") -> [String]
  {
    [
      "{ setKeychainItem: 'k', accessibility: '\(accessibility)'\(otherFields) }",
      "{ save: 'Documents/a', contents: 'one', sealedWith: 'k' }",
    ]
  }

  @Test(arguments: [
    ("iCloud", "ordinary", true), ("local", "ordinary", true),
    ("local-encrypted", "ordinary", false),
    ("local-encrypted", "thisDeviceOnly", true), ("off", "thisDeviceOnly", false),
  ])
  func `a user's file whose key no backup of this kind brings to another device`(
    backups: String, accessibility: String, isFound: Bool
  ) async throws {
    let findingLines = try await Trial.verdicts(
      sealed(accessibility) + ["{ backup: 'b' }"], critical + ", backups: '\(backups)'")
    #expect(findingLines == (isFound ? ["sealed-file-unreadable error 2 Documents/a"] : []))
  }

  @Test func `no file that can be created again, or that no backup contains`() async throws {
    for files in ["files: { '**': 'cached' }", ""] {
      let findingLines = try await Trial.verdicts(
        ["{ setKeychainItem: 'k' }", "{ save: 'Library/Caches/a', size: 100, sealedWith: 'k' }"]
          + restore, files)
      #expect(findingLines == [])
    }
  }

  @Test func `a read without the key, and the event that removed the key`() async throws {
    let findings = try await Trial.findings(sealed() + restore + [read, read])
    #expect(findings.map(\.line) == ["sealed-file-unreadable error 5 Documents/a"])
    #expect(
      findings.first?.message
        == "the app reads 'Documents/a', but the keychain item 'k', with which it encrypted the file, is "
        + "missing")
    let removed = try await Trial.findings(sealed() + ["{ removeKeychainItem: 'k' }", read])
    #expect(removed.first?.message.hasSuffix("was removed in step 3") == true)
    let afterNewKey = try await Trial.findings(sealed() + ["{ setKeychainItem: 'k' }", read])
    #expect(afterNewKey.first?.message.hasSuffix("was set anew in step 3") == true)
  }

  @Test(arguments: [
    "{ copy: 'Documents/a', to: 'Documents/b' }", "{ move: 'Documents/a', to: 'Documents/b' }",
    "{ save: 'Documents/b', contents: 'b' }, { append: 'Documents/b', contents: 'c', sealedWith: 'k' }",
  ])
  func `each file with data that was encrypted with the missing key`(step: String) async throws {
    #expect(
      try await Trial.verdicts(
        sealed() + [step] + restore + ["{ read: 'Documents/b', ifMissing: 'skip' }"],
        "files: { '**': 'temporary' }"
      ).filter { $0.hasPrefix("sealed") }
        == ["sealed-file-unreadable error \(step.contains("append") ? 7 : 6) Documents/b"])
  }

  @Test func `no read if the key exists, or the app handles the error`() async throws {
    let toSameDevice = ["{ backup: 'b' }", "{ restore: { label: 'b', to: 'sameDevice' } }"]
    for event in [
      toSameDevice, ["{ reinstall: {} }"] + sealed(), ["{ updateApp: '2' }"], ["{ kill: {} }"],
    ] {
      #expect(try await Trial.verdicts(sealed("thisDeviceOnly") + event + [read]) == [])
    }
    #expect(try await Trial.verdicts(sealed() + restore + [read], critical + encrypted) == [])
    #expect(
      try await Trial.verdicts(sealed() + restore + ["{ read: 'Documents/a', mayThrow: true }"])
        == [])
    let value = ", value: 'of the server'"
    #expect(
      try await Trial.verdicts(
        sealed("thisDeviceOnly", value) + restore + [sealed("thisDeviceOnly", value)[0], read])
        == [])
  }

  @Test func `a new key in the place of one that encrypted data, unless the app handles this`()
    async throws
  {
    let stepsWithNewKey = sealed() + restore + ["{ readKeychainItem: 'k', ifMissing: 'recreate' }"]
    #expect(
      try await Trial.verdicts(stepsWithNewKey, "backups: 'local'")
        == ["sealed-file-unreadable error 5 Documents/a"])
    #expect(try await Trial.verdicts(sealed() + restore, "backups: 'local'") == [])
    #expect(
      try await Trial.verdicts(stepsWithNewKey + ["{ read: 'Documents/a', mayThrow: true }"]) == [])
    #expect(try await Trial.verdicts(stepsWithNewKey + ["{ remove: 'Documents/a' }"]) == [])
    #expect(
      try await Trial.verdicts(
        sealed() + ["{ setKeychainItem: 'k' }", "{ backup: 'b' }"], critical + encrypted)
        == ["sealed-file-unreadable error 3 Documents/a"])
  }

  @Test func `files on disk too, if a step runs the app's own code`() async throws {
    let actions: AppActions = ["nothing": { _ in }]
    let scenario = try Trial.scenario(
      sealed() + ["{ perform: 'nothing', mayThrow: true }"] + restore + [read])
    let transcript = try await ScenarioRunner(actions: actions).run(scenario, scenario.variants[0])
    #expect(
      RuleList.findings(in: transcript).map(\.line) == [
        "sealed-file-unreadable error 6 Documents/a"
      ])
  }
}

@Suite struct `Encrypted contents` {
  @Test func `are compared as the app reads them, and keep their size`() async throws {
    #expect(
      try await Trial.failure([
        "{ setKeychainItem: 'k' }",
        "{ save: 'Documents/a', contents: 'one', sealedWith: 'k' }",
        "{ append: 'Documents/a', contents: ' two', sealedWith: 'k' }",
        "{ expectFile: { path: 'Documents/a', contents: 'one two' } }",
        "{ save: 'Documents/b', size: 200, sealedWith: 'k' }",
        "{ expectFile: { path: 'Documents/b', size: 200 } }",
      ]) == nil)
  }

  @Test func `have the values of the plain contents, and each seal once`() {
    let seal = Seal(name: "k", value: "1")
    let text = FileOperation.Contents.text("a\nb")
    #expect(ContentsDetails(text.sealed(with: seal)).values == text.values)
    let twice = text.sealed(with: seal).sealed(with: seal).unsealed
    #expect(twice.seals == [seal] && twice.contents == text)
    // Bytes that only resemble a seal.
    let other = FileOperation.Contents.bytes([0x0E] + Array("sealed with k".utf8))
    #expect(other.unsealed.seals == [] && other.unsealed.contents == other)
  }

  @Test func `need their key, and are of a limited size`() async throws {
    #expect(
      try await Trial.verdicts(["{ save: 'Documents/a', size: 9, sealedWith: 'k' }"])
        == ["exists-before-use error 1 -"])
    #expect(
      try await Trial.failure([
        "{ setKeychainItem: 'k' }", "{ save: 'Documents/a', size: '2 MB', sealedWith: 'k' }",
      ]) == "step 2: the kit encrypts at most 1.0 MB in a step; write less")
  }
}
