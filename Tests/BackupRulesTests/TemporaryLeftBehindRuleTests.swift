import BackupScenarios
import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `temporary-left-behind finds` {
  private let save = "{ save: 'tmp/a', size: 1 }"
  private let warning = ["temporary-left-behind warning 1 tmp/a"]

  @Test(arguments: [[], ["{ relaunch: {} }"], ["{ backup: 'b' }"], ["{ updateApp: '2.0' }"]])
  func `a temporary file that outlives the app, at the step that created it`(
    later: [String]
  ) async throws {
    let expected = later == ["{ updateApp: '2.0' }"] ? [] : warning
    #expect(try await Trial.verdicts([save] + later, promises) == expected)
  }

  @Test(arguments: ["{ remove: 'tmp/a' }", "{ purge: 'criticalStorage' }"])
  func `nothing that is gone at the end`(end: String) async throws {
    #expect(try await Trial.verdicts([save, end], promises) == [])
  }

  @Test func `nothing that the app does not declare as temporary`() async throws {
    #expect(try await Trial.verdicts([save]) == [])
    #expect(try await Trial.verdicts([save], "files: { 'tmp/**': 'cached' }") == [])
  }

  @Test func `a temporary file in any place`() async throws {
    #expect(
      try await Trial.verdicts(
        ["{ save: 'Library/Caches/a', size: 1 }"], "files: { '**': 'temporary' }")
        == ["temporary-left-behind warning 1 Library/Caches/a"])
  }

  /// The classes of an app to which iOS hands over files.
  private static let inbox =
    "files: { 'Documents/Inbox/*.txt': 'temporary', 'Documents/**': 'critical' }"
  /// Steps in which iOS puts a file into Documents/Inbox.
  private static let handedOver = [
    "{ place: 'Documents/Inbox/a.txt', size: 1 }", "{ relaunch: {} }",
  ]

  @Test func `a file in the Inbox, with the advice to move or delete it`() async throws {
    let findings = try await Trial.findings(Self.handedOver, Self.inbox)
    #expect(findings.map(\.line) == ["temporary-left-behind warning 1 Documents/Inbox/a.txt"])
    #expect(findings.map(\.advice) == [DataClass.inboxAdvice])
  }

  @Test func `no file in the Inbox that a backup contains, which another rule reports`()
    async throws
  {
    let findings = try await Trial.findings(Self.handedOver + ["{ backup: 'b' }"], Self.inbox)
    #expect(findings.map(\.line) == ["recreatable-data-backed-up error 1 Documents/Inbox/a.txt"])
    #expect(findings.map(\.advice) == [DataClass.inboxAdvice])
  }

  @Test(arguments: [
    "{ remove: 'Documents/Inbox/a.txt' }",
    "{ move: 'Documents/Inbox/a.txt', to: 'Documents/a.txt' }",
  ])
  func `no file that was deleted in the Inbox, or moved out of it`(appStep: String) async throws {
    let steps = Self.handedOver + [appStep, "{ backup: 'b' }"]
    #expect(try await Trial.verdicts(steps, Self.inbox) == [])
  }
}
