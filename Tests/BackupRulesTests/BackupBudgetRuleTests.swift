import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `backup-budget finds` {
  private let steps = [
    "{ save: 'Documents/a', size: '4 MB' }", "{ backup: 'first' }",
    "{ save: 'Documents/b', size: '1 MB' }", "{ backup: 'second' }",
    "{ save: 'Documents/c', size: 1 }", "{ backup: 'third' }",
  ]

  @Test func `a backup larger than the budget, not one as large`() async throws {
    let findings = try await Trial.findings(steps, "budget: '5 MB'")
    #expect(findings.map(\.line) == ["backup-budget error 6 -"])
    #expect(
      findings.first?.message
        == "the backup \"third\" has 5000001 bytes, more than the budget of 5000000; the largest "
        + "file is 'Documents/a' with 4000000 bytes")
  }

  @Test func `each such backup, and none without a budget`() async throws {
    #expect(try await Trial.verdicts(steps, "budget: 0").count == 3)
    #expect(try await Trial.verdicts(steps) == [])
  }

  @Test func `a mark set in time keeps a backup within it`() async throws {
    let marked = [steps[0], "{ exclude: 'Documents/a' }", steps[2], "{ backup: 'b' }"]
    #expect(try await Trial.verdicts(marked, "budget: '1 MB'") == [])
    #expect(
      try await Trial.verdicts(marked, "budget: 999999") == ["backup-budget error 4 -"])
  }
}
