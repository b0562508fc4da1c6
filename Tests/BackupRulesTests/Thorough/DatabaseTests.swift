import BackupFileTree
import BackupScenarios
import Testing
import TrialSupport

@testable import BackupRules

/// All rules agree on whether a file is a database.
@Suite struct `A database` {
  private let critical = "files: { 'Documents/**': 'critical' }"
  /// Names of databases: four with an extension that libraries use, and two without.
  private static let names = ["a.sqlite", "a.db", "a.db3", "a.store", "a.sql", "a"]

  // MARK: marked without what is beside it

  @Test(arguments: names, ["-wal", "-shm", "-journal"])
  func `of any name is marked without the files that SQLite keeps beside it`(
    name: String, suffix: String
  ) async throws {
    #expect(
      try await Trial.verdicts([
        "{ save: 'Documents/\(name)', size: 1 }", "{ exclude: 'Documents/\(name)' }",
        "{ save: 'Documents/\(name)\(suffix)', size: 1 }", "{ backup: 'b' }",
      ]) == ["incomplete-group warning 3 Documents/\(name)\(suffix)"])
  }

  @Test func `is known by its log when a run begins`() throws {
    let path = try ContainerPath("Documents/a")
    for other in ["Documents/a-wal", "Documents/b-wal"] {
      var tree = FileTree()
      try tree.apply(.createDirectory(ContainerPath("Documents"), intermediates: false))
      for file in try [path, ContainerPath(other)] {
        try tree.apply(.write(file, .zeros(1), method: .inPlace))
      }
      let information = try #require(tree.fileInformation(at: path))
      #expect(Databases(in: tree).contains(path, information) == (other == "Documents/a-wal"))
    }
  }

  @Test func `that iOS put there with its log is marked without the log`() async throws {
    #expect(
      try await Trial.verdicts([
        "{ place: 'Documents/a', size: 1 }", "{ place: 'Documents/a-wal', size: 1 }",
        "{ exclude: 'Documents/a' }", "{ backup: 'b' }",
      ]) == ["incomplete-group warning 2 Documents/a-wal"])
  }

  @Test(arguments: names)
  func `has the same severity for any name, if a class makes its log an error`(
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

  @Test func `whose log exceeds the budget has an error besides the warning`() async throws {
    #expect(
      try await Trial.verdicts(
        [
          "{ save: 'Documents/a.db', size: 1 }", "{ exclude: 'Documents/a.db' }",
          "{ save: 'Documents/a.db-wal', size: '4 MB' }", "{ backup: 'b' }",
        ], "budget: '1 MB'"
      ).map { $0.prefix { $0 != " " } } == ["incomplete-group", "backup-budget"])
  }

  // MARK: moved or copied without its log

  /// Returns the findings if the app saves a database with a log, and then performs these steps.
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
  func `is moved or copied with its log, in either order`(
    name: String, use: String
  ) async throws {
    let database = "{ \(use): 'Documents/\(name)', to: 'Library/b' }"
    let log = "{ \(use): 'Documents/\(name)-wal', to: 'Library/b-wal' }"
    #expect(try await separated(name, log, database) == [])
    #expect(try await separated(name, database, log) == [])
  }

  @Test(arguments: names)
  func `is copied once its log is written back and removed`(name: String) async throws {
    let writeLogBack = "{ save: 'Documents/\(name)', contents: 'old and new', how: 'inPlace' }"
    #expect(
      try await separated(
        name, writeLogBack, "{ remove: 'Documents/\(name)-wal' }",
        "{ copy: 'Documents/\(name)', to: 'Library/b' }") == [])
  }

  @Test(
    arguments: [
      // A log that SQLite creates when it opens the moved database has none of the old rows.
      (["{ save: 'Library/b.db-wal', contents: 'newer' }"], "Library/b.db"),
      (["{ move: 'Library/b.db', to: 'Documents/c.db' }"], "Documents/c.db"),
      (
        [
          "{ createDirectory: 'tmp/f' }", "{ move: 'Library/b.db', to: 'tmp/f/b.db' }",
          "{ move: 'tmp/f', to: 'Documents/f' }",
        ], "Documents/f/b.db"
      ),
    ], ["move", "copy"])
  func `is reported without its log at the place where it ends`(
    followUp: (steps: [String], place: String), use: String
  ) async throws {
    let steps = ["{ \(use): 'Documents/a.db', to: 'Library/b.db' }"] + followUp.steps
    #expect(
      try await separated("a.db", steps) == ["incomplete-group warning 3 \(followUp.place)"])
  }

  @Test func `replaces another database, whose log stays`() async throws {
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

  @Test func `is copied without an empty log`() async throws {
    #expect(
      try await Trial.verdicts([
        "{ save: 'Documents/a.db', size: 1 }", "{ save: 'Documents/a.db-wal', size: 0 }",
        "{ copy: 'Documents/a.db', to: 'Library/b.db' }", "{ backup: 'b' }",
      ]) == [])
  }

  // MARK: lost

  /// Returns steps that save a database of the user's. If its name has no extension of a library,
  /// they save a log too.
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
  func `that is written in place when the app is killed is left to SQLite to repair`(
    name: String
  ) async throws {
    #expect(try await killed(name, "inPlace", "write") == [])
  }

  @Test(arguments: names, ["create", "write"])
  func `that is removed and created again, with a kill in between, is lost like any file`(
    name: String, before: String
  ) async throws {
    #expect(try await killed(name, "deleteFirst", before) == ["user-data-lost error"])
  }

  @Test(arguments: names)
  func `that is moved away when the app is killed is lost like any file`(
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
  func `that was created again and is then written in place is left to SQLite to repair`(
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

  /// Returns the findings if the app performs these steps at its second start.
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
  func `that an interrupted start has removed is lost if the next start creates an empty one`(
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
  func `that an interrupted start has copied to tmp is lost if the next start creates an empty one`(
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
        // The first start has created an empty file too.
        "{ save: '\(home)', contents: 'all of the notes' }",
        "{ relaunch: {}, killed: { before: 'rename', path: '\(home)' } }", "{ relaunch: {} }",
        "{ backup: 'b' }",
      ], "\(critical), \(launch)")
    #expect(findings == ["user-data-lost error launch 5 \(home)"])
  }

  @Test(arguments: names)
  func `that a start writes in place is left to the library`(name: String) async throws {
    #expect(
      try await started(name, "{ save: 'Documents/\(name)', contents: 'all', how: 'inPlace' }")
        == [])
  }

  @Test(arguments: names)
  func
    `that a start replaces by a smaller one is not compared, because libraries compact databases`(
      name: String
    ) async throws
  {
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

  @Test func `on a temporary file in a group is not to use tmp, which the group's backup contains`()
    async throws
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
