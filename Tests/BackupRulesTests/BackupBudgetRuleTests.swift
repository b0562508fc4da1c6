import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `backup-budget finds` {
  private let steps = [
    "{ save: 'Documents/a', size: '4 MB' }", "{ backup: 'first' }",
    "{ save: 'Documents/b', size: '1 MB' }", "{ backup: 'second' }",
    "{ save: 'Documents/c', size: 1 }", "{ backup: 'third' }",
  ]

  @Test func `a backup larger than the budget, but not one of the same size`() async throws {
    let findings = try await Trial.findings(steps, "budget: '5 MB'")
    #expect(findings.map(\.line) == ["backup-budget error 6 -"])
    #expect(
      findings.first?.message
        == "the backup \"third\" contains 5.0 MB (5000001 bytes), more than the 5.0 MB (5000000 "
        + "bytes) of 'budget'; the largest file is 'Documents/a' with 4.0 MB")
  }

  @Test func `each backup larger than the budget, and none without a budget`() async throws {
    #expect(try await Trial.verdicts(steps, "budget: 0").count == 3)
    #expect(try await Trial.verdicts(steps) == [])
  }

  @Test func `nothing if a mark keeps the backup within the budget`() async throws {
    let marked = [steps[0], "{ exclude: 'Documents/a' }", steps[2], "{ backup: 'b' }"]
    #expect(try await Trial.verdicts(marked, "budget: '1 MB'") == [])
    #expect(
      try await Trial.verdicts(marked, "budget: 999999") == ["backup-budget error 4 -"])
  }

  @Test func `too many bytes or files of a pattern`() async throws {
    let budget = "budget: { 'Documents/b': 999999, 'Documents/*': { files: 2 }, '**': '6 MB' }"
    let findings = try await Trial.findings(steps, budget)
    #expect(
      findings.map(\.line) == [
        "backup-budget error 4 Documents/b", "backup-budget error 6 Documents/b",
        "backup-budget error 6 Documents",
      ])
    #expect(
      findings.map(\.message) == [
        "of 'Documents/b' the backup \"second\" contains 1.0 MB (1000000 bytes), more than the "
          + "1.0 MB (999999 bytes) of 'budget'; the largest file is 'Documents/b' with 1.0 MB",
        "of 'Documents/b' the backup \"third\" contains 1.0 MB (1000000 bytes), more than the 1.0 "
          + "MB (999999 bytes) of 'budget'; the largest file is 'Documents/b' with 1.0 MB",
        "of 'Documents/*' the backup \"third\" contains 3 files, more than the 2 files of "
          + "'budget'; the largest file is 'Documents/a' with 4.0 MB",
      ])
  }

  @Test func `both limits of a pattern at once, in one finding`() async throws {
    let findings = try await Trial.findings(steps, "budget: { '**': { size: '5 MB', files: 2 } }")
    #expect(findings.count == 1)
    #expect(
      findings.first?.message.contains(
        "contains 5.0 MB (5000001 bytes) in 3 files, more than the 5.0 MB (5000000 bytes) and 2 "
          + "files of 'budget'")
        == true)
  }

  @Test func `patterns with the same beginning, each on its own`() async throws {
    let budget = "budget: { 'Documents/*': 1, 'Documents/**': 1 }"
    #expect(try await Trial.verdicts(Array(steps.prefix(2)), budget).count == 2)
  }

  @Test func `the sizes by folder and by class`() async throws {
    let steps = [
      "{ save: 'Documents/a', size: 4 }", "{ save: 'Library/b', size: 1 }",
      "{ save: 'Library/Preferences/c', size: 3 }", "{ save: 'Documents/e', size: 2 }",
      "{ backup: 'all' }",
    ]
    let promises = "files: { 'Documents/**': 'critical', 'Library/b': 'support' }"
    let findings = try await Trial.findings(steps, "budget: 8, \(promises)")
    #expect(
      findings.first { $0.rule == "backup-budget" }?.note
        == "by folder: Documents 6 bytes in 2 files, Library/Preferences 3 bytes in 1 file and "
        + "Library 1 byte in 1 file; by class: critical 6 bytes in 2 files, undeclared 3 bytes in "
        + "1 file and support 1 byte in 1 file")
    #expect(
      try await Trial.findings(steps, "budget: 9").first?.note?.contains("by class") == false)
  }

  @Test func `nothing that another finding explains`() async throws {
    let files = "files: { 'Documents/a': 'offline', '**': 'critical' }"
    #expect(
      try await Trial.verdicts(steps, files + ", budget: '1 MB'") == [
        "recreatable-data-backed-up error 1 Documents/a", "backup-budget error 6 -",
      ])
    #expect(
      try await Trial.verdicts(steps, files + ", budget: 1000001") == [
        "recreatable-data-backed-up error 1 Documents/a"
      ])
  }
}
