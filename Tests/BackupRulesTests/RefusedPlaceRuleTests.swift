import BackupContainer
import BackupScenarios
import Foundation
import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `refused-place finds` {
  @Test func `a standard directory in other letters, and names it`() async throws {
    let findings = try await Trial.findings(["{ createDirectory: 'documents' }"])
    #expect(findings.map(\.line) == ["refused-place error 1 documents"])
    #expect(findings.first?.advice.contains("the directory is 'Documents'") == true)
  }

  @Test(
    arguments: [
      "{ save: 'notes.txt', size: 1 }", "{ createDirectory: 'notes.txt' }",
      "{ move: 'Documents/a', to: 'notes.txt' }", "{ copy: 'Documents/a', to: 'notes.txt' }",
      "{ link: 'notes.txt', to: 'Documents/a' }",
    ])
  func `an item created at the top of the container`(step: String) async throws {
    let steps = ["{ save: 'Documents/a', size: 1 }", step, "{ backup: 'b' }"]
    #expect(try await Trial.verdicts(steps) == ["refused-place error 2 notes.txt"])
  }

  @Test(
    arguments: [
      "{ save: 'Documents/Inbox/b', size: 1 }", "{ append: 'Documents/Inbox/a', size: 1 }",
      "{ save: 'Documents/Inbox/a', size: 1 }", "{ createDirectory: 'Documents/Inbox/b' }",
      "{ save: 'Documents/Inbox/a', size: 1, how: 'inPlace' }",
    ])
  func `a write to the Inbox, in every iOS version`(step: String) async throws {
    let place = "{ place: 'Documents/Inbox/a', size: 1 }"
    for system in ["5.0", "8", "26"] {
      let found = try await Trial.verdicts([place, step], "system: '\(system)'")
      #expect(found.map { $0.prefix(21) } == ["refused-place error 2"], "\(found)")
    }
  }

  @Test(arguments: ["Inbox", "Exports"])
  func `a save of app code in an Inbox that it created, if no call fails`(
    folder: String
  ) async throws {
    let actions: AppActions = [
      "save": { action in
        let folder = action.container.documents.appendingPathComponent(folder)
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try? Data([1]).write(to: folder.appendingPathComponent("a"))
      }
    ]
    let transcript = try await Trial.transcript(
      ["{ perform: 'save' }"], runner: ScenarioRunner(actions: actions))
    #expect(
      RuleList.findings(in: transcript).map(\.line)
        == (folder == "Inbox" ? ["refused-place error 1 Documents/Inbox/a"] : []))
  }

  @Test func `nothing more on the items below`() async throws {
    let found = try await Trial.verdicts(
      [
        "{ createDirectory: 'Exports' }", "{ save: 'Exports/a', size: 1 }", "{ backup: 'b' }",
        "{ save: 'Exports/a', size: 2 }", "{ backup: 'c' }",
      ], "files: { '**': 'critical' }")
    #expect(found == ["refused-place error 1 Exports"])
  }

  @Test(
    arguments: [
      "{ place: 'Exports/a', size: 1 }", "{ createDirectory: 'StoreKit' }",
      "{ save: 'Library/a', size: 1 }", "{ createDirectory: 'Documents/Inbox' }",
      "{ save: 'group.com.example:/a', size: 1 }", "{ remove: 'Documents/Inbox/a' }",
      "{ move: 'Documents/Inbox/a', to: 'Documents/a' }",
    ])
  func `nothing else`(step: String) async throws {
    let place = "{ place: 'Documents/Inbox/a', size: 1 }"
    #expect(
      try await Trial.verdicts([place, step], "app: { groups: ['group.com.example'] }") == [])
  }

  @Test func `nothing at the top of the container up to iOS 8`() async throws {
    let step = "{ save: 'notes.txt', size: 1 }"
    #expect(try await Trial.verdicts([step], "system: '8'") == [])
    #expect(
      try await Trial.verdicts([step], "system: '9'") == ["refused-place error 1 notes.txt"])
  }
}
