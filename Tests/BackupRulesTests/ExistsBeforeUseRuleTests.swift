import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `exists-before-use finds` {
  private let read = "{ read: 'Library/Caches/a' }"
  private let save = "{ save: 'Library/Caches/a', size: 1 }"

  @Test func `a read of a file that was never made`() async throws {
    let findings = try await Trial.findings([read])
    #expect(findings.map(\.line) == ["exists-before-use error 1 Library/Caches/a"])
    #expect(
      findings.first?.message
        == "'Library/Caches/a' is read, but it is not there: purged, not carried over or not "
        + "restored")
  }

  @Test(
    arguments: [
      ["{ purge: 'lowStorage' }"], ["{ remove: 'Library/Caches/a' }"],
      ["{ backup: 'b' }", "{ restore: 'b' }"],
    ])
  func `a read of a file that is gone, each time it is read`(gone: [String]) async throws {
    let steps = [save] + gone + [read, read]
    let last = steps.count
    #expect(
      try await Trial.verdicts(steps)
        == [last - 1, last].map { "exists-before-use error \($0) Library/Caches/a" })
  }

  @Test func `nothing while the file is there`() async throws {
    #expect(try await Trial.verdicts([save, read, "{ relaunch: {} }", read]) == [])
  }

  @Test(arguments: ["ifMissing: 'skip'", "ifMissing: 'recreate', size: 1"])
  func `nothing in an app that checks`(check: String) async throws {
    let careful = "{ read: 'Library/Caches/a', \(check) }"
    #expect(try await Trial.verdicts([careful, careful]) == [])
  }
}
