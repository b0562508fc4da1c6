import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `undeclared-item finds` {
  @Test func `a file that no pattern names, once`() async throws {
    let steps = [
      "{ save: 'Library/Preferences/a.plist', size: 1 }", "{ backup: 'a' }", "{ backup: 'b' }",
    ]
    #expect(
      try await Trial.verdicts(steps, promises)
        == ["undeclared-item warning 1 Library/Preferences/a.plist"])
    #expect(try await Trial.verdicts(steps) == [])
  }

  @Test func `a link, but no directory`() async throws {
    let steps = [
      "{ createDirectory: 'Library/Preferences/A' }",
      "{ link: 'Library/Preferences/l', to: 'Documents' }",
    ]
    #expect(
      try await Trial.verdicts(steps, promises)
        == ["undeclared-item warning 2 Library/Preferences/l"])
  }

  @Test func `nothing that is gone when the system acts`() async throws {
    let save = "{ save: 'Library/Preferences/a', size: 1 }"
    #expect(
      try await Trial.verdicts([save, "{ remove: 'Library/Preferences/a' }"], promises) == [])
  }
}
