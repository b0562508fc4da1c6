import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `exists-before-set finds` {
  @Test func `a mark on a path where nothing is, caught or not`() async throws {
    for failure in ["", ", throws: true"] {
      #expect(
        try await Trial.verdicts(["{ exclude: 'Documents/a'\(failure) }"])
          == ["exists-before-set error 1 Documents/a"])
    }
  }

  @Test func `the cause of what is then backed up`() async throws {
    #expect(
      try await Trial.verdicts(
        ["{ exclude: 'Documents/a' }", "{ save: 'Documents/a', size: 1 }", "{ backup: 'b' }"],
        "files: { 'Documents/**': 'offline' }") == ["exists-before-set error 1 Documents/a"])
  }

  @Test func `clearing a mark of nothing too`() async throws {
    #expect(
      try await Trial.verdicts(["{ include: 'Documents/a' }"])
        == ["exists-before-set error 1 Documents/a"])
  }
}

@Suite struct `mark-unavailable finds` {
  private let steps = ["{ save: 'Documents/a', size: 1 }", "{ exclude: 'Documents/a' }"]

  @Test(arguments: ["5.0", "5.0.1"])
  func `the resource value before iOS 5.1`(system: String) async throws {
    let findings = try await Trial.findings(steps + ["{ backup: 'b' }"], "system: '\(system)'")
    #expect(findings.map(\.line) == ["mark-unavailable error 2 Documents/a"])
    #expect(
      findings.first?.message == "iOS \(system) has no resourceValue to mark 'Documents/a' with")
    #expect(
      findings.first?.advice.hasSuffix(
        system == "5.0"
          ? "keep the data in Library/Caches on this system" : "use the extendedAttribute there")
        == true)
  }

  @Test func `nothing from 5.1 on, nor in an app that copes`() async throws {
    #expect(try await Trial.verdicts(steps, "system: '5.1'") == [])
    let caught = [steps[0], "{ exclude: 'Documents/a', throws: 'unavailable' }"]
    #expect(try await Trial.verdicts(caught, "system: '5.0'") == [])
  }
}

@Suite struct `system-directory-marked finds` {
  @Test(
    arguments: ["Documents", "Library", "Library/Caches", "Library/Preferences", "tmp", support])
  func `a standard directory`(path: String) async throws {
    let steps = ["{ createDirectory: '\(path)' }", "{ exclude: '\(path)' }"]
    #expect(
      try await Trial.verdicts(steps + steps) == ["system-directory-marked error 2 \(path)"])
  }

  @Test func `the cause of what is then left out`() async throws {
    #expect(
      try await Trial.verdicts(
        ["{ save: 'Documents/a', size: 1 }", "{ exclude: 'Documents' }", "{ backup: 'b' }"],
        "files: { 'Documents/**': 'critical' }") == ["system-directory-marked error 2 Documents"])
  }

  @Test func `no directory of the app's own of such a name`() async throws {
    let path = "Documents/Library"
    #expect(
      try await Trial.verdicts(["{ createDirectory: '\(path)' }", "{ exclude: '\(path)' }"]) == [])
  }
}

@Suite struct `deprecated-mark finds` {
  private let save = "{ save: 'Documents/a', size: 1 }"
  private let old = "{ exclude: 'Documents/a', using: 'extendedAttribute' }"

  @Test func `the extended attribute alone, from 5.1 on`() async throws {
    let warning = ["deprecated-mark warning 2 Documents/a"]
    for system in ["5.1", "26"] {
      #expect(try await Trial.verdicts([save, old], "system: '\(system)'") == warning)
    }
    for system in ["5.0", "5.0.1"] {
      #expect(try await Trial.verdicts([save, old], "system: '\(system)'") == [])
    }
  }

  @Test func `nothing where the new mark is set too, before the system acts`() async throws {
    let new = "{ exclude: 'Documents/a' }"
    #expect(try await Trial.verdicts([save, old, new]) == [])
    #expect(try await Trial.verdicts([save, new, old]) == [])
    #expect(try await Trial.verdicts([save, old, "{ backup: 'b' }", new]).count == 1)
  }

  @Test func `the mark after its item was moved, at the step that set it`() async throws {
    #expect(
      try await Trial.verdicts([save, old, "{ move: 'Documents/a', to: 'Documents/b' }"])
        == ["deprecated-mark warning 2 Documents/b"])
    #expect(try await Trial.verdicts([save, old, "{ remove: 'Documents/a' }"]) == [])
    #expect(
      try await Trial.verdicts([
        "{ createDirectory: 'Documents/D' }", "{ save: 'Documents/D/a', size: 1 }",
        "{ exclude: 'Documents/D/a', using: 'extendedAttribute' }",
        "{ move: 'Documents/D', to: 'Documents/E' }",
      ]) == ["deprecated-mark warning 3 Documents/E/a"])
  }

  @Test func `the mark once, however often it is set or its item replaced`() async throws {
    let warning = ["deprecated-mark warning 2 Documents/a"]
    let replace = [
      "{ save: 'tmp/a', size: 1 }", "{ move: 'tmp/a', to: 'Documents/a', over: true }",
    ]
    #expect(try await Trial.verdicts([save, old, old]) == warning)
    #expect(try await Trial.verdicts([save, old] + replace) == warning)
  }
}

@Suite struct `incomplete-group finds` {
  /// Steps that save a database with a file beside it and mark the database.
  private func steps(_ sibling: String) -> [String] {
    [
      "{ save: 'Documents/a.db', size: 1 }", "{ save: 'Documents/a.db\(sibling)', size: 1 }",
      "{ exclude: 'Documents/a.db' }", "{ backup: 'b' }",
    ]
  }

  @Test(arguments: ["-wal", "-shm", "-journal"])
  func `a file beside a marked database that is not marked`(sibling: String) async throws {
    #expect(
      try await Trial.verdicts(steps(sibling), "files: { 'Documents/**': 'support' }")
        == ["incomplete-group warning 2 Documents/a.db\(sibling)"])
  }

  @Test func `a file once, however often it is saved and backed up`() async throws {
    let again = ["{ save: 'Documents/a.db-wal', size: 2 }", "{ backup: 'c' }"]
    #expect(
      try await Trial.verdicts(steps("-wal") + again)
        == ["incomplete-group warning 2 Documents/a.db-wal"])
  }

  @Test func `nothing beside a marked file that is no database`() async throws {
    let steps = [
      "{ save: 'Documents/diary', size: 1 }", "{ save: 'Documents/diary-journal', size: 1 }",
      "{ exclude: 'Documents/diary' }", "{ backup: 'b' }",
    ]
    #expect(try await Trial.verdicts(steps) == [])
    let database = "{ save: 'Documents/diary', contents: 'SQLite format 3\\u0000' }"
    #expect(
      try await Trial.verdicts([database] + steps.dropFirst())
        == ["incomplete-group warning 2 Documents/diary-journal"])
  }

  @Test func `nothing where both are marked, or the directory`() async throws {
    let both = "{ exclude: 'Documents/a.db-wal' }"
    #expect(
      try await Trial.verdicts(Array(steps("-wal").dropLast()) + [both, "{ backup: 'b' }"]) == [])
    #expect(try await Trial.verdicts(steps("-index")) == [])
    #expect(
      try await Trial.verdicts([
        "{ createDirectory: 'Documents/D' }", "{ exclude: 'Documents/D' }",
        "{ save: 'Documents/D/a.db', size: 1 }", "{ save: 'Documents/D/a.db-wal', size: 1 }",
        "{ exclude: 'Documents/D/a.db' }", "{ backup: 'b' }",
      ]) == [])
  }
}
