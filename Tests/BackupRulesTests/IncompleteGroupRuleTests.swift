import Testing
import TrialSupport

@testable import BackupRules

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
      try await Trial.verdicts(steps(sibling))
        == ["incomplete-group warning 2 Documents/a.db\(sibling)"])
  }

  @Test func `a file once, however often it is saved and backed up`() async throws {
    let saveAndBackUpAgain = ["{ save: 'Documents/a.db-wal', size: 2 }", "{ backup: 'c' }"]
    #expect(
      try await Trial.verdicts(steps("-wal") + saveAndBackUpAgain)
        == ["incomplete-group warning 2 Documents/a.db-wal"])
  }

  @Test func `nothing if both files are marked, or their directory`() async throws {
    let markSibling = "{ exclude: 'Documents/a.db-wal' }"
    #expect(
      try await Trial.verdicts(Array(steps("-wal").dropLast()) + [markSibling, "{ backup: 'b' }"])
        == [])
    #expect(try await Trial.verdicts(steps("-index")) == [])
    #expect(
      try await Trial.verdicts([
        "{ createDirectory: 'Documents/D' }", "{ exclude: 'Documents/D' }",
        "{ save: 'Documents/D/a.db', size: 1 }", "{ save: 'Documents/D/a.db-wal', size: 1 }",
        "{ exclude: 'Documents/D/a.db' }", "{ backup: 'b' }",
      ]) == [])
  }

  /// Steps that save a database, mark it, and make a directory beside it with two files in it.
  private func steps(_ database: String, with directory: String) -> [String] {
    [
      "{ createDirectory: 'Documents/\(directory)/D' }",
      "{ save: 'Documents/\(database)', size: 1 }", "{ exclude: 'Documents/\(database)' }",
      "{ save: 'Documents/\(directory)/D/1', size: 1 }",
      "{ save: 'Documents/\(directory)/D/2', size: 1 }", "{ backup: 'b' }",
    ]
  }

  @Test(arguments: ["Gallery.sqlite", "Gallery.store", "Gallery.db"])
  func `Core Data's directory of large values once, unless their class makes them errors`(
    store: String
  ) async throws {
    let steps = steps(store, with: ".Gallery_SUPPORT")
    #expect(
      try await Trial.verdicts(steps)
        == ["incomplete-group warning 1 Documents/.Gallery_SUPPORT"])
    #expect(
      try await Trial.verdicts(steps, "files: { 'Documents/**': 'offline' }") == [
        "recreatable-data-backed-up error 4 Documents/.Gallery_SUPPORT/D/1",
        "recreatable-data-backed-up error 5 Documents/.Gallery_SUPPORT/D/2",
      ])
  }

  @Test func `the directory of a store without an extension, known by its contents`() async throws {
    var steps = steps("Gallery", with: ".Gallery_SUPPORT")
    #expect(try await Trial.verdicts(steps) == [])
    steps[1] = "{ save: 'Documents/Gallery', contents: 'SQLite format 3\\u0000' }"
    #expect(
      try await Trial.verdicts(steps) == ["incomplete-group warning 1 Documents/.Gallery_SUPPORT"])
  }

  @Test func `no directory of another store, and none that is empty in the backup`() async throws {
    #expect(try await Trial.verdicts(steps("Gallery.sqlite", with: ".Other_SUPPORT")) == [])
    #expect(try await Trial.verdicts(steps("Gallery.sqlite", with: "Gallery_SUPPORT")) == [])
    var steps = steps("Gallery.sqlite", with: ".Gallery_SUPPORT")
    steps[3] = "{ exclude: 'Documents/.Gallery_SUPPORT/D' }"
    #expect(try await Trial.verdicts(steps) == [])
  }

  @Test func `CloudKit's directory beside a store`() async throws {
    #expect(
      try await Trial.verdicts(steps("Gallery.sqlite", with: "Gallery_ckAssets"))
        == ["incomplete-group warning 1 Documents/Gallery_ckAssets"])
  }

  @Test(arguments: ["a.v9.backup.realm", "a.realm.tmp_compaction_space"])
  func `Realm's copies of a database, and not what it marks itself`(copy: String) async throws {
    let directory = steps("a.realm", with: "a.realm.management")
    let siblings = [copy, "a.realm.lock", "a.realm.note"].map {
      "{ save: 'Documents/\($0)', size: 1 }"
    }
    #expect(
      try await Trial.verdicts(siblings + directory)
        == ["incomplete-group warning 1 Documents/\(copy)"])
  }

  @Test func `no lock beside another file`() async throws {
    let steps = [
      "{ save: 'Documents/a.db', size: 1 }", "{ save: 'Documents/a.db.lock', size: 1 }",
      "{ exclude: 'Documents/a.db' }", "{ backup: 'b' }",
    ]
    #expect(try await Trial.verdicts(steps) == [])
  }

  @Test func `nothing beside a critical database, which must not be marked`() async throws {
    #expect(
      try await Trial.verdicts(steps("-wal"), "files: { 'Documents/**': 'critical' }")
        == ["user-data-excluded error 3 Documents/a.db"])
  }
}
