import BackupContainer
import BackupScenarios
import Foundation
import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `user-data-excluded finds` {
  private let save = "{ save: 'Documents/a', size: 1 }"

  @Test func `a critical file marked, at the step that marked it`() async throws {
    let findings = try await Trial.findings(
      [save, "{ exclude: 'Documents/a' }", "{ backup: 'b' }", "{ backup: 'c' }"], promises)
    #expect(findings.map(\.line) == ["user-data-excluded error 2 Documents/a"])
    #expect(
      findings.first?.message
        == "'Documents/a' is the user's own, but the backup \"b\" leaves it out: it has a mark of its own"
    )
    #expect(findings.first?.sources.isEmpty == false)
  }

  @Test func `nothing that Realm marks beside its database, even if the database is gone`()
    async throws
  {
    let notes = "Documents/n.realm"
    let steps = [
      "{ createDirectory: '\(notes).management' }", "{ exclude: '\(notes).management' }",
      "{ save: '\(notes).management/x', size: 1 }", "{ save: '\(notes).lock', size: 1 }",
      "{ exclude: '\(notes).lock' }", "{ save: '\(notes).note', size: 1 }",
      "{ exclude: '\(notes).note' }",
    ]
    let backup = "{ backup: 'b' }"
    let save = "{ save: '\(notes)', size: 1 }"
    #expect(try await Trial.verdicts([save] + steps + [backup], promises) == [])
    #expect(try await Trial.verdicts(steps + [backup], promises) == [])
    #expect(
      try await Trial.verdicts([save, "{ exclude: '\(notes)' }", backup], promises)
        == ["user-data-excluded error 2 \(notes)"])
  }

  @Test func `files that Core Data keeps beside a store of the user's, even if no pattern matches`()
    async throws
  {
    let values = "Documents/.notes_SUPPORT/_EXTERNAL_DATA"
    let steps = [
      "{ save: 'Documents/notes.sqlite', size: 1 }", "{ createDirectory: '\(values)' }",
      "{ save: '\(values)/59D1F1C3', size: 1 }",
    ]
    let critical = "files: { '**/*.sqlite': 'critical' }"
    #expect(try await Trial.verdicts(steps + ["{ backup: 'b' }"], critical) == [])
    #expect(
      try await Trial.verdicts(
        steps + ["{ exclude: 'Documents/.notes_SUPPORT' }", "{ backup: 'b' }"], critical)
        == ["user-data-excluded error 4 \(values)/59D1F1C3"])
  }

  @Test func `a critical file in a marked directory`() async throws {
    #expect(
      try await Trial.verdicts(
        [
          "{ createDirectory: 'Documents/D' }", "{ exclude: 'Documents/D' }",
          "{ save: 'Documents/D/a', size: 1 }", "{ backup: 'b' }",
        ], promises) == ["user-data-excluded error 2 Documents/D/a"])
  }

  /// Returns the findings if the app replaces a directory by a link, and two backups follow.
  private func findings(
    linking directory: String = "Documents", to target: String,
    _ promises: String = "files: { 'Documents/*.txt': 'critical' }"
  ) async throws -> [Scenario.Finding] {
    var actions = AppActions()
    actions.bind("link") { action in
      let url = action.container.url.appending(path: directory)
      try FileManager.default.removeItem(at: url)
      try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: target)
    }
    let transcript = try await Trial.transcript(
      ["{ perform: 'link' }", "{ backup: 'b' }", "{ backup: 'c' }"], promises,
      runner: ScenarioRunner(actions: actions))
    return RuleList.findings(in: transcript).filter { $0.rule == "user-data-excluded" }
  }

  @Test(arguments: ["/nowhere/at all", "../elsewhere", "Library/../../elsewhere"])
  func `a link out of the container in the place of the user's own directory, once`(
    target: String
  ) async throws {
    let findings = try await findings(to: target)
    #expect(findings.map(\.line) == ["user-data-excluded error 1 Documents"])
    #expect(
      findings.first?.message
        == "'Documents' is a link that leads out of the container, so the user's files there are "
        + "not in the backup \"b\"")
  }

  @Test(
    arguments: [
      ("Library/Preferences", "../../elsewhere", "'**': 'critical'", true),
      ("Library/Preferences", "../elsewhere", "'**': 'critical'", false),
      ("Library/Preferences", "/elsewhere", "'Library/**': 'critical'", true),
      ("Library/Preferences", "/elsewhere", "'Library/Preferences/own/*': 'critical'", true),
      ("Library/Caches", "/elsewhere", "'Library/Caches/**': 'cached', '**': 'critical'", false),
      ("Documents", "/elsewhere", "'Library/**': 'critical'", false),
    ])
  func `a link out of the container, only in a place of the user's files`(
    directory: String, target: String, promises: String, isFound: Bool
  ) async throws {
    let findings = try await findings(linking: directory, to: target, "files: { \(promises) }")
    #expect(
      findings.map(\.line) == (isFound ? ["user-data-excluded error 1 \(directory)"] : []))
  }

  @Test(arguments: ["Library/Own", "./Library/Application Support/../Own"])
  func `nothing at a link within the container`(target: String) async throws {
    #expect(try await findings(to: target).isEmpty)
  }

  @Test func `nothing at a link out of the container in a place without the user's files`()
    async throws
  {
    let findings = try await findings(to: "/nowhere", "files: { 'Documents/**': 'offline' }")
    #expect(findings.isEmpty)
  }

  @Test(arguments: ["copy", "move"])
  func `nothing if a moved or copied folder contains the remnant of a killed save`(
    verb: String
  ) async throws {
    let steps = [
      "{ createDirectory: 'Documents/D' }",
      "{ save: 'Documents/D/a', size: 1, killed: { before: 'rename' } }",
      "{ save: 'Documents/D/a', size: 1 }", "{ \(verb): 'Documents/D', to: 'Documents/E' }",
      "{ backup: 'b' }",
    ]
    #expect(try await Trial.verdicts(steps, promises) == [])
    let saveWithRemnantName = "{ save: 'Documents/E/.dat.nosync0', size: 1 }"
    #expect(
      try await Trial.verdicts(
        steps.dropLast() + [saveWithRemnantName, "{ backup: 'b' }"], promises)
        == ["user-data-excluded error 5 Documents/E/.dat.nosync0"])
  }

  @Test func `one of many critical files in a marked directory, because they have one cause`()
    async throws
  {
    #expect(
      try await Trial.verdicts(
        [
          "{ createDirectory: 'Documents/D/E' }", "{ save: 'Documents/D/b', size: 1 }",
          "{ save: 'Documents/D/E/a', size: 1 }", "{ exclude: 'Documents/D' }",
          "{ backup: 'b' }", "{ save: 'Documents/D/c', size: 1 }", "{ backup: 'c' }",
        ], promises) == ["user-data-excluded error 4 Documents/D/E/a"])
  }

  @Test func `each mark on the user's data, even if a mark on the directory above was removed`()
    async throws
  {
    #expect(
      try await Trial.verdicts(
        [
          save, "{ exclude: 'Documents' }", "{ backup: 'b' }", "{ updateApp: '2.0' }",
          "{ include: 'Documents' }", "{ exclude: 'Documents/a' }", "{ backup: 'c' }",
        ], promises) == [
          "system-directory-marked error 2 Documents", "user-data-excluded error 6 Documents/a",
        ])
  }

  @Test func `a critical file with a name that no backup contains, at the step that saved it`()
    async throws
  {
    let path = "Documents/.dat.nosync1"
    #expect(
      try await Trial.verdicts(["{ save: '\(path)', size: 1 }", "{ backup: 'b' }"], promises)
        == ["user-data-excluded error 1 \(path)"])
  }

  @Test func `nothing if the mark is removed before the backup`() async throws {
    #expect(
      try await Trial.verdicts(
        [save, "{ exclude: 'Documents/a' }", "{ include: 'Documents/a' }", "{ backup: 'b' }"],
        promises) == [])
  }

  @Test func `nothing without a backup or a declared class`() async throws {
    #expect(try await Trial.verdicts([save, "{ exclude: 'Documents/a' }"], promises) == [])
    #expect(
      try await Trial.verdicts([save, "{ exclude: 'Documents/a' }", "{ backup: 'b' }"]) == [])
  }

  @Test func `the only problem, even if an update loses the file and the app then reads it`()
    async throws
  {
    #expect(
      try await Trial.verdicts(
        [
          "{ place: 'B/c', size: 1 }", "{ relaunch: {} }", "{ backup: 'b' }", "{ updateApp: '2' }",
          "{ read: 'B/c' }",
        ], "files: { '**': 'critical' }") == ["user-data-excluded error 1 B/c"])
  }

  @Test func `the only problem, even for the files beside a database`() async throws {
    #expect(
      try await Trial.verdicts(
        [
          "{ save: 'Documents/a.sqlite', contents: 'SQLite format 3\\u0000' }",
          "{ save: 'Documents/a.sqlite-wal', size: 9 }", "{ exclude: 'Documents/a.sqlite' }",
          "{ backup: 'b' }", "{ restore: 'b' }", "{ read: 'Documents/a.sqlite' }",
          "{ read: 'Documents/a.sqlite-wal' }",
        ], promises) == ["user-data-excluded error 3 Documents/a.sqlite"])
  }
}
