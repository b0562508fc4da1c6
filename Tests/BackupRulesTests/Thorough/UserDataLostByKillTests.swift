import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios

@Suite struct `user-data-lost after a kill finds` {
  /// What the app promises, and what it does at each of its starts.
  private func other(_ launch: String = "") -> String {
    "files: { 'Documents/**': 'critical', '**': 'cached' }, launch: [\(launch)]"
  }

  private let save = "{ save: 'Documents/a', contents: 'old' }"
  private let found = ["user-data-lost error 2 Documents/a"]

  /// A step in which the app is killed.
  private func killed(_ step: String, before kind: String) -> String {
    "{ \(step), killed: { before: '\(kind)' } }"
  }

  @Test(arguments: [
    ("save: 'Documents/a', contents: 'newer', how: 'inPlace'", "write"),
    ("save: 'Documents/a', contents: 'newer', how: 'deleteFirst'", "create"),
    ("save: 'Documents/a', contents: 'newer', how: 'deleteFirst'", "write"),
  ])
  func `a file that is gone or empty`(step: String, kind: String) async throws {
    #expect(try await Trial.verdicts([save, killed(step, before: kind)], other()) == found)
  }

  @Test(arguments: [
    ("save: 'Documents/a', contents: 'newer', how: 'inPlace'", "create"),
    ("save: 'Documents/a', contents: 'newer'", "rename"),
    ("save: 'Documents/a', contents: 'newer'", "write"),
    ("append: 'Documents/a', contents: 'er'", "write"),
    ("remove: 'Documents/a'", "remove"),
    ("move: 'Documents/a', to: 'Documents/b'", "rename"),
    ("save: 'Documents/b', contents: 'b', how: 'inPlace'", "write"),
    ("exclude: 'Documents/a'", "mark"),
  ])
  func `nothing where it is as it was`(step: String, kind: String) async throws {
    #expect(try await Trial.verdicts([save, killed(step, before: kind)], other()) == [])
  }

  @Test func `a file that was to be moved into the place of one that was removed`() async throws {
    let steps = [
      save, "{ save: 'tmp/a', contents: 'new' }", "{ remove: 'Documents/a' }",
      killed("move: 'tmp/a', to: 'Documents/a'", before: "rename"), "{ remove: 'tmp/a' }",
    ]
    #expect(try await Trial.verdicts(steps, other()) == ["user-data-lost error 4 Documents/a"])
  }

  @Test func `nothing where a file takes its place that was there before, as a log does`()
    async throws
  {
    let steps = [
      save, "{ save: 'Documents/b', contents: 'newer' }", "{ remove: 'Documents/a' }",
      killed("move: 'Documents/b', to: 'Documents/a'", before: "rename"),
    ]
    #expect(try await Trial.verdicts(steps, other()) == [])
  }

  @Test(arguments: ["", "{ relaunch: {} }"])
  func `nothing of a file that an earlier activity had removed`(ending: String) async throws {
    let steps =
      [save, "{ remove: 'Documents/a' }", ending].filter { !$0.isEmpty }
      + [killed("save: 'Documents/a', contents: 'new'", before: "rename")]
    // Without an end of the app between them the removal is a part of the save.
    let isFound = ending.isEmpty
    #expect(
      try await Trial.verdicts(steps, other())
        == (isFound ? ["user-data-lost error 3 Documents/a"] : []))
  }

  @Test func `nothing where the next start puts it right, and what it does not`() async throws {
    let step = killed("save: 'Documents/a', contents: 'new', how: 'deleteFirst'", before: "create")
    func verdicts(_ launch: String) async throws -> [String] {
      try await Trial.verdicts([save, step, "{ relaunch: {} }"], other(launch))
    }
    #expect(
      try await verdicts("{ read: 'Documents/a', ifMissing: 'recreate', contents: 'old' }") == [])
    #expect(try await verdicts("{ read: 'tmp/x', ifMissing: 'skip' }") == found)
  }

  @Test func `nothing of a database, nor of what was promised otherwise`() async throws {
    let header = "SQLite format 3\\u0000"
    let steps = [
      "{ save: 'Documents/a', contents: '\(header)' }",
      killed("save: 'Documents/a', contents: '\(header)b', how: 'inPlace'", before: "write"),
    ]
    #expect(try await Trial.verdicts(steps, other()) == [])
    let cached = ["{ save: 'Library/Caches/a', contents: 'old' }"]
    let step = killed("save: 'Library/Caches/a', contents: 'new', how: 'inPlace'", before: "write")
    #expect(try await Trial.verdicts(cached + [step], other()) == [])
  }
}

@Suite struct `user-data-lost after a kill passes over what an earlier kill has left of a save` {
  private let files = "files: { 'Documents/**': 'critical' }"

  @Test func `in the place of which a later save writes`() async throws {
    let steps = [
      "{ save: 'Documents/a', contents: 'old', killed: { before: 'rename' } }",
      "{ save: 'Documents/a', contents: 'old' }", "{ remove: 'Documents/a' }",
      "{ save: 'Documents/b', contents: 'other', killed: { before: 'write' } }",
    ]
    #expect(try await Trial.verdicts(steps, files) == [])
  }
}
