import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `exists-before-set finds` {
  @Test func `a mark on a missing item, whether the app catches the error or not`() async throws {
    for failure in ["", ", throws: true"] {
      #expect(
        try await Trial.verdicts(["{ exclude: 'Documents/a'\(failure) }"])
          == ["exists-before-set error 1 Documents/a"])
    }
  }

  @Test func `the cause of a later backup of the item, as the only finding`() async throws {
    #expect(
      try await Trial.verdicts(
        ["{ exclude: 'Documents/a' }", "{ save: 'Documents/a', size: 1 }", "{ backup: 'b' }"],
        "files: { 'Documents/**': 'offline' }") == ["exists-before-set error 1 Documents/a"])
  }

  @Test func `clearing a mark of a missing item`() async throws {
    #expect(
      try await Trial.verdicts(["{ include: 'Documents/a' }"])
        == ["exists-before-set error 1 Documents/a"])
  }

  @Test func `nothing if the app creates the item first`() async throws {
    for make in ["{ save: 'Documents/a', size: 1 }", "{ createDirectory: 'Documents/a' }"] {
      #expect(try await Trial.verdicts([make, "{ exclude: 'Documents/a' }"]) == [])
    }
  }

  @Test func `a mark on an item that was moved away`() async throws {
    #expect(
      try await Trial.verdicts([
        "{ save: 'Documents/a', size: 1 }", "{ move: 'Documents/a', to: 'Documents/b' }",
        "{ exclude: 'Documents/a' }",
      ]) == ["exists-before-set error 3 Documents/a"])
  }

  @Test func `a path that was meant as a pattern`() async throws {
    let findings = try await Trial.findings(["{ exclude: 'Documents/*.mp4' }"])
    #expect(findings.first?.advice.hasPrefix("name one item: a mark is set on a path") == true)
  }

  @Test func `a mark on the user's own data, with the advice to set none`() async throws {
    let findings = try await Trial.findings(
      ["{ exclude: 'Documents/a' }"], "files: { '**': 'critical' }")
    #expect(findings.map(\.line) == ["exists-before-set error 1 Documents/a"])
    #expect(findings.first?.advice.hasPrefix("do not mark it") == true)
  }
}
