import BackupFileTree
import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios

@Suite struct `A read` {
  private let path = "Library/Caches/a"

  /// Returns the findings, the failure and the size of the file after some steps.
  private func outcome(_ steps: [String]) async throws -> (Set<String>, String?, Int64?) {
    let transcript = try await Trial.transcript(steps)
    let rules = RuleList.findings(in: transcript).map(\.rule)
    let size = transcript.lastTree[try ContainerPath(path)]?.size
    return (Set(rules), transcript.failure?.message, size)
  }

  @Test(arguments: ["", ", ifMissing: 'skip'", ", ifMissing: 'recreate', size: 9"])
  func `of an existing file changes nothing`(variant: String) async throws {
    let outcome = try await outcome([
      "{ save: '\(path)', size: 5 }", "{ read: '\(path)'\(variant) }",
    ])
    #expect(outcome == ([], nil, 5))
  }

  @Test func `of a missing file by an app that does not check is a finding`() async throws {
    #expect(try await outcome(["{ read: '\(path)' }"]) == (["exists-before-use"], nil, nil))
  }

  @Test func `of a missing file by an app that checks is no finding`() async throws {
    #expect(try await outcome(["{ read: '\(path)', ifMissing: 'skip' }"]) == ([], nil, nil))
  }

  @Test func `of a missing file may create it again`() async throws {
    let read = "{ read: '\(path)', ifMissing: 'recreate', size: 9 }"
    #expect(try await outcome([read]) == ([], nil, 9))
    let purged = ["{ save: '\(path)', size: 5 }", "{ purge: 'lowStorage' }", read]
    #expect(try await outcome(purged) == ([], nil, 9))
  }

  @Test(arguments: ["Documents/latest", "Documents/latest/a"])
  func `through a link into a former container is a finding about the link`(
    read: String
  ) async throws {
    let outcome = try await outcome([
      "{ createDirectory: 'Documents/d' }", "{ save: 'Documents/d/a', size: 5 }",
      "{ link: 'Documents/latest', to: 'Documents/d', absolute: true }",
      "{ updateApp: '2.0' }", "{ read: '\(read)' }",
    ])
    #expect(outcome == (["stale-container-path"], nil, nil))
  }

  @Test func `of a directory fails`() async throws {
    #expect(
      try await outcome(["{ read: 'Documents' }"]).1 == "'Documents' is a directory")
  }
}
