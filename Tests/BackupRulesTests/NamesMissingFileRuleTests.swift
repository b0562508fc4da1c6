import BackupContainer
import BackupScenarios
import Foundation
import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `names-missing-file finds` {
  private let promises =
    "files: { 'Library/Preferences/**': 'critical', 'Documents/**': 'critical', '**': 'cached' }"
  /// A picture in the caches, and its name in the defaults.
  private let picture = [
    "{ save: 'Library/Caches/poster.jpg', size: 20 }", "{ setDefault: { latest: 'poster.jpg' } }",
  ]
  private let found = ["names-missing-file advice 2 Library/Caches/poster.jpg"]

  @Test(arguments: ["{ purge: 'lowStorage' }", "{ backup: 'b' }, { restore: 'b' }"])
  func `a name in the defaults of a file that is missing`(event: String) async throws {
    let findings = try await Trial.findings(picture + [event, "{ relaunch: {} }"], promises)
    #expect(findings.map(\.line) == found)
    #expect(findings.first?.message.contains("key 'latest'") == true)
  }

  @Test(arguments: ["plist", "sqlite"])
  func `a name in a property list or a database`(kind: String) async throws {
    let actions: AppActions = [
      "note": { action in
        let folder = action.container.documents
        let list = try PropertyListEncoder().encode(["posters": ["Posters/poster.jpg"]])
        let pages = Data("SQLite format 3\0".utf8) + Data(count: 84) + Data("poster.jpg2024".utf8)
        try (kind == "plist" ? list : pages).write(
          to: folder.appendingPathComponent("index.\(kind)"))
      }
    ]
    let transcript = try await Trial.transcript(
      [picture[0], "{ perform: 'note' }", "{ purge: 'lowStorage' }", "{ relaunch: {} }"], promises,
      runner: ScenarioRunner(actions: actions))
    #expect(RuleList.findings(in: transcript).map(\.line) == found)
  }

  @Test(arguments: [
    "{ save: 'Library/Caches/poster.jpg', size: 20 }", "{ setDefault: { latest: 'none' } }",
  ])
  func `nothing where the file is made again, or the name goes`(step: String) async throws {
    let steps = picture + ["{ purge: 'lowStorage' }", step]
    #expect(try await Trial.verdicts(steps, promises) == [])
  }

  @Test func `nothing while the app has not started since`() async throws {
    #expect(try await Trial.verdicts(picture + ["{ purge: 'lowStorage' }"], promises) == [])
  }

  @Test func `nothing where a finding says that the app reads it unchecked`() async throws {
    let steps = picture + ["{ purge: 'lowStorage' }", "{ read: 'Library/Caches/poster.jpg' }"]
    #expect(
      try await Trial.verdicts(steps, promises)
        == ["exists-before-use error 4 Library/Caches/poster.jpg"])
  }

  @Test func `nothing of an index that is in no backup`() async throws {
    let steps =
      picture + [
        "{ exclude: 'Library/Preferences' }", "{ purge: 'lowStorage' }", "{ relaunch: {} }",
      ]
    let verdicts = try await Trial.verdicts(steps, promises)
    #expect(!verdicts.contains { $0.hasPrefix("names-missing-file") }, "\(verdicts)")
  }
}
