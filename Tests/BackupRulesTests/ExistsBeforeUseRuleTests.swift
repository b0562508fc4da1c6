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

  /// A file saved in tmp, what happens then, and an unchecked read.
  private func reading(_ steps: String...) -> [String] {
    ["{ save: 'tmp/a', size: 1 }"] + steps + ["{ read: 'tmp/a' }"]
  }

  @Test(
    arguments: [
      "{ relaunch: {} }", "{ updateApp: '2', keeping: ['tmp'] }", "{ purge: 'lowStorage' }",
    ])
  func `a read of what is in tmp since before the app ended`(end: String) async throws {
    let findings = try await Trial.findings(reading(end))
    #expect(findings.map(\.line) == ["exists-before-use warning 3 tmp/a"])
    #expect(
      findings.first?.message
        == "'tmp/a' is read unchecked, but it is in tmp since before the app last ended; the "
        + "system may empty tmp whenever the app does not run")
  }

  @Test func `a read of it after an update of the system`() async throws {
    let steps = reading("{ updateSystem: 'newest' }")
    #expect(
      try await Trial.verdicts(steps, "system: '18'") == ["exists-before-use warning 3 tmp/a"])
  }

  @Test(arguments: [
    "{ backup: 'b' }", "{ expectFiles: { present: ['tmp/a'] } }",
    "{ relaunch: {} }, { save: 'tmp/a', size: 1 }",
    "{ relaunch: {} }, { save: 'tmp/a', size: 1, how: 'inPlace' }",
    "{ relaunch: {} }, { remove: 'tmp/a' }, { save: 'tmp/b', size: 1 }, "
      + "{ move: 'tmp/b', to: 'tmp/a' }",
  ])
  func `nothing in tmp while the app runs on, or once it was saved again`(
    between: String
  ) async throws {
    #expect(try await Trial.verdicts(reading(between)) == [])
  }

  @Test(arguments: ["ifMissing: 'skip'", "ifMissing: 'recreate', size: 1"])
  func `nothing of an app that asks whether it is still in tmp`(check: String) async throws {
    let steps = ["{ save: 'tmp/a', size: 1 }", "{ relaunch: {} }"]
    #expect(try await Trial.verdicts(steps + ["{ read: 'tmp/a', \(check) }"]) == [])
  }
}
