import BackupFileTree
import BackupScenarios
import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `recreatable-data-backed-up finds` {
  private let movie = "\(support)/Movies/1.mp4"

  @Test func `data that can be created again, once, with the backups that contain it`() async throws
  {
    let findings = try await Trial.findings(
      savedMovie + ["{ backup: 'a' }", "{ backup: 'b' }", "{ backup: 'c\\n' }"], promises)
    #expect(findings.map(\.line) == ["recreatable-data-backed-up error 2 \(movie)"])
    #expect(
      findings.first?.message
        == "'\(movie)' is offline data, which can be created or downloaded again, but the "
        + "backups \"a\", \"b\" and \"c\\n\" contain it")
  }

  @Test func `nothing that a lost mark explains`() async throws {
    #expect(
      try await Trial.verdicts(
        markedMovie + ["{ save: '\(movie)', size: 1 }", "{ backup: 'a' }"], promises)
        == ["reapply-on-save error 4 \(movie)"])
  }

  @Test func `nothing that is marked while marks are ignored`() async throws {
    let steps = markedMovie + ["{ backup: 'a' }"]
    #expect(try await Trial.verdicts(steps, promises + ", guidance: 'ignored'") == [])
    #expect(
      try await Trial.verdicts(savedMovie + ["{ backup: 'a' }"], promises + ", guidance: 'ignored'")
        .count == 1)
  }

  @Test func `nothing of the user's own, and nothing that no backup contains`() async throws {
    let files = ["Documents/a", "Library/Caches/a"].map { "{ save: '\($0)', size: 1 }" }
    #expect(try await Trial.verdicts(files + ["{ backup: 'a' }"], promises) == [])
  }

  @Test func `a moved file, at the step that moved it`() async throws {
    let steps =
      savedMovie + [
        "{ save: 'tmp/2.mp4', size: 1 }", "{ move: 'tmp/2.mp4', to: '\(support)/Movies/2.mp4' }",
        "{ exclude: '\(movie)' }", "{ backup: 'a' }",
      ]
    #expect(
      try await Trial.verdicts(steps, promises)
        == ["recreatable-data-backed-up error 4 \(support)/Movies/2.mp4"])
  }

  @Test(arguments: ["support", "offline", "cached", "temporary"])
  func `a file in the Inbox, with the advice to move or delete it`(dataClass: String)
    async throws
  {
    let findings = try await Trial.findings(
      [
        "{ place: 'Documents/Inbox/deep/a', size: 1 }", "{ save: 'Documents/Inbox2', size: 1 }",
        "{ backup: 'b' }", "{ remove: 'Documents/Inbox2' }",
      ], "files: { 'Documents/**': '\(dataClass)' }")
    let advice = Dictionary(grouping: findings) { $0.path?.description }.mapValues { $0[0].advice }
    #expect(findings.allSatisfy { $0.rule == "recreatable-data-backed-up" })
    #expect(advice["Documents/Inbox/deep/a"] == DataClass.inboxAdvice)
    #expect(advice["Documents/Inbox2"].map { $0 != DataClass.inboxAdvice } == true)
  }

  @Test func `a file with the mark of iOS 5.0.1 after an update, with the advice to mark it again`()
    async throws
  {
    let mark = "{ exclude: '\(movie)', using: 'extendedAttribute' }"
    let findings = try await Trial.findings(
      savedMovie + [
        mark, "{ updateSystem: '6' }", "{ read: '\(movie)' }", "{ backup: 'b' }",
      ],
      promises + ", system: '5.0.1'")
    #expect(findings.map(\.line) == ["recreatable-data-backed-up error 2 \(movie)"])
    #expect(
      findings.first?.advice
        == "its mark is the attribute of iOS 5.0.1, which later systems may ignore: mark it "
        + "again with isExcludedFromBackup at the first launch after the update")
  }
}
