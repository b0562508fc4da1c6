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
