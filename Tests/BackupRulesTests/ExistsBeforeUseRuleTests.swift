import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `exists-before-use finds` {
  private let read = "{ read: 'Library/Caches/a' }"
  private let save = "{ save: 'Library/Caches/a', size: 1 }"

  @Test func `a read of a file that was never made`() async throws {
    let findings = try await Trial.findings([read])
    #expect(findings.map(\.line) == ["exists-before-use error 1 Library/Caches/a"])
    #expect(
      findings.first?.message
        == "the app reads 'Library/Caches/a' without checking, but it is missing")
  }

  @Test(
    arguments: [
      ["{ purge: 'lowStorage' }"], ["{ remove: 'Library/Caches/a' }"],
      ["{ backup: 'b' }", "{ restore: 'b' }"],
    ])
  func `a read of a file that is gone, once, however often it is read`(gone: [String]) async throws
  {
    let steps = [save] + gone + [read, read]
    #expect(
      try await Trial.verdicts(steps)
        == ["exists-before-use error \(steps.count - 1) Library/Caches/a"])
  }

  @Test(
    arguments: [
      ("documents/a", "the directory is 'Documents': names on a device are case-sensitive"),
      ("Library/caches/a", "the directory is 'Library/Caches': names on a device"),
      ("Cinema.app/a", "an app cannot write into its bundle: save to Documents or Library"),
      ("~/Documents/a", "a path begins in the container, without '~'"),
    ])
  func `a save below a directory that only looks like the container's`(
    path: String, advice: String
  ) async throws {
    let finding = try #require(try await Trial.findings(["{ save: '\(path)', size: 1 }"]).first)
    #expect(finding.rule == "exists-before-use")
    #expect(finding.advice.hasPrefix(advice))
  }

  @Test func `nothing while the file exists`() async throws {
    #expect(try await Trial.verdicts([save, read, "{ relaunch: {} }", read]) == [])
  }

  @Test(arguments: ["ifMissing: 'skip'", "ifMissing: 'recreate', size: 1"])
  func `nothing in an app that checks`(check: String) async throws {
    let careful = "{ read: 'Library/Caches/a', \(check) }"
    #expect(try await Trial.verdicts([careful, careful]) == [])
  }

  /// Returns steps that save a file in tmp, then these steps, then an unchecked read.
  private func reading(_ steps: String...) -> [String] {
    ["{ save: 'tmp/a', size: 1 }"] + steps + ["{ read: 'tmp/a' }"]
  }

  @Test(
    arguments: [
      "{ relaunch: {} }", "{ updateApp: '2', keeping: ['tmp'] }", "{ purge: 'lowStorage' }",
    ])
  func `a read of a file in tmp that was saved before the app ended`(end: String) async throws {
    let findings = try await Trial.findings(reading(end))
    #expect(findings.map(\.line) == ["exists-before-use warning 3 tmp/a"])
    #expect(
      findings.first?.message
        == "the app reads 'tmp/a' without checking, but it is left in tmp from an earlier "
        + "launch, and the system may empty tmp whenever the app is not running")
  }

  @Test func `a read of a file in tmp after an update of iOS`() async throws {
    let steps = reading("{ updateSystem: 'newest' }")
    #expect(
      try await Trial.verdicts(steps, "system: '18'") == ["exists-before-use warning 3 tmp/a"])
  }

  @Test(arguments: [
    "{ backup: 'b' }", "{ expectFiles: { present: ['tmp/a'] } }",
    "{ relaunch: {} }, { save: 'tmp/a', size: 1 }",
    "{ relaunch: {} }, { save: 'tmp/a', size: 1, how: 'inPlace' }",
    "{ relaunch: {} }, { remove: 'tmp/a' }, { save: 'tmp/b', size: 1 }, "
      + "{ move: 'tmp/b', to: 'tmp/a' }",
  ])
  func `nothing in tmp while the app keeps running, or after it saves the file again`(
    between: String
  ) async throws {
    #expect(try await Trial.verdicts(reading(between)) == [])
  }

  @Test(arguments: ["ifMissing: 'skip'", "ifMissing: 'recreate', size: 1"])
  func `nothing if the app checks whether the file is still in tmp`(check: String) async throws {
    let steps = ["{ save: 'tmp/a', size: 1 }", "{ relaunch: {} }"]
    #expect(try await Trial.verdicts(steps + ["{ read: 'tmp/a', \(check) }"]) == [])
  }

  /// Returns the findings if the app saves a critical file, steps follow, and the app reads the
  /// file unchecked.
  private func findingLines(_ steps: [String], _ path: String) async throws -> [String] {
    try await Trial.verdicts(
      ["{ save: '\(path)', size: 1 }"] + steps + ["{ read: '\(path)' }"],
      "files: { '**': 'critical' }")
  }

  @Test func `nothing if a mark kept the user's file out of the backup`() async throws {
    let lost = ["{ exclude: 'Documents/a' }", "{ backup: 'b' }", "{ restore: 'b' }"]
    let excluded = ["user-data-excluded error 2 Documents/a"]
    #expect(try await findingLines(lost, "Documents/a") == excluded)
    #expect(
      try await findingLines(lost + ["{ relaunch: {} }", "{ updateApp: '2' }"], "Documents/a")
        == excluded)
    #expect(
      try await findingLines(["{ exclude: 'Documents' }"] + lost.dropFirst(), "Documents/a")
        == ["system-directory-marked error 2 Documents"])
  }

  @Test(
    arguments: [
      ["{ purge: 'lowStorage' }"], ["{ backup: 'b' }", "{ restore: 'b' }"],
      ["{ backup: 'b' }", "{ purge: 'idle' }", "{ restore: 'b' }"],
    ])
  func `nothing if the user's file was in a purgeable place`(
    lost: [String]
  ) async throws {
    #expect(
      try await findingLines(lost, "Library/Caches/a")
        == ["user-data-purgeable error 1 Library/Caches/a"])
  }

  @Test func `nothing if the user's file happens to remain in tmp`() async throws {
    #expect(
      try await findingLines(["{ relaunch: {} }"], "tmp/a") == ["user-data-purgeable error 1 tmp/a"]
    )
  }

  @Test(
    arguments: [
      // The app saves the file again, and then deletes it.
      ["{ save: 'Documents/a', size: 1 }", "{ remove: 'Documents/a' }"],
      [
        "{ save: 'Documents/b', size: 1 }", "{ move: 'Documents/b', to: 'Documents/a' }",
        "{ remove: 'Documents/a' }",
      ],
      // A restore brings the file back, and then the app deletes it.
      ["{ restore: 'good' }", "{ remove: 'Documents/a' }"],
    ])
  func `the user's file that was lost by a mark, came back, and is missing for another reason`(
    later: [String]
  ) async throws {
    let lost = [
      "{ backup: 'good' }", "{ exclude: 'Documents/a' }", "{ backup: 'b' }", "{ restore: 'b' }",
    ]
    #expect(
      try await findingLines(lost + later, "Documents/a") == [
        "user-data-excluded error 3 Documents/a",
        "exists-before-use error \(lost.count + later.count + 2) Documents/a",
      ])
  }

  @Test func `the user's file that is newer than the backup`() async throws {
    let steps = ["{ backup: 'b' }", "{ save: 'Documents/new', size: 1 }", "{ restore: 'b' }"]
    #expect(
      try await Trial.verdicts(
        steps + ["{ read: 'Documents/new' }"], "files: { '**': 'critical' }")
        == ["exists-before-use error 4 Documents/new"])
  }

  @Test func `a file that can be downloaded again, although its mark kept it out of the backup`()
    async throws
  {
    let steps = [
      "{ save: 'Documents/a', size: 1 }", "{ exclude: 'Documents/a' }", "{ backup: 'b' }",
      "{ restore: 'b' }", "{ read: 'Documents/a' }",
    ]
    let findings = try await Trial.findings(steps, "files: { '**': 'offline' }")
    #expect(findings.map(\.line) == ["exists-before-use error 5 Documents/a"])
    #expect(
      findings.map(\.advice)
        == ["check that the file exists, and download or create it again if it does not"])
  }

  @Test func `the user's file, without the advice to download or create it again`() async throws {
    let steps = ["{ read: 'Documents/a' }", "{ save: 'tmp/a', size: 1 }", "{ relaunch: {} }"]
    let findings = try await Trial.findings(
      steps + ["{ read: 'tmp/a' }", "{ move: 'tmp/a', to: 'Documents/b' }"],
      "files: { '**': 'critical' }")
    #expect(
      findings.map(\.line) == [
        "exists-before-use error 1 Documents/a", "exists-before-use warning 4 tmp/a",
      ])
    #expect(
      findings.map(\.advice) == [
        "check that the file exists; if it does not, inform the user and start with an empty one, "
          + "since it cannot be created again",
        "keep it in Documents or Library/Application Support: it cannot be created again",
      ])
  }
}

@Suite struct `exists-before-use names what took an item` {
  @Test(arguments: [
    ("{ purge: 'lowStorage' }", "the purge 'lowStorage' in step 3"),
    (
      "{ updateApp: '2', losing: ['Library/Caches/**'] }",
      "the update of the app in step 3, which did not keep it"
    ),
    (
      "{ restore: 'b' }",
      "the restore in step 3 (excluded from the backup \"b\", as is everything in Library/Caches)"
    ),
    ("{ reinstall: {} }", "the app was deleted in step 3"),
  ])
  func `the system's step, and why`(event: String, cause: String) async throws {
    let steps = [
      "{ save: 'Library/Caches/a', size: 1 }", "{ backup: 'b' }", event,
      "{ read: 'Library/Caches/a' }",
    ]
    let findings = try await Trial.findings(steps)
    #expect(
      findings.map(\.message) == [
        "the app reads 'Library/Caches/a' without checking, but it has been missing since \(cause)"
      ])
  }

  @Test func `nothing if the item never existed`() async throws {
    let findings = try await Trial.findings(["{ read: 'Documents/a' }"])
    #expect(
      findings.map(\.message) == [
        "the app reads 'Documents/a' without checking, but it is missing"
      ])
  }
}
