import BackupScenarios
import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `secret-backed-up finds` {
  private let files = "files: { 'Documents/**': 'secret', '\(support)/**': 'secret' }"
  private let save = "{ save: 'Documents/key', size: 1 }"
  private let mark = "{ exclude: 'Documents/key' }"

  @Test func `a secret in backups, once`() async throws {
    let findings = try await Trial.findings(
      [save, "{ backup: 'a' }", save, "{ backup: 'b' }"], files)
    #expect(findings.map(\.line) == ["secret-backed-up error 1 Documents/key"])
    #expect(
      findings.first?.message
        == "'Documents/key' is a secret, but the backups \"a\" and \"b\" contain it")
    #expect(
      findings.first?.advice
        == "keep it in the keychain, for this device only (in a scenario, 'setKeychainItem'), or "
        + "do not store it; a mark does not keep it secret")
  }

  @Test func `a marked secret as a warning, because a mark is no guarantee`() async throws {
    let findings = try await Trial.findings([save, mark, "{ backup: 'a' }"], files)
    #expect(findings.map(\.line) == ["secret-backed-up warning 1 Documents/key"])
    #expect(
      findings.first?.message
        == "'Documents/key' is a secret, but only a mark keeps it out of the backup \"a\"")
  }

  @Test func `a secret in a marked directory as a warning`() async throws {
    let steps = [
      "{ createDirectory: 'Documents/D' }", "{ exclude: 'Documents/D' }",
      "{ save: 'Documents/D/key', size: 1 }", "{ backup: 'a' }",
    ]
    #expect(
      try await Trial.verdicts(steps, files) == ["secret-backed-up warning 3 Documents/D/key"])
  }

  @Test func `a marked secret as an error if marks are ignored`() async throws {
    let findings = try await Trial.findings(
      [save, mark, "{ backup: 'a' }"], files + ", guidance: 'ignored'")
    #expect(findings.map(\.line) == ["secret-backed-up error 1 Documents/key"])
    #expect(
      findings.first?.message
        == "'Documents/key' is a secret, but the backup \"a\" contains it, since this run's "
        + "system does not follow its mark")
  }

  @Test func `only an error if a mark kept the secret out of another backup`() async throws {
    #expect(
      try await Trial.verdicts([save, mark, "{ backup: 'a' }", save, "{ backup: 'b' }"], files)
        == ["secret-backed-up error 4 Documents/key"])
  }

  @Test func `only the secret, even if its mark is lost, set too early or wrong`()
    async throws
  {
    #expect(
      try await Trial.verdicts([mark, save, "{ backup: 'a' }"], files)
        == ["secret-backed-up error 2 Documents/key"])
    #expect(
      try await Trial.verdicts([save, mark, "{ backup: 'a' }"], files + ", system: '5.0.1'")
        == ["secret-backed-up error 1 Documents/key"])
    let attribute = "{ exclude: 'Documents/key', using: 'extendedAttribute' }"
    #expect(
      try await Trial.verdicts([save, attribute, "{ backup: 'a' }"], files)
        == ["secret-backed-up error 1 Documents/key"])
  }

  @Test func `no lost mark of a directory that contains only secrets`() async throws {
    let make = "{ createDirectory: 'Documents/D' }"
    let steps = [
      make, "{ exclude: 'Documents/D' }", "{ remove: 'Documents/D' }", make,
      "{ save: 'Documents/D/key', size: 1 }",
    ]
    #expect(
      try await Trial.verdicts(steps + ["{ backup: 'a' }"], files)
        == ["secret-backed-up error 5 Documents/D/key"])
    #expect(
      try await Trial.verdicts(
        steps + ["{ save: 'Documents/D/film', size: 1 }", "{ backup: 'a' }"],
        "files: { '**/key': 'secret', '**': 'offline' }")
        == ["secret-backed-up error 5 Documents/D/key", "reapply-on-save error 4 Documents/D"])
  }

  @Test func `a secret in the Inbox, with the advice to move or delete it`()
    async throws
  {
    let findings = try await Trial.findings(
      [
        "{ place: 'Documents/Inbox/key', size: 1 }", "{ relaunch: {} }", "{ backup: 'a' }",
      ], files)
    #expect(findings.map(\.line) == ["secret-backed-up error 1 Documents/Inbox/key"])
    #expect(findings.map(\.advice) == [DataClass.inboxAdvice])
  }

  @Test(arguments: ["Library/Caches/key", "tmp/key"])
  func `nothing in places that no backup contains, although iOS may delete the secret`(
    path: String
  ) async throws {
    #expect(
      try await Trial.verdicts(
        ["{ save: '\(path)', size: 1 }", "{ backup: 'a' }", "{ purge: 'idle' }"],
        "files: { '**': 'secret' }, guidance: 'ignored'") == [])
  }

  @Test func `nothing without a backup that contains the app's data`() async throws {
    #expect(try await Trial.verdicts([save], files) == [])
    #expect(
      try await Trial.verdicts([save, "{ backup: 'a' }"], files + ", backups: 'off'") == [])
    #expect(
      try await Trial.verdicts([save, "{ remove: 'Documents/key' }", "{ backup: 'a' }"], files)
        == [])
  }

  @Test func `an ignored mark, only if it was set in all backups that contain the secret`()
    async throws
  {
    let steps = [
      "{ createDirectory: 'Documents/D' }", "{ exclude: 'Documents/D' }",
      "{ save: 'Documents/D/key', size: 1 }", "{ backup: 'a' }",
    ]
    let message = "does not follow its mark"
    let ignored = files + ", guidance: 'ignored'"
    let marked = try await Trial.findings(steps, ignored)
    #expect(marked.first?.message.contains(message) == true)
    let unmarked = try await Trial.findings(
      steps + ["{ include: 'Documents/D' }", "{ backup: 'b' }"], ignored)
    #expect(unmarked.first?.message.contains(message) == false)
  }

  @Test func `a secret beside a database, which is stored with it`() async throws {
    let steps = [
      "{ save: 'Library/a.sqlite', contents: 'SQLite format 3\\u0000' }",
      "{ save: 'Library/a.sqlite-wal', size: 9 }", "{ backup: 'b' }",
    ]
    #expect(
      try await Trial.verdicts(
        steps, "files: { 'Library/*-wal': 'secret', 'Library/**': 'critical' }")
        == ["secret-backed-up error 2 Library/a.sqlite-wal"])
  }

  @Test func `nothing if a backup contains only a link to the secret`() async throws {
    let steps = [
      "{ save: 'Library/Caches/token', size: 1 }",
      "{ link: 'Library/token', to: 'Library/Caches/token' }", "{ backup: 'b' }",
    ]
    #expect(try await Trial.verdicts(steps, "files: { '**/token': 'secret' }") == [])
  }
}
