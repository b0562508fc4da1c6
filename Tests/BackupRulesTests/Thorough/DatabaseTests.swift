import BackupFileTree
import BackupScenarios
import Testing
import TrialSupport

@testable import BackupRules

/// Whether a file is a database is asked once for all rules.
@Suite struct `A database` {
  private let critical = "files: { 'Documents/**': 'critical' }"
  /// Names that a library gives, and one that it does not.
  private static let names = ["a.sqlite", "a.db", "a.db3", "a.store", "a.sql", "a"]

  // MARK: marked without what is beside it

  @Test(arguments: names, ["-wal", "-shm", "-journal"])
  func `of any name is marked without what SQLite keeps beside it`(
    name: String, suffix: String
  ) async throws {
    #expect(
      try await Trial.verdicts([
        "{ save: 'Documents/\(name)', size: 1 }", "{ exclude: 'Documents/\(name)' }",
        "{ save: 'Documents/\(name)\(suffix)', size: 1 }", "{ backup: 'b' }",
      ]) == ["incomplete-group warning 3 Documents/\(name)\(suffix)"])
  }

  @Test func `that is there with its log when a run begins is one`() throws {
    let path = try ContainerPath("Documents/a")
    for other in ["Documents/a-wal", "Documents/b-wal"] {
      var tree = FileTree()
      try tree.apply(.createDirectory(ContainerPath("Documents"), intermediates: false))
      for file in try [path, ContainerPath(other)] {
        try tree.apply(.write(file, .zeros(1), method: .inPlace))
      }
      let information = try #require(tree.file(at: path))
      #expect(Databases(in: tree).contains(path, information) == (other == "Documents/a-wal"))
    }
  }

  @Test func `that iOS has put there with its log is marked without that`() async throws {
    #expect(
      try await Trial.verdicts([
        "{ place: 'Documents/a', size: 1 }", "{ place: 'Documents/a-wal', size: 1 }",
        "{ exclude: 'Documents/a' }", "{ backup: 'b' }",
      ]) == ["incomplete-group warning 2 Documents/a-wal"])
  }

  @Test(arguments: names)
  func `has one severity, whatever its name, where a class makes its log an error`(
    name: String
  ) async throws {
    let findings = try await Trial.findings(
      [
        "{ save: 'Documents/\(name)', size: 1 }", "{ exclude: 'Documents/\(name)' }",
        "{ save: 'Documents/\(name)-wal', size: '4 MB' }", "{ backup: 'b' }",
      ], "files: { 'Documents/\(name)': 'offline' }")
    #expect(findings.map(\.line) == ["recreatable-data-backed-up error 3 Documents/\(name)-wal"])
    #expect(
      findings.first?.advice == "put the database into its own directory, and mark the directory")
  }

  @Test func `whose log is over the budget: the warning hides no error`() async throws {
    #expect(
      try await Trial.verdicts(
        [
          "{ save: 'Documents/a.db', size: 1 }", "{ exclude: 'Documents/a.db' }",
          "{ save: 'Documents/a.db-wal', size: '4 MB' }", "{ backup: 'b' }",
        ], "budget: '1 MB'"
      ).map { $0.prefix { $0 != " " } } == ["incomplete-group", "backup-budget"])
  }

  // MARK: moved or copied without its log

  /// A database with a log beside it, and what the app does then.
  private func separated(_ name: String, _ steps: String...) async throws -> [String] {
    try await separated(name, steps)
  }

  private func separated(_ name: String, _ steps: [String]) async throws -> [String] {
    try await Trial.verdicts(
      [
        "{ save: 'Documents/\(name)', contents: 'old' }",
        "{ save: 'Documents/\(name)-wal', contents: 'new' }",
      ] + steps + ["{ backup: 'b' }"])
  }

  @Test(arguments: names, ["move", "copy"])
  func `is moved or copied without its log`(name: String, use: String) async throws {
    let step = "{ \(use): 'Documents/\(name)', to: 'Library/b' }"
    #expect(try await separated(name, step) == ["incomplete-group warning 3 Library/b"])
  }

  @Test(arguments: names, ["move", "copy"])
  func `is moved or copied with its log, that first or last`(
    name: String, use: String
  ) async throws {
    let database = "{ \(use): 'Documents/\(name)', to: 'Library/b' }"
    let log = "{ \(use): 'Documents/\(name)-wal', to: 'Library/b-wal' }"
    #expect(try await separated(name, log, database) == [])
    #expect(try await separated(name, database, log) == [])
  }

  @Test(arguments: names)
  func `is copied once its log is written back and removed`(name: String) async throws {
    let back = "{ save: 'Documents/\(name)', contents: 'old and new', how: 'inPlace' }"
    #expect(
      try await separated(
        name, back, "{ remove: 'Documents/\(name)-wal' }",
        "{ copy: 'Documents/\(name)', to: 'Library/b' }") == [])
  }

  @Test(
    arguments: [
      // What SQLite makes when it opens the database has none of the rows.
      (["{ save: 'Library/b.db-wal', contents: 'newer' }"], "Library/b.db"),
      (["{ move: 'Library/b.db', to: 'Documents/c.db' }"], "Documents/c.db"),
      (
        [
          "{ createDirectory: 'tmp/f' }", "{ move: 'Library/b.db', to: 'tmp/f/b.db' }",
          "{ move: 'tmp/f', to: 'Documents/f' }",
        ], "Documents/f/b.db"
      ),
    ], ["move", "copy"])
  func `is followed without its log to where it ends`(
    then: (steps: [String], place: String), use: String
  ) async throws {
    let steps = ["{ \(use): 'Documents/a.db', to: 'Library/b.db' }"] + then.steps
    #expect(
      try await separated("a.db", steps) == ["incomplete-group warning 3 \(then.place)"])
  }

  @Test func `takes the place of another, whose log stays`() async throws {
    #expect(
      try await separated(
        "a.db", "{ save: 'Library/b.db', size: 1 }", "{ save: 'Library/b.db-wal', size: 1 }",
        "{ move: 'Documents/a.db', to: 'Library/b.db', over: true }")
        == ["incomplete-group warning 5 Library/b.db"])
  }

  @Test func `is moved back to its log`() async throws {
    #expect(
      try await separated(
        "a.db", "{ move: 'Documents/a.db', to: 'Library/b.db' }",
        "{ append: 'Documents/a.db-wal', contents: ', newer' }",
        "{ move: 'Library/b.db', to: 'Documents/a.db' }") == [])
  }

  @Test func `is copied beside a log that holds nothing`() async throws {
    #expect(
      try await Trial.verdicts([
        "{ save: 'Documents/a.db', size: 1 }", "{ save: 'Documents/a.db-wal', size: 0 }",
        "{ copy: 'Documents/a.db', to: 'Library/b.db' }", "{ backup: 'b' }",
      ]) == [])
  }

  // MARK: lost

  /// A database of the user's that the app wrote, with a log beside it if no library gives its name.
  private func saved(_ name: String) -> [String] {
    ["{ save: 'Documents/\(name)', contents: 'all of the notes' }"]
      + (name.contains(".sql") && !name.contains(".sqlite") || !name.contains(".")
        ? ["{ save: 'Documents/\(name)-wal', contents: 'x' }"] : [])
  }

  private func killed(_ name: String, _ how: String, _ before: String) async throws -> [String] {
    let path = "Documents/\(name)"
    return try await Trial.findings(
      saved(name) + [
        "{ save: '\(path)', contents: 'all of the notes, and more', how: '\(how)', "
          + "killed: { before: '\(before)', path: '\(path)' } }",
        "{ relaunch: {} }", "{ backup: 'b' }",
      ], critical
    ).map { "\($0.rule) \($0.severity)" }
  }

  @Test(arguments: names)
  func `that is killed while it is written in place is SQLite's to repair`(
    name: String
  ) async throws {
    #expect(try await killed(name, "inPlace", "write") == [])
  }

  @Test(arguments: names, ["create", "write"])
  func `that is removed before it is made anew is torn like any file`(
    name: String, before: String
  ) async throws {
    #expect(try await killed(name, "deleteFirst", before) == ["user-data-lost error"])
  }

  @Test(arguments: names)
  func `that is moved away when the app is killed is torn like any file`(
    name: String
  ) async throws {
    let path = "Documents/\(name)"
    let findings = try await Trial.findings(
      saved(name) + [
        "{ move: '\(path)', to: 'tmp/c' }",
        "{ move: 'tmp/c', to: '\(path)', killed: { before: 'rename' } }",
        "{ relaunch: {} }", "{ backup: 'b' }",
      ], critical)
    #expect(findings.contains { $0.rule == "user-data-lost" && $0.severity == .error })
  }

  @Test(arguments: names)
  func `that was made anew before it is written in place is SQLite's to repair`(
    name: String
  ) async throws {
    let path = "Documents/\(name)"
    #expect(
      try await Trial.verdicts(
        saved(name) + [
          "{ remove: '\(path)' }", "{ save: '\(path)', contents: 'all of the notes' }",
          "{ save: '\(path)', contents: 'all of the notes, and more', how: 'inPlace', "
            + "killed: { before: 'write' } }",
          "{ relaunch: {} }", "{ backup: 'b' }",
        ], critical) == [])
  }

  /// What is found where the app does something at its second start.
  private func started(_ name: String, _ launch: String...) async throws -> [String] {
    try await Trial.findings(
      saved(name) + ["{ relaunch: {} }", "{ backup: 'b' }"],
      "\(critical), launch: [\(launch.joined(separator: ", "))]"
    ).map { "\($0.rule) \($0.severity)" }
  }

  @Test(arguments: names)
  func `that a start removes or empties is lost like any file`(name: String) async throws {
    let path = "Documents/\(name)"
    #expect(
      try await started(
        name, "{ read: '\(path)', ifMissing: 'recreate', contents: 'x' }", "{ remove: '\(path)' }")
        == ["user-data-lost error"])
    #expect(
      try await started(
        name, "{ remove: '\(path)', ifMissing: 'skip' }", "{ save: '\(path)', contents: '' }")
        == ["user-data-lost error"])
    #expect(
      try await started(
        name, "{ read: '\(path)', ifMissing: 'skip' }", "{ save: '\(path)', contents: '' }")
        == ["user-data-lost error"])
  }

  @Test(arguments: ["json", "sqlite"])
  func `that an interrupted start has set aside is lost if the next one begins with an empty one`(
    type: String
  ) async throws {
    let (home, compact) = ("Documents/home.\(type)", "Documents/compact.\(type)")
    let launch = """
      launch: [
        { read: '\(home)', ifMissing: 'recreate', contents: '' },
        { remove: '\(compact)', ifMissing: 'skip' }, { copy: '\(home)', to: '\(compact)' },
        { remove: '\(home)' }, { move: '\(compact)', to: '\(home)' },
      ]
      """
    let findings = try await Trial.verdicts(
      [
        "{ save: '\(home)', contents: 'all of the notes' }",
        "{ relaunch: {}, killed: { before: 'rename', path: '\(home)' } }", "{ relaunch: {} }",
        "{ backup: 'b' }",
      ], "\(critical), \(launch)")
    #expect(findings == ["user-data-lost error launch 5 \(home)"])
  }

  @Test(arguments: ["json", "sqlite"])
  func `that an interrupted start has removed is torn if the next one begins with an empty one`(
    type: String
  ) async throws {
    let (home, compact) = ("Documents/home.\(type)", "tmp/compact.\(type)")
    let launch = """
      launch: [
        { read: '\(home)', ifMissing: 'recreate', contents: '' },
        { remove: '\(compact)', ifMissing: 'skip' }, { copy: '\(home)', to: '\(compact)' },
        { remove: '\(home)' }, { move: '\(compact)', to: '\(home)' },
      ]
      """
    let findings = try await Trial.verdicts(
      [
        // The first start has begun with an empty one too.
        "{ save: '\(home)', contents: 'all of the notes' }",
        "{ relaunch: {}, killed: { before: 'rename', path: '\(home)' } }", "{ relaunch: {} }",
        "{ backup: 'b' }",
      ], "\(critical), \(launch)")
    #expect(findings == ["user-data-lost error launch 5 \(home)"])
  }

  @Test(arguments: names)
  func `that a start writes in place is the library's`(name: String) async throws {
    #expect(
      try await started(name, "{ save: 'Documents/\(name)', contents: 'all', how: 'inPlace' }")
        == [])
  }

  @Test(arguments: names)
  func `that a smaller one replaces at a start is not compared, since a library compacts it so`(
    name: String
  ) async throws {
    #expect(
      try await started(
        name, "{ save: 'Documents/compact', contents: 'all of the' }",
        "{ move: 'Documents/compact', to: 'Documents/\(name)', over: true }") == [])
  }
}

@Suite struct `The advice` {
  @Test func `on a log whose mark was lost is not to mark it again`() async throws {
    let findings = try await Trial.findings(
      [
        "{ save: 'Documents/a.db', size: 1 }", "{ exclude: 'Documents/a.db' }",
        "{ save: 'Documents/a.db-wal', size: 1 }", "{ exclude: 'Documents/a.db-wal' }",
        "{ save: 'Documents/a.db-wal', size: 2 }", "{ backup: 'b' }",
      ], "files: { 'Documents/**': 'offline' }")
    #expect(findings.map(\.rule) == ["reapply-on-save"])
    #expect(
      findings.first?.advice == "put the database into its own directory, and mark the directory")
  }

  @Test func `on a log that is marked before it exists is not to mark it then`() async throws {
    let findings = try await Trial.findings([
      "{ exclude: 'Documents/a.db-wal' }", "{ save: 'Documents/a.db-wal', size: 1 }",
      "{ backup: 'b' }",
    ])
    #expect(findings.map(\.rule) == ["exists-before-set"])
    #expect(
      findings.first?.advice == "put the database into its own directory, and mark the directory")
  }

  @Test func `on a temporary file in a group is no tmp, which the group's backup has`() async throws
  {
    let findings = try await Trial.findings(
      ["{ save: 'group.a:/tmp', size: 1 }", "{ backup: 'b' }"],
      "app: { bundleIdentifier: 'a.b', groups: ['group.a'] }, files: { 'group.a:/**': 'temporary' }"
    )
    #expect(
      findings.first { $0.rule == "recreatable-data-backed-up" }?.advice
        == "keep it in the group's Library/Caches, and delete it when done")
  }
}
