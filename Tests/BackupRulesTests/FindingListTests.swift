import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios

@Suite struct `A finding keeps others on its item silent` {
  private static let movie = "\(support)/Movies/1.mp4"
  private static let save = "{ save: '\(movie)', size: 1 }"
  private static let mark = "{ exclude: '\(movie)' }"
  private static let offline = "files: { '**/*.mp4': 'offline' }"

  /// A step that takes a backup.
  private func backup(_ label: String) -> String { "{ backup: '\(label)' }" }

  /// The findings of steps that begin with the movie's directory made; the first step is number 2.
  private func findings(_ steps: [String]) async throws -> [Scenario.Finding] {
    try await Trial.findings(
      ["{ createDirectory: '\(support)/Movies' }"] + steps, Self.offline)
  }

  @Test func `from its own step on, not before`() async throws {
    let findings = try await findings([
      Self.save, backup("A"), Self.mark, backup("B"), Self.save, backup("C"),
    ])
    #expect(
      findings.map(\.line) == [
        "reapply-on-save error 6 \(Self.movie)", "recreatable-data-backed-up error 2 \(Self.movie)",
      ])
    #expect(findings.map { $0.message.contains("\"A\"") } == [false, true])
    #expect(findings.map { $0.message.contains("\"C\"") } == [true, false])
    #expect(!findings.contains { $0.message.contains("\"B\"") })
  }

  @Test func `where a mark was set too early, only in the backups after that`() async throws {
    let findings = try await findings([
      Self.save, backup("A"), "{ remove: '\(Self.movie)' }", Self.mark, Self.save, backup("B"),
      Self.mark, backup("C"), Self.save, backup("D"),
    ])
    #expect(
      findings.map(\.line) == [
        "exists-before-set error 5 \(Self.movie)", "reapply-on-save error 10 \(Self.movie)",
        "recreatable-data-backed-up error 2 \(Self.movie)",
      ])
    #expect(findings[0].message.hasSuffix("keeps nothing out; in the backup \"B\""))
    #expect(findings[1].message.hasSuffix("; in the backup \"D\""))
    #expect(findings[2].message.hasSuffix("but the backup \"A\" holds it"))
  }

  @Test func `and names the backups of each mark that was set too early with that mark`()
    async throws
  {
    let findings = try await findings([
      Self.mark, Self.save, backup("A"), "{ remove: '\(Self.movie)' }", Self.mark, Self.save,
      backup("B"),
    ])
    #expect(
      findings.map(\.line) == [
        "exists-before-set error 2 \(Self.movie)", "exists-before-set error 6 \(Self.movie)",
      ])
    #expect(findings.map { $0.message.hasSuffix("; in the backup \"A\"") } == [true, false])
    #expect(findings.map { $0.message.hasSuffix("; in the backup \"B\"") } == [false, true])
  }

  @Test func `and names the backups of each loss with that loss`() async throws {
    let findings = try await findings([
      Self.save, Self.mark, Self.save, backup("A"), Self.mark, Self.save, backup("B"),
    ])
    #expect(
      findings.map(\.line) == [
        "reapply-on-save error 4 \(Self.movie)", "reapply-on-save error 7 \(Self.movie)",
      ])
    #expect(findings.map { $0.message.contains("\"B\"") } == [false, true])
  }

  @Test func `where a directory of the system's is marked after a backup without that`()
    async throws
  {
    let findings = try await Trial.findings(
      [
        "{ save: 'Documents/a', size: 1 }", "{ exclude: 'Documents/a' }", backup("A"),
        "{ include: 'Documents/a' }", "{ exclude: 'Documents' }", backup("B"),
      ], "files: { 'Documents/**': 'critical' }")
    #expect(
      findings.map(\.line) == [
        "system-directory-marked error 5 Documents", "user-data-excluded error 2 Documents/a",
      ])
  }
}
