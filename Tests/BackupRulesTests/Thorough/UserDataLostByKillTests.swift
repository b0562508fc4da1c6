import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios

@Suite struct `user-data-lost after a kill finds` {
  /// Returns the scenario's other keys: the classes, and the steps at each start of the app.
  private func otherKeys(_ launch: String = "") -> String {
    "files: { 'Documents/**': 'critical', '**': 'cached' }, launch: [\(launch)]"
  }

  private let save = "{ save: 'Documents/a', contents: 'old' }"
  private let expectedFindings = ["user-data-lost error 2 Documents/a"]

  /// Returns a step in which the app is killed.
  private func killed(_ step: String, before kind: String) -> String {
    "{ \(step), killed: { before: '\(kind)' } }"
  }

  @Test(arguments: [
    ("save: 'Documents/a', contents: 'newer', how: 'inPlace'", "write"),
    ("save: 'Documents/a', contents: 'newer', how: 'deleteFirst'", "create"),
    ("save: 'Documents/a', contents: 'newer', how: 'deleteFirst'", "write"),
  ])
  func `a file that is gone or empty`(step: String, kind: String) async throws {
    #expect(
      try await Trial.verdicts([save, killed(step, before: kind)], otherKeys()) == expectedFindings)
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
  func `nothing if the file is unchanged`(step: String, kind: String) async throws {
    #expect(try await Trial.verdicts([save, killed(step, before: kind)], otherKeys()) == [])
  }

  @Test func `a removed file whose replacement is not yet in its place`() async throws {
    let steps = [
      save, "{ save: 'tmp/a', contents: 'new' }", "{ remove: 'Documents/a' }",
      killed("move: 'tmp/a', to: 'Documents/a'", before: "rename"), "{ remove: 'tmp/a' }",
    ]
    #expect(try await Trial.verdicts(steps, otherKeys()) == ["user-data-lost error 4 Documents/a"])
  }

  @Test func `nothing if an older file was to take its place, as with logs`()
    async throws
  {
    let steps = [
      save, "{ save: 'Documents/b', contents: 'newer' }", "{ remove: 'Documents/a' }",
      killed("move: 'Documents/b', to: 'Documents/a'", before: "rename"),
    ]
    #expect(try await Trial.verdicts(steps, otherKeys()) == [])
  }

  @Test(arguments: ["", "{ relaunch: {} }"])
  func `nothing for a file that an earlier activity had removed`(ending: String) async throws {
    let steps =
      [save, "{ remove: 'Documents/a' }", ending].filter { !$0.isEmpty }
      + [killed("save: 'Documents/a', contents: 'new'", before: "rename")]
    // If the app does not end in between, the removal is a part of the save.
    let isFound = ending.isEmpty
    #expect(
      try await Trial.verdicts(steps, otherKeys())
        == (isFound ? ["user-data-lost error 3 Documents/a"] : []))
  }

  @Test func `nothing if the next start puts the file right, and the loss if it does not`()
    async throws
  {
    let step = killed("save: 'Documents/a', contents: 'new', how: 'deleteFirst'", before: "create")
    func findingLines(_ launch: String) async throws -> [String] {
      try await Trial.verdicts([save, step, "{ relaunch: {} }"], otherKeys(launch))
    }
    #expect(
      try await findingLines("{ read: 'Documents/a', ifMissing: 'recreate', contents: 'old' }")
        == [])
    #expect(try await findingLines("{ read: 'tmp/x', ifMissing: 'skip' }") == expectedFindings)
  }

  @Test func `nothing for a database, or for a file of another class`() async throws {
    let header = "SQLite format 3\\u0000"
    let steps = [
      "{ save: 'Documents/a', contents: '\(header)' }",
      killed("save: 'Documents/a', contents: '\(header)b', how: 'inPlace'", before: "write"),
    ]
    #expect(try await Trial.verdicts(steps, otherKeys()) == [])
    let cached = ["{ save: 'Library/Caches/a', contents: 'old' }"]
    let step = killed("save: 'Library/Caches/a', contents: 'new', how: 'inPlace'", before: "write")
    #expect(try await Trial.verdicts(cached + [step], otherKeys()) == [])
  }
}

@Suite struct `user-data-lost after a kill ignores the remnant of an earlier killed save` {
  private let files = "files: { 'Documents/**': 'critical' }"

  @Test func `over which a later save writes`() async throws {
    let steps = [
      "{ save: 'Documents/a', contents: 'old', killed: { before: 'rename' } }",
      "{ save: 'Documents/a', contents: 'old' }", "{ remove: 'Documents/a' }",
      "{ save: 'Documents/b', contents: 'other', killed: { before: 'write' } }",
    ]
    #expect(try await Trial.verdicts(steps, files) == [])
  }
}
