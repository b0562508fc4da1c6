import BackupTesting
import Foundation
import Listings
import Testing

/// What the sources' own samples come to, on the systems that they were written for and on others.
@Suite struct ListingsTests {
  /// The systems that differ in their marks: 5.0, 5.0.1, 5.1, and the newest.
  static let systems = ["5.0", "5.0.1", "5.1", newest]
  /// The newest version that the kit knows.
  private static let newest = SystemProfile.newest?.version.description ?? ""
  /// What the app promises of its files.
  private static let files: KeyValuePairs<String, DataClass> = [
    "Documents/Note.txt": .critical, "Documents/**": .offline,
    "Library/Caches/**": .cached, "Library/**": .offline,
  ]

  /// A container on a system.
  private func container(on system: String) throws -> FakeContainer {
    let profile = try #require(SystemProfile(version: system))
    let container = try FakeContainer()
    var configuration = SessionConfiguration(profile: profile)
    configuration.files = try FilePromises(Self.files)
    try container.beginSession(configuration)
    return container
  }

  /// The rules that an app breaks which does something, and is backed up; an error that leaves it
  /// is one of them where a rule is about it.
  private func broken(
    on system: String, marking: Marking, _ act: (Reader) throws -> Void
  ) async throws -> Set<String> {
    let container = try container(on: system)
    let reader = Reader(home: container.url, marking: marking)
    try? await container.perform { try act(reader) }
    try container.backUp()
    return Set(try container.findings().map(\.rule))
  }

  /// What marking in some way comes to under each of ``systems``, whatever is marked.
  private static let verdicts: [(Marking, [Set<String>])] = {
    let (unmarked, none): (Set, Set<String>) = (["recreatable-data-backed-up"], [])
    let unavailable: Set = ["mark-unavailable"]
    return [
      (.resourceValues, [unavailable, unavailable, none, none]),
      (.singleValue, [unavailable, unavailable, none, none]),
      (.attribute, [unmarked, none, unmarked, unmarked]),
      (.valueOrAttribute, [unmarked, none, none, none]),
      (.both, [unmarked, none, none, none]),
      (.swallowed, [unavailable, unavailable, none, none]),
    ]
  }()

  #if os(Linux)
  @Test(arguments: Marking.allCases)
  func `A file that is marked after saving is judged by the system's marks`(
    _ marking: Marking
  ) async throws {
    let expected = try #require(Self.verdicts.first { $0.0 == marking }?.1)
    for (system, rules) in zip(Self.systems, expected) {
      let found = try await broken(on: system, marking: marking) { try $0.saveNews("News") }
      // The backup that holds the file says what its mark is.
      #expect(found == rules, "a file under iOS \(system)")
      let inFolder = try await broken(on: system, marking: marking) { try $0.keepIssue(1) }
      #expect(inFolder == rules, "a folder under iOS \(system)")
    }
  }
  #endif

  @Test(arguments: zip(systems, [Marking.attribute, .attribute, .resourceValues, .resourceValues]))
  func `An app that asks for the system is right on each`(
    _ system: String, _ marking: Marking
  ) async throws {
    let found = try await broken(on: system, marking: marking) { reader in
      try system == "5.0" ? reader.keepIssueInCaches(1) : reader.keepIssue(1)
      try reader.saveNote("mine")
    }
    #expect(found == [])
  }

  @Test func `A sweep at launch is late, marks the user's note, and misses what comes after it`()
    async throws
  {
    for system in [Self.systems[2], Self.newest] {
      let container = try container(on: system)
      let reader = Reader(home: container.url, marking: .resourceValues)
      try await container.perform("download") {
        try reader.dropIssue(1)
        try reader.saveNote("mine")
      }
      #expect(try container.backUp("before the next launch").contains("Documents/1.pdf"))
      try await container.perform("didFinishLaunching") { try reader.sweepDocuments() }
      try await container.perform("download after it") { try reader.dropIssue(2) }
      let backup = try container.backUp("after it")
      #expect(backup.files == ["Documents/2.pdf"])
      let found = try container.findings().map { "\($0.rule) \($0.path?.description ?? "")" }
      #expect(
        Set(found) == [
          "recreatable-data-backed-up Documents/1.pdf", "user-data-excluded Documents/Note.txt",
          "recreatable-data-backed-up Documents/2.pdf",
        ])
    }
  }

  @Test(arguments: zip(["5.0", "5.0.1"], [false, true]))
  func `By the attribute the sweep keeps out on 5.0.1 what it keeps on 5.0`(
    _ system: String, _ isOut: Bool
  ) async throws {
    let container = try container(on: system)
    let reader = Reader(home: container.url, marking: .attribute)
    try await container.perform("download") { try reader.dropIssue(1) }
    try await container.perform("didFinishLaunching") { try reader.sweepDocuments() }
    #expect(try container.backUp().contains("Documents/1.pdf") == !isOut)
  }
}
