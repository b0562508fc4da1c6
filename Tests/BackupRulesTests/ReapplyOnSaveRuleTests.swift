import BackupDevice
import Testing
import TrialSupport

@testable import BackupDiagnostics
@testable import BackupRules
@testable import BackupScenarios

@Suite struct `reapply-on-save finds` {
  private static let movie = "\(support)/Movies/1.mp4"
  private static let save = "{ save: '\(movie)', size: '8 MB' }"
  private static let saveInPlace = "{ save: '\(movie)', size: '8 MB', how: 'inPlace' }"
  private static let mark = "{ exclude: '\(movie)' }"
  private static let backup = "{ backup: 'b' }"

  /// Returns the expected findings: an error or a warning at a step.
  private func error(at step: Int) -> [String] { ["reapply-on-save error \(step) \(Self.movie)"] }
  private func warning(at step: Int) -> [String] {
    ["reapply-on-save warning \(step) \(Self.movie)"]
  }

  @Test(arguments: ["a.realm", "a.sqlite", "a.db"])
  func `no database that a library writes in place, but one that is replaced`(
    name: String
  ) async throws {
    let save = "{ save: 'Documents/\(name)', size: 4096 }"
    let inPlace = "{ save: 'Documents/\(name)', size: 8192, how: 'inPlace' }"
    let mark = "{ exclude: 'Documents/\(name)' }"
    #expect(try await Trial.verdicts([save, mark, inPlace, "{ backup: 'b' }"]) == [])
    #expect(
      try await Trial.verdicts([save, mark, save, "{ backup: 'b' }"])
        == ["reapply-on-save error 3 Documents/\(name)"])
  }

  @Test(
    arguments: [
      save, "{ save: '\(movie)', size: 1, how: 'deleteFirst' }",
      "{ move: 'tmp/new', to: '\(movie)', over: true }",
    ])
  func `a marked file replaced and not marked again`(loss: String) async throws {
    let steps = ["{ save: 'tmp/new', size: 1 }"] + markedMovie
    #expect(try await Trial.verdicts(steps + [loss, Self.backup]) == error(at: 5))
    #expect(try await Trial.verdicts(steps + [loss]) == error(at: 5))
  }

  @Test func `a marked file removed and created again`() async throws {
    let steps = markedMovie + ["{ remove: '\(Self.movie)' }", "{ backup: 'a' }", Self.save]
    let findings = try await Trial.findings(steps + [Self.backup])
    #expect(findings.map(\.line) == error(at: 6))
    #expect(
      findings.first?.message
        == "'\(Self.movie)' lost its mark in step 6: the app created it again, and did not mark "
        + "it. The backup \"b\" contains it")
  }

  @Test func `nothing if the app sets the mark again before iOS acts`() async throws {
    #expect(
      try await Trial.verdicts(markedMovie + [Self.save, Self.save, Self.mark, Self.backup]) == [])
    #expect(
      try await Trial.verdicts(markedMovie + [Self.saveInPlace, Self.mark, Self.backup]) == [])
  }

  @Test func `nothing if the app marks everything at its start`() async throws {
    #expect(
      try await Trial.verdicts(
        savedMovie + ["{ relaunch: {} }", Self.save, "{ relaunch: {} }", Self.backup],
        "launch: [{ createDirectory: '\(support)/Movies' }, "
          + "{ read: '\(Self.movie)', ifMissing: 'recreate', size: 1, throws: false }]") == [])
    #expect(
      try await Trial.verdicts(
        ["{ createDirectory: 'Documents/A' }"] + [
          "{ save: 'Documents/A/a', size: 1 }", "{ relaunch: {} }",
          "{ save: 'Documents/A/a', size: 2 }", "{ relaunch: {} }", Self.backup,
        ],
        "launch: [{ createDirectory: 'Documents/A' }, { exclude: 'Documents/A' }]") == [])
  }

  @Test func `nothing on a directory that is empty, until something is in it`() async throws {
    let make = "{ createDirectory: 'Documents/A' }"
    let recreatedDirectory = [
      make, "{ exclude: 'Documents/A' }", "{ remove: 'Documents/A' }", make, Self.backup,
    ]
    #expect(try await Trial.verdicts(recreatedDirectory) == [])
    #expect(
      try await Trial.verdicts(recreatedDirectory + ["{ save: 'Documents/A/a', size: 1 }"])
        == ["reapply-on-save error 4 Documents/A"])
  }

  @Test func `a mark that survived by luck, as a warning`() async throws {
    let findings = try await Trial.findings(markedMovie + [Self.saveInPlace, Self.backup])
    #expect(findings.map(\.line) == warning(at: 4))
    #expect(findings.first?.message.contains("Apple does not promise") == true)
    #expect(
      try await Trial.verdicts(markedMovie + ["{ append: '\(Self.movie)', size: 1 }"])
        == warning(at: 4))
  }

  @Test func `a mark that survives one save and is lost in the next, as one error`() async throws {
    #expect(
      try await Trial.verdicts(markedMovie + [Self.saveInPlace, Self.save, Self.backup])
        == error(at: 5))
  }

  @Test func `the first of several saves, once for all backups`() async throws {
    let steps = markedMovie + [Self.save, "{ backup: 'a' }", Self.save, "{ backup: 'b' }"]
    let findings = try await Trial.findings(steps)
    #expect(findings.map(\.line) == error(at: 4))
    #expect(findings.first?.message.hasSuffix("The backups \"a\" and \"b\" contain it") == true)
  }

  @Test func `nothing once the mark is cleared`() async throws {
    #expect(
      try await Trial.verdicts(
        markedMovie + ["{ include: '\(Self.movie)' }", Self.save, Self.backup]) == [])
  }

  @Test func `nothing of the user's own, which must have no mark`() async throws {
    let steps =
      markedMovie + ["{ copy: '\(Self.movie)', to: 'Documents/a' }"]
      + ["{ save: 'Documents/a', size: 2 }", Self.backup]
    let loss = ["reapply-on-save error 5 Documents/a"]
    #expect(try await Trial.verdicts(steps) == loss)
    for (dataClass, found) in [("critical", []), ("offline", loss)] {
      let files = "files: { 'Documents/**': '\(dataClass)', '**': 'offline' }"
      #expect(try await Trial.verdicts(steps, files) == found)
    }
  }

  @Test func `nothing if the app removes the mark, saves the file and sets the mark again`()
    async throws
  {
    #expect(
      try await Trial.verdicts(
        markedMovie + ["{ include: '\(Self.movie)' }", Self.saveInPlace, Self.mark, Self.backup])
        == [])
  }

  @Test func `nothing inside a marked directory`() async throws {
    let steps = savedMovie + ["{ exclude: '\(support)/Movies' }", Self.mark, Self.save]
    #expect(try await Trial.verdicts(steps + [Self.backup]) == [])
  }

  @Test func `nothing on items in purgeable places`() async throws {
    let save = "{ save: 'Library/Caches/a', size: 1 }"
    #expect(
      try await Trial.verdicts([save, "{ exclude: 'Library/Caches/a' }", save, Self.backup]) == [])
  }

  @Test func `nothing on an item that is gone when iOS acts`() async throws {
    #expect(
      try await Trial.verdicts(
        markedMovie + [Self.save, "{ remove: '\(Self.movie)' }", Self.backup]) == [])
  }

  @Test func `a moved or copied file with a mark, only if it is saved again`()
    async throws
  {
    for verb in ["move", "copy"] {
      let away = markedMovie + ["{ \(verb): '\(Self.movie)', to: 'Documents/m' }"]
      #expect(try await Trial.verdicts(away + [Self.backup]) == [])
      #expect(
        try await Trial.verdicts(away + ["{ save: 'Documents/m', size: 1 }", Self.backup])
          == ["reapply-on-save error 5 Documents/m"])
    }
  }

  @Test func `a lost mark of an item that was moved later`() async throws {
    #expect(
      try await Trial.verdicts(
        markedMovie + [Self.save, "{ move: '\(Self.movie)', to: 'Documents/m' }", Self.backup])
        == ["reapply-on-save error 4 Documents/m"])
  }

  @Test func `a marked directory created again, which explains the files in it`() async throws {
    let folder = "\(support)/Movies"
    let findings = try await Trial.verdicts(
      savedMovie + [
        Self.mark, "{ exclude: '\(folder)' }", "{ backup: 'a' }", "{ restore: 'a' }",
        "{ createDirectory: '\(folder)' }", Self.save, Self.backup,
      ], "files: { 'Library/**': 'offline' }")
    #expect(findings == ["reapply-on-save error 7 \(folder)"])
  }

  @Test func `a file marked both ways that loses both`() async throws {
    let markedBothWays = markedMovie + ["{ exclude: '\(Self.movie)', using: 'extendedAttribute' }"]
    #expect(try await Trial.verdicts(markedBothWays + [Self.save, Self.backup]) == error(at: 5))
    #expect(try await Trial.verdicts(markedBothWays + [Self.backup]) == [])
    #expect(
      try await Trial.verdicts(markedBothWays + ["{ include: '\(Self.movie)' }", Self.saveInPlace])
        .count
        == 1)
  }

  @Test func `a lost mark of an old iOS version, when iOS is updated`() async throws {
    let mark = "{ exclude: '\(Self.movie)', using: 'extendedAttribute' }"
    #expect(
      try await Trial.verdicts(
        savedMovie + [mark, Self.save, "{ updateSystem: '9' }"], "system: '5.0.1'") == error(at: 4))
  }

  @Test func `a reason, with advice and sources`() async throws {
    let finding = try #require(try await Trial.findings(markedMovie + [Self.save]).first)
    #expect(
      finding.message
        == "'\(Self.movie)' lost its mark in step 4: a new item replaced the marked one, and the app "
        + "did not mark it")
    #expect(finding.advice.contains("after every save"))
    #expect(finding.sources == [.appleResourceKey, .appleOptimizing, .eidinger, .swiftFoundation])
    #expect(finding.step.position.line == 5)
  }

  @Test func `a directory created again, only if a file in it has no mark of its own`()
    async throws
  {
    let (make, mark) = ("{ createDirectory: 'Documents/D' }", "{ exclude: 'Documents/D' }")
    let saved = ["{ save: 'Documents/D/a', size: 1 }", "{ exclude: 'Documents/D/a' }"]
    let steps = [make, mark, "{ remove: 'Documents/D' }", make] + saved
    #expect(try await Trial.verdicts(steps + [Self.backup]) == [])
    let findings = try await Trial.findings(
      steps + ["{ save: 'Documents/D/b', size: 1 }", Self.backup])
    #expect(findings.map(\.line) == ["reapply-on-save error 4 Documents/D"])
    #expect(
      findings.first?.advice
        == "mark the directory again with isExcludedFromBackup each time it is created")
  }
}
