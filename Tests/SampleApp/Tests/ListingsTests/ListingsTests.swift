import BackupTesting
import Foundation
import Listings
import Testing

/// The rules check sample code of Apple and others under the versions of iOS that it was written
/// for, and under other versions.
@Suite struct ListingsTests {
  /// The versions of iOS that differ in their marks, and the newest version.
  static let systems = ["5.0", "5.0.1", "5.1", newest]
  /// The newest version that the kit knows.
  private static let newest = SystemProfile.newest?.version.description ?? ""
  /// The classes of the app's files.
  private static let files: KeyValuePairs<String, DataClass> = [
    "Documents/Note.txt": .critical, "Documents/**": .offline,
    "Library/Caches/**": .cached, "Library/**": .offline,
  ]

  /// Returns a container on a device with a version of iOS.
  private func container(on system: String) throws -> FakeContainer {
    let profile = try #require(SystemProfile(version: system))
    let container = try FakeContainer()
    var configuration = SessionConfiguration(profile: profile)
    configuration.files = try FilePromises(Self.files)
    try container.beginSession(configuration)
    return container
  }

  /// Runs an action of the app and a backup, and returns the rules that report something.
  ///
  /// An error of the action is ignored here, but a rule may report it.
  private func brokenRules(
    on system: String, marking: Marking, _ action: (Reader) throws -> Void
  ) async throws -> Set<String> {
    let container = try container(on: system)
    let reader = Reader(home: container.url, marking: marking)
    try? await container.perform { try action(reader) }
    try container.backUp()
    return Set(try container.findings().map(\.rule))
  }

  /// For each way to mark, the rules that report something under each of ``systems``. They are the
  /// same for a file and for a folder.
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
  func `A file or folder that is marked after a save is checked by the rules of its iOS version`(
    _ marking: Marking
  ) async throws {
    let expected = try #require(Self.verdicts.first { $0.0 == marking }?.1)
    for (system, rules) in zip(Self.systems, expected) {
      let fileRules = try await brokenRules(on: system, marking: marking) {
        try $0.saveNews("News")
      }
      #expect(fileRules == rules, "a file under iOS \(system)")
      let folderRules = try await brokenRules(on: system, marking: marking) {
        try $0.keepIssue(1)
      }
      #expect(folderRules == rules, "a folder under iOS \(system)")
    }
  }
  #endif

  @Test(arguments: zip(systems, [Marking.attribute, .attribute, .resourceValues, .resourceValues]))
  func `An app that chooses the mark by the version of iOS breaks no rule`(
    _ system: String, _ marking: Marking
  ) async throws {
    let rules = try await brokenRules(on: system, marking: marking) { reader in
      try system == "5.0" ? reader.keepIssueInCaches(1) : reader.keepIssue(1)
      try reader.saveNote("mine")
    }
    #expect(rules == [])
  }

  @Test func `A sweep at launch is too late, marks the user's note, and misses later downloads`()
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
      let findings = try container.findings().map { "\($0.rule) \($0.path?.description ?? "")" }
      #expect(
        Set(findings) == [
          "recreatable-data-backed-up Documents/1.pdf", "user-data-excluded Documents/Note.txt",
          "recreatable-data-backed-up Documents/2.pdf",
        ])
    }
  }

  @Test(arguments: zip(["5.0", "5.0.1"], [false, true]))
  func `A sweep that sets the attribute excludes files under iOS 5.0.1, but not under 5.0`(
    _ system: String, _ isExcluded: Bool
  ) async throws {
    let container = try container(on: system)
    let reader = Reader(home: container.url, marking: .attribute)
    try await container.perform("download") { try reader.dropIssue(1) }
    try await container.perform("didFinishLaunching") { try reader.sweepDocuments() }
    #expect(try container.backUp().contains("Documents/1.pdf") == !isExcluded)
  }
}
