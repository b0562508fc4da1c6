import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios

@Suite struct `The rule on files of a locked device` {
  @Test(arguments: [
    ("complete", ["lock", "restart"]), ("untilFirstUnlock", ["restart"]), ("none", []),
    (nil, ["restart"]),
  ])
  func `reports an unchecked read, by the protection of the file`(
    _ protection: String?, _ expected: [String]
  ) async throws {
    let key = protection.map { ", protection: '\($0)'" } ?? ""
    for (name, lock) in ["lock": "{ lock: {} }", "restart": "{ restart: { locked: true } }"] {
      let findingLines = try await Trial.verdicts([
        "{ save: 'Documents/a', size: 1\(key) }", lock, "{ read: 'Documents/a' }", "{ unlock: {} }",
        "{ read: 'Documents/a' }",
      ])
      #expect(
        findingLines
          == (expected.contains(name) ? ["readable-before-use error 3 Documents/a"] : []), "\(name)"
      )
    }
  }

  @Test(arguments: [
    "{ append: 'Documents/a', size: 1 }", "{ copy: 'Documents/a', to: 'Documents/b' }",
  ])
  func `reports a step that needs the contents, unless the app checks first`(_ step: String)
    async throws
  {
    let before = ["{ save: 'Documents/a', size: 1 }", "{ restart: { locked: true } }"]
    #expect(
      try await Trial.verdicts(before + [step]) == ["readable-before-use error 3 Documents/a"])
    for check in ["ifMissing: 'skip'", "ifLocked: 'skip'"] {
      let transcript = try await Trial.transcript(before + ["\(step.dropLast(2)), \(check) }"])
      #expect(transcript.failure == nil)
      #expect(transcript.entries.count { $0.event.isChange } == 1)
    }
  }
}
