import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `deprecated-mark finds` {
  private let save = "{ save: 'Documents/a', size: 1 }"
  private let setExtendedAttribute = "{ exclude: 'Documents/a', using: 'extendedAttribute' }"

  @Test func `the extended attribute alone, from 5.1 on`() async throws {
    let warning = ["deprecated-mark warning 2 Documents/a"]
    for otherKeys in ["", "system: '5.1'"] {
      #expect(try await Trial.verdicts([save, setExtendedAttribute], otherKeys) == warning)
    }
    for system in ["5.0", "5.0.1"] {
      #expect(try await Trial.verdicts([save, setExtendedAttribute], "system: '\(system)'") == [])
    }
  }

  @Test func `the extended attribute on the user's own data`() async throws {
    let critical = "files: { 'Documents/**': 'critical' }"
    let findings = try await Trial.findings([save, setExtendedAttribute], critical)
    #expect(findings.map(\.line) == ["deprecated-mark warning 2 Documents/a"])
    #expect(findings.first?.advice.contains("remove the attribute") == true)
    #expect(
      try await Trial.verdicts([save, setExtendedAttribute], "system: '5.0.1', \(critical)") == [])
    let directory = [
      "{ createDirectory: 'Documents/D' }", "{ save: 'Documents/D/a', size: 1 }",
      "{ exclude: 'Documents/D', using: 'extendedAttribute' }",
    ]
    #expect(
      try await Trial.verdicts(directory, critical) == ["deprecated-mark warning 3 Documents/D"])
  }

  @Test func `nothing if another rule reports that a backup contains the item`() async throws {
    #expect(
      try await Trial.verdicts(
        [save, setExtendedAttribute, "{ backup: 'b' }"], "files: { '**': 'support' }")
        == ["recreatable-data-backed-up error 1 Documents/a"])
    let directory = [
      "{ createDirectory: 'Documents/D' }",
      "{ exclude: 'Documents/D', using: 'extendedAttribute' }",
      "{ save: 'Documents/D/a', size: 1 }", "{ backup: 'b' }",
    ]
    #expect(
      try await Trial.verdicts(directory, "files: { '**': 'support' }")
        == ["recreatable-data-backed-up error 3 Documents/D/a"])
  }

  @Test func `nothing if the app sets the new mark too, before iOS acts`() async throws {
    let setResourceValue = "{ exclude: 'Documents/a' }"
    #expect(try await Trial.verdicts([save, setExtendedAttribute, setResourceValue]) == [])
    #expect(try await Trial.verdicts([save, setResourceValue, setExtendedAttribute]) == [])
    #expect(
      try await Trial.verdicts([save, setExtendedAttribute, "{ backup: 'b' }", setResourceValue])
        .count == 1)
  }

  @Test func `the mark after its item was moved, at the step that set it`() async throws {
    #expect(
      try await Trial.verdicts([
        save, setExtendedAttribute, "{ move: 'Documents/a', to: 'Documents/b' }",
      ])
        == ["deprecated-mark warning 2 Documents/b"])
    #expect(
      try await Trial.verdicts([save, setExtendedAttribute, "{ remove: 'Documents/a' }"]) == [])
    #expect(
      try await Trial.verdicts([
        "{ createDirectory: 'Documents/D' }", "{ save: 'Documents/D/a', size: 1 }",
        "{ exclude: 'Documents/D/a', using: 'extendedAttribute' }",
        "{ move: 'Documents/D', to: 'Documents/E' }",
      ]) == ["deprecated-mark warning 3 Documents/E/a"])
  }

  @Test func `the mark once, however often it is set or its item replaced`() async throws {
    let warning = ["deprecated-mark warning 2 Documents/a"]
    let replace = [
      "{ save: 'tmp/a', size: 1 }", "{ move: 'tmp/a', to: 'Documents/a', over: true }",
    ]
    #expect(
      try await Trial.verdicts([save, setExtendedAttribute, setExtendedAttribute]) == warning)
    #expect(try await Trial.verdicts([save, setExtendedAttribute] + replace) == warning)
  }
}
