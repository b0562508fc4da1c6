import BackupContainer
import BackupScenarios
import Foundation
import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `names-missing-file finds` {
  private let promises =
    "files: { 'Library/Preferences/**': 'critical', 'Documents/**': 'critical', '**': 'cached' }"
  /// Steps that save a picture in Caches and its name in the defaults.
  private let picture = [
    "{ save: 'Library/Caches/poster.jpg', size: 20 }", "{ setDefault: { latest: 'poster.jpg' } }",
  ]
  private let expectedLines = ["names-missing-file advice 2 Library/Caches/poster.jpg"]

  @Test(arguments: ["{ purge: 'lowStorage' }", "{ backup: 'b' }, { restore: 'b' }"])
  func `a name in the defaults of a file that is missing`(event: String) async throws {
    let findings = try await Trial.findings(picture + [event, "{ relaunch: {} }"], promises)
    #expect(findings.map(\.line) == expectedLines)
    #expect(findings.first?.message.contains("key 'latest'") == true)
  }

  @Test func `a name at the step that set its key, not at the step that created the list`()
    async throws
  {
    let findings = try await Trial.findings(
      ["{ setDefault: { first: 'word' } }"] + picture
        + ["{ setDefault: { last: 'word' } }", "{ purge: 'lowStorage' }", "{ relaunch: {} }"],
      promises)
    #expect(findings.map(\.line) == ["names-missing-file advice 3 Library/Caches/poster.jpg"])
    // A step of the scenario has set the key, so no code is named.
    #expect(findings.first?.note == nil)
  }

  /// Returns the findings if an app saves an index that names a picture, and iOS purges the
  /// picture.
  private func findings(_ name: String, _ contents: Data) async throws -> [Scenario.Finding] {
    let actions: AppActions = [
      "note": { try contents.write(to: $0.container.documents.appendingPathComponent(name)) }
    ]
    let transcript = try await Trial.transcript(
      [picture[0], "{ perform: 'note' }", "{ purge: 'lowStorage' }", "{ relaunch: {} }"], promises,
      runner: ScenarioRunner(actions: actions))
    return RuleList.findings(in: transcript)
  }

  @Test func `a name in a property list`() async throws {
    let list = try PropertyListEncoder().encode(["posters": ["Posters/poster.jpg"]])
    #expect(try await findings("index.plist", list).map(\.line) == expectedLines)
  }

  @Test func `a name in a database`() async throws {
    let pages = Data("SQLite format 3\0".utf8) + Data(count: 84) + Data("poster.jpg2024".utf8)
    #expect(try await findings("index.sqlite", pages).map(\.line) == expectedLines)
  }

  @Test(arguments: [
    #"[{ "title": null, "file": "poster.jpg" }]"#, #"{ "all": [{ "file": "P\/poster.jpg" }] }"#,
  ])
  func `a name in JSON`(text: String) async throws {
    let findings = try await findings("index.JSON", Data(text.utf8))
    #expect(findings.map(\.line) == expectedLines)
    let message = try #require(findings.first).message
    #expect(message.contains("file'"), "\(message)")
  }

  @Test(arguments: [
    #"["See poster.jpg"]"#, #"["big-poster.jpg"]"#, #"{ "poster.jpg": 1 }"#, #"["poster.jpg""#,
  ])
  func `nothing in JSON that only mentions the name, or is cut off`(text: String) async throws {
    #expect(try await findings("index.json", Data(text.utf8)).isEmpty)
  }

  @Test func `nothing if an existing item has the name`() async throws {
    let picture = [picture[0], "{ save: 'Documents/poster.jpg', size: 9 }", picture[1]]
    #expect(
      try await Trial.verdicts(picture + ["{ purge: 'lowStorage' }", "{ relaunch: {} }"], promises)
        == [])
  }

  /// The app is responsible for a file that it removes, however the file came back after the purge.
  @Test(arguments: [
    ["{ createDirectory: 'Library/Caches/p' }", "{ save: 'Library/Caches/p/a.jpg', size: 20 }"],
    [
      "{ createDirectory: 'tmp/p' }", "{ save: 'tmp/p/a.jpg', size: 20 }",
      "{ move: 'tmp/p', to: 'Library/Caches/p' }",
    ],
  ])
  func `nothing if the app creates the file again and then removes it`(again: [String])
    async throws
  {
    let saved = [
      "{ createDirectory: 'Library/Caches/p' }", "{ save: 'Library/Caches/p/a.jpg', size: 20 }",
      "{ setDefault: { latest: 'a.jpg' } }", "{ purge: 'lowStorage' }",
    ]
    let lastSteps = ["{ remove: 'Library/Caches/p' }", "{ relaunch: {} }"]
    #expect(
      try await Trial.findings(saved + ["{ relaunch: {} }"], promises).map(\.line)
        == ["names-missing-file advice 3 Library/Caches/p/a.jpg"])
    #expect(try await Trial.findings(saved + again + lastSteps, promises).map(\.line) == [])
  }

  @Test(arguments: [
    "{ save: 'Library/Caches/poster.jpg', size: 20 }", "{ setDefault: { latest: 'none' } }",
    "{ read: 'Library/Caches/poster.jpg', ifMissing: 'skip' }",
  ])
  func `nothing if the app creates the file again, checks for it or removes the name`(step: String)
    async throws
  {
    let steps = picture + ["{ purge: 'lowStorage' }", step]
    #expect(try await Trial.verdicts(steps, promises) == [])
  }

  @Test func `nothing on files beside a missing file for which the app checks`() async throws {
    let pictures = [
      "{ save: 'Library/Caches/other.jpg', size: 20 }", "{ setDefault: { other: 'other.jpg' } }",
    ]
    let checks = ["other", "none"].map { name in
      "{ read: 'Library/Caches/\(name).jpg', ifMissing: 'skip' }"
    }
    let purge = picture + pictures + ["{ purge: 'lowStorage' }"]
    #expect(try await Trial.verdicts(purge + [checks[0]], promises) == [])
    let findings = try await Trial.verdicts(purge + [checks[1]], promises)
    #expect(findings.count == 2, "\(findings)")
  }

  @Test func `nothing while the app has not started since`() async throws {
    #expect(try await Trial.verdicts(picture + ["{ purge: 'lowStorage' }"], promises) == [])
  }

  @Test func `nothing if a finding says that the app reads the file unchecked`() async throws {
    let steps = picture + ["{ purge: 'lowStorage' }", "{ read: 'Library/Caches/poster.jpg' }"]
    #expect(
      try await Trial.verdicts(steps, promises)
        == ["exists-before-use error 4 Library/Caches/poster.jpg"])
  }

  @Test func `nothing on an index that is in no backup`() async throws {
    let steps =
      picture + [
        "{ exclude: 'Library/Preferences' }", "{ purge: 'lowStorage' }", "{ relaunch: {} }",
      ]
    let findingLines = try await Trial.verdicts(steps, promises)
    #expect(!findingLines.contains { $0.hasPrefix("names-missing-file") }, "\(findingLines)")
  }
}
