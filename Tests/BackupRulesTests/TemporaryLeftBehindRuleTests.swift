import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `temporary-left-behind finds` {
  private let save = "{ save: 'tmp/a', size: 1 }"
  private let warning = ["temporary-left-behind warning 1 tmp/a"]

  @Test(arguments: [[], ["{ relaunch: {} }"], ["{ backup: 'b' }"], ["{ updateApp: '2.0' }"]])
  func `a temporary file that outlives the app, at the step that made it`(
    later: [String]
  ) async throws {
    let expected = later == ["{ updateApp: '2.0' }"] ? [] : warning
    #expect(try await Trial.verdicts([save] + later, promises) == expected)
  }

  @Test(arguments: ["{ remove: 'tmp/a' }", "{ purge: 'criticalStorage' }"])
  func `nothing that is gone at the end`(end: String) async throws {
    #expect(try await Trial.verdicts([save, end], promises) == [])
  }

  @Test func `nothing that the app does not call temporary`() async throws {
    #expect(try await Trial.verdicts([save]) == [])
    #expect(try await Trial.verdicts([save], "files: { 'tmp/**': 'cached' }") == [])
  }

  @Test func `a temporary file wherever it is kept`() async throws {
    #expect(
      try await Trial.verdicts(
        ["{ save: 'Library/Caches/a', size: 1 }"], "files: { '**': 'temporary' }")
        == ["temporary-left-behind warning 1 Library/Caches/a"])
  }
}
