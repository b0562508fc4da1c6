import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios

@Suite struct `A finding suppresses others on its item` {
  private static let movie = "\(support)/Movies/1.mp4"
  private static let saveMovie = "{ save: '\(movie)', size: 1 }"
  private static let markMovie = "{ exclude: '\(movie)' }"
  private static let offlineMovies = "files: { '**/*.mp4': 'offline' }"

  /// Creates the movie's directory in step 1, performs these steps, and returns the findings.
  private func findings(_ steps: [String]) async throws -> [Scenario.Finding] {
    try await Trial.findings(
      ["{ createDirectory: '\(support)/Movies' }"] + steps, Self.offlineMovies)
  }

  @Test func `from its own step on, not before`() async throws {
    let findings = try await findings([
      Self.saveMovie, Self.backup("A"), Self.markMovie, Self.backup("B"), Self.saveMovie,
      Self.backup("C"),
    ])
    #expect(
      findings.map(\.line) == [
        "reapply-on-save error 6 \(Self.movie)", "recreatable-data-backed-up error 2 \(Self.movie)",
      ])
    #expect(findings.map { $0.message.contains("\"A\"") } == [false, true])
    #expect(findings.map { $0.message.contains("\"C\"") } == [true, false])
    #expect(!findings.contains { $0.message.contains("\"B\"") })
  }

  @Test func `only in the backups after a mark that was set too early`() async throws {
    let findings = try await findings([
      Self.saveMovie, Self.backup("A"), "{ remove: '\(Self.movie)' }", Self.markMovie,
      Self.saveMovie, Self.backup("B"),
      Self.markMovie, Self.backup("C"), Self.saveMovie, Self.backup("D"),
    ])
    #expect(
      findings.map(\.line) == [
        "exists-before-set error 5 \(Self.movie)", "reapply-on-save error 10 \(Self.movie)",
        "recreatable-data-backed-up error 2 \(Self.movie)",
      ])
    #expect(findings[0].message.hasSuffix("excluded from backups. The backup \"B\" contains it"))
    #expect(findings[1].message.hasSuffix(". The backup \"D\" contains it"))
    #expect(findings[2].message.hasSuffix("but the backup \"A\" contains it"))
  }

  @Test func `and names the backups after each mark that was set too early`()
    async throws
  {
    let findings = try await findings([
      Self.markMovie, Self.saveMovie, Self.backup("A"), "{ remove: '\(Self.movie)' }",
      Self.markMovie, Self.saveMovie,
      Self.backup("B"),
    ])
    #expect(
      findings.map(\.line) == [
        "exists-before-set error 2 \(Self.movie)", "exists-before-set error 6 \(Self.movie)",
      ])
    #expect(
      findings.map { $0.message.hasSuffix(". The backup \"A\" contains it") } == [true, false])
    #expect(
      findings.map { $0.message.hasSuffix(". The backup \"B\" contains it") } == [false, true])
  }

  @Test func `and names the backups after each lost mark`() async throws {
    let findings = try await findings([
      Self.saveMovie, Self.markMovie, Self.saveMovie, Self.backup("A"), Self.markMovie,
      Self.saveMovie, Self.backup("B"),
    ])
    #expect(
      findings.map(\.line) == [
        "reapply-on-save error 4 \(Self.movie)", "reapply-on-save error 7 \(Self.movie)",
      ])
    #expect(findings.map { $0.message.contains("\"B\"") } == [false, true])
  }

  @Test func `but not in a backup before a system directory was marked`()
    async throws
  {
    let findings = try await Trial.findings(
      [
        "{ save: 'Documents/a', size: 1 }", "{ exclude: 'Documents/a' }", Self.backup("A"),
        "{ include: 'Documents/a' }", "{ exclude: 'Documents' }", Self.backup("B"),
      ], "files: { 'Documents/**': 'critical' }")
    #expect(
      findings.map(\.line) == [
        "system-directory-marked error 5 Documents", "user-data-excluded error 2 Documents/a",
      ])
  }

  /// Steps in `Documents`, other keys of the scenario, and the expected findings. Each finding ends
  /// with the labels of the backups in its message.
  private static let cases: [(steps: [String], otherKeys: String, findings: [String])] = [
    (
      [save("x"), mark("x"), save("x"), backup("1"), mark("x"), clear("x"), backup("2")], offline,
      ["reapply-on-save 3 x: 1", "recreatable-data-backed-up 3 x: 2"]
    ),
    (
      [
        save("x"), mark("x"), save("x"), backup("1"), mark("x"), clear("x"), remove("x"),
        backup("2"), save("x"), backup("3"),
      ], offline,
      ["reapply-on-save 3 x: 1", "recreatable-data-backed-up 9 x: 3"]
    ),
    (
      [
        make("D"), mark("D"), remove("D"), make("D"), backup("1"), mark("D"), clear("D"),
        save("D/n"), backup("2"),
      ], offline,
      ["recreatable-data-backed-up 8 D/n: 2"]
    ),
    (
      [save("x"), mark("x"), save("x"), "{ purge: 'idle' }", clear("x"), backup("1")], offline,
      ["reapply-on-save 3 x:", "recreatable-data-backed-up 3 x: 1"]
    ),
    (
      [mark("x"), save("x"), mark("x"), backup("1"), clear("x"), backup("2")], offline,
      ["exists-before-set 1 x:", "recreatable-data-backed-up 2 x: 2"]
    ),
    (
      [
        save("x"), mark("x"), "{ updateSystem: '18' }", remove("x"), save("x"), backup("1"),
      ], "system: '5.0', \(offline)",
      ["mark-unavailable 2 x:", "recreatable-data-backed-up 5 x: 1"]
    ),
    (
      [
        mark("x"), save("x"), "{ exclude: 'Documents/x', using: 'extendedAttribute' }", backup("1"),
      ],
      "system: '8', \(offline)",
      ["exists-before-set 1 x:", "recreatable-data-backed-up 2 x: 1"]
    ),
    (
      [
        save("x.sqlite"), mark("x.sqlite"), save("x.sqlite-wal"), backup("1"), clear("x.sqlite"),
        remove("x.sqlite"), backup("2"),
      ], offline,
      ["recreatable-data-backed-up 3 x.sqlite-wal: 1 2"]
    ),
    (
      [
        save("x"), mark("x"), backup("1"), clear("x"), backup("2"), mark("x"), backup("3"),
      ], critical,
      ["user-data-excluded 2 x: 1", "user-data-excluded 6 x: 3"]
    ),
    (
      [save("x"), mark("x"), backup("1"), mark("x"), backup("2")], critical,
      ["user-data-excluded 2 x: 1"]
    ),
    (
      [
        make("D"), save("D/x"), save("D/y"), mark("D"), backup("1"), clear("D"), backup("2"),
        mark("D"), backup("3"), backup("4"),
      ], critical,
      ["user-data-excluded 4 D/x: 1", "user-data-excluded 8 D/x: 3"]
    ),
    (
      [
        save("x"), "{ exclude: 'Documents' }", backup("1"), "{ include: 'Documents' }",
        backup("2"), "{ exclude: 'Documents' }", backup("3"),
      ], critical,
      ["system-directory-marked 2 :", "system-directory-marked 6 :"]
    ),
    (
      [
        make("D"), save("D/x"), mark("D"), backup("1"), remove("D"), make("D"), save("D/x"),
        backup("2"),
      ], critical,
      ["user-data-excluded 3 D/x: 1"]
    ),
  ]

  private static let critical = "files: { '**': 'critical' }"
  private static let offline = "files: { '**': 'offline' }"

  private static func make(_ name: String) -> String { "{ createDirectory: 'Documents/\(name)' }" }
  private static func save(_ name: String) -> String { "{ save: 'Documents/\(name)', size: 1 }" }
  private static func mark(_ name: String) -> String { "{ exclude: 'Documents/\(name)' }" }
  private static func clear(_ name: String) -> String { "{ include: 'Documents/\(name)' }" }
  private static func remove(_ name: String) -> String { "{ remove: 'Documents/\(name)' }" }
  private static func backup(_ label: String) -> String { "{ backup: '\(label)' }" }

  @Test(arguments: cases.indices)
  func `but not at moments when something else is the cause`(index: Int) async throws {
    let testCase = Self.cases[index]
    let found = try await Trial.findings(testCase.steps, testCase.otherKeys).map { finding in
      let name = finding.path.map { "\($0)".dropFirst("Documents/".count) } ?? ""
      let labels = ["1", "2", "3", "4"].filter { finding.message.contains("\"\($0)\"") }
      return (["\(finding.rule) \(finding.step.number) \(name):"] + labels).joined(separator: " ")
    }
    #expect(found == testCase.findings)
  }
}
