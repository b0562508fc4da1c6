import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `storage-budget finds` {
  private let steps = [
    "{ save: 'Documents/a', size: '2 KB' }", "{ exclude: 'Documents/a' }",
    "{ save: 'Library/Caches/b', size: '2 KB' }", "{ save: 'tmp/c', size: '1 KB' }",
    "{ save: 'tmp/d', size: 1 }", "{ backup: 'one' }", "{ save: 'tmp/e', size: 1 }",
    "{ backup: 'two' }",
  ]

  @Test func `too many bytes in any place, once, at the step that exceeded the budget`()
    async throws
  {
    let findings = try await Trial.findings(steps, "storage: '5 KB'")
    #expect(findings.map(\.line) == ["storage-budget error 5 -"])
    #expect(
      findings.first?.message
        == "the app keeps 5.0 KB (5001 bytes) on the device, more than the 5.0 KB (5000 bytes) "
        + "of 'storage'; the largest files are 'Documents/a' with 2.0 KB, 'Library/Caches/b' "
        + "with 2.0 KB and 'tmp/c' with 1.0 KB")
    #expect(findings.first?.advice.hasPrefix("delete files that are no longer needed") == true)
    #expect(try await Trial.verdicts(steps, "storage: 5002") == [])
  }

  @Test func `the files of each pattern on their own, in bytes or in number`() async throws {
    let storage = "storage: { 'tmp/*': { files: 2 }, 'Library/Caches/b': 1999, '**': '9 KB' }"
    #expect(
      try await Trial.verdicts(steps, storage) == [
        "storage-budget error 3 Library/Caches/b", "storage-budget error 7 tmp",
      ])
  }

  @Test func `too many bytes when iOS acts or at the end, but not in between`()
    async throws
  {
    let save = "{ save: 'tmp/a', size: 2 }"
    let remove = "{ remove: 'tmp/a' }"
    let other = "{ save: 'tmp/b', size: 1 }"
    #expect(
      try await Trial.verdicts([save, remove, other, "{ relaunch: {} }"], "storage: 1") == [])
    for event in ["{ backup: 'a' }", "{ purge: 'idle' }", "{ updateApp: '2' }"] {
      #expect(
        try await Trial.verdicts([save, event, "{ backup: 'z' }"], "storage: 1") == [
          "storage-budget error 1 -"
        ])
    }
    #expect(try await Trial.verdicts([other, save], "storage: 1") == ["storage-budget error 2 -"])
  }

  @Test func `the last step that exceeded the budget, if fewer bytes were there in between`()
    async throws
  {
    let steps = [
      "{ save: 'tmp/a', size: 2 }", "{ remove: 'tmp/a' }", "{ save: 'tmp/b', size: 2 }",
      "{ append: 'tmp/b', size: 1 }",
    ]
    #expect(try await Trial.verdicts(steps, "storage: 1") == ["storage-budget error 3 -"])
    #expect(try await Trial.verdicts(steps, "storage: 2") == ["storage-budget error 4 -"])
  }

  @Test func `the bytes that a copy, a move and a restore add`() async throws {
    let steps = [
      "{ createDirectory: 'Documents/a' }", "{ save: 'Documents/a/b', size: 2 }",
      "{ backup: 'x' }", "{ move: 'Documents/a', to: 'Library/com.example.app' }",
      "{ copy: 'Library/com.example.app', to: 'Documents/c' }",
      "{ remove: 'Library/com.example.app' }", "{ restore: 'x' }",
    ]
    let storage = "storage: { 'Library/**': 1, 'Documents/c/*': 1, 'Documents/a/*': { files: 0 } }"
    #expect(
      try await Trial.verdicts(steps, storage) == [
        "storage-budget error 2 Documents/a", "storage-budget error 5 Documents/c",
      ])
  }

  @Test func `nothing in the app's bundle, but files in a folder with its name`() async throws {
    let steps = ["{ save: 'app.app/asset', size: 9 }"]
    #expect(try await Trial.verdicts(steps, "storage: 1, system: '7'") == [])
    let ownFolder = ["{ createDirectory: 'app.app' }"] + steps
    #expect(
      try await Trial.verdicts(ownFolder, "storage: 1, system: '18'")
        == ["refused-place error 1 app.app", "storage-budget error 2 -"])
  }

  @Test func `sums beyond 64 bits`() async throws {
    let steps = (0..<12).map { "{ save: 'tmp/\($0)', size: '1000 GB' }" }
    #expect(try await Trial.verdicts(steps, "storage: '1000 GB'") == ["storage-budget error 2 -"])
  }

  @Test func `nothing without a budget, or if the run failed`() async throws {
    #expect(try await Trial.verdicts(steps) == [])
    #expect(
      try await Trial.verdicts([steps[0], "{ remove: 'tmp/none' }"], "storage: 1") == [])
  }

  @Test func `a folder with the bundle's name, once iOS has moved the bundle elsewhere`()
    async throws
  {
    let steps = [
      "{ save: 'app.app/asset', size: 9 }", "{ updateSystem: '18' }", "{ backup: 'a' }",
    ]
    #expect(
      try await Trial.verdicts(steps, "storage: 1, system: '7'") == ["storage-budget error 2 -"])
  }
}
