import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `undeclared-item finds` {
  @Test func `a file that no pattern names, once`() async throws {
    let steps = [
      "{ save: 'Library/a.plist', size: 1 }", "{ backup: 'a' }", "{ backup: 'b' }",
    ]
    #expect(
      try await Trial.verdicts(steps, promises)
        == ["undeclared-item warning 1 Library/a.plist"])
    #expect(try await Trial.verdicts(steps) == [])
  }

  @Test func `no files of user defaults, which iOS keeps`() async throws {
    let steps = [
      "{ setDefault: { a: 1 } }", "{ save: 'Library/Preferences/suite.plist', size: 1 }",
      "{ createDirectory: 'group.x:/Library/Preferences' }",
      "{ save: 'group.x:/Library/Preferences/group.x.plist', size: 1 }",
    ]
    #expect(try await Trial.verdicts(steps, "app: { groups: ['group.x'] }, \(promises)") == [])
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

  @Test func `nothing that is gone when iOS acts`() async throws {
    let save = "{ save: 'Library/a', size: 1 }"
    #expect(
      try await Trial.verdicts([save, "{ remove: 'Library/a' }"], promises) == [])
  }

  @Test(
    arguments: [
      ("'Documents/app.sqlite': 'critical'", "Documents/app.sqlite", false),
      ("'Documents/*.sqlite': 'critical'", "Documents/*.sqlite", false),
      ("'Documents/**': 'critical'", "Documents/app.sqlite", true),
      ("'Documents/**': 'critical'", nil, false), ("'**/app.sqlite-wal': 'critical'", nil, false),
      ("'Documents/app.sqlite': 'support'", nil, false),
    ])
  func `an item with the name of a critical file, and the pattern of that file`(
    files: String, place: String?, isSaved: Bool
  ) async throws {
    let saved = isSaved ? ["{ save: 'Documents/app.sqlite', size: 1 }"] : []
    let findings = try await Trial.findings(
      saved + ["{ save: 'Library/Caches/app.sqlite', size: 1 }"], "files: { \(files) }")
    let advice = findings.filter { $0.rule == "undeclared-item" }.map(\.advice)
    let pattern =
      "add a pattern with its class: critical, support, offline, cached, temporary or secret"
    #expect(
      advice == [
        place.map {
          "the pattern '\($0)' declares a critical file of the same name: if this is that file, save "
            + "it where the pattern matches; if not, \(pattern)"
        } ?? pattern
      ])
  }
}
