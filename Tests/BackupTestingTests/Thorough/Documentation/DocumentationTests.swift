import BackupTesting
import Foundation
import TestSupport
import Testing

@testable import BackupContainer
@testable import BackupDevice
@testable import BackupFileTree
@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

/// The Swift code in the documentation compiles, and does what the documentation says.
@Suite struct DocumentationTests {
  /// The actions that `TestingAppCode` binds.
  private static var actions: AppActions {
    var actions = AppActions()
    actions.bind("downloadMovie") { action in
      let id: Int = try action.argument("id")
      let size = try action.argumentIfPresent("size", as: Int.self) ?? 10
      try MovieStore(root: action.container.url).save(Data(count: size), id: id)
    }
    actions.bind("importTitles") { action in
      let titles = try action.arguments(as: Titles.self)
      let file = action.container.documents.appendingPathComponent("titles.txt")
      try titles.names.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
    }
    return actions
  }

  /// All arguments of an action as one value.
  private struct Titles: Decodable {
    let names: [String]
  }

  /// The scenario of `TestingAppCode`.
  private static let text = """
    {
      title: "A movie downloaded again stays out of the backup",
      files: { "Documents/**": "critical", "Library/**": "offline" },
      steps: [
        { perform: "downloadMovie", with: { id: 1 } },
        { perform: "importTitles", with: { names: ["Metropolis", "M"] } },
        { backup: "first" },
        { perform: "downloadMovie", with: { id: 1, size: 20 } },
        { backup: "second" },
        { expectBackup: { contains: ["Documents/titles.txt"], lacks: ["Library/**/*.mp4"] } },
      ],
    }
    """

  /// The complete scenarios in the README and the articles.
  private static let scenarios: [String] = {
    let folder = "Sources/BackupTesting/BackupTesting.docc"
    let articles = try? FileManager.default.contentsOfDirectory(atPath: Checkout.path(folder))
    let files = ["README.md"] + (articles ?? []).sorted().map { "\(folder)/\($0)" }
    return files.flatMap { file in
      let text = (try? Checkout.text(of: file)) ?? ""
      return text.components(separatedBy: "```json5\n").dropFirst()
        .map { $0.components(separatedBy: "```")[0] }
        .filter { $0.hasPrefix("{\n  title:") }
    }
  }()

  @Test(arguments: scenarios)
  func `a scenario that an article shows has no mistake`(text: String) throws {
    #expect(try !Scenario(text: text).steps.isEmpty)
  }

  @Test func `articles show complete scenarios`() {
    #expect(Self.scenarios.count > 3)
  }

  @Test func `bound actions take typed arguments`() async throws {
    let suite = ScenarioSuite(
      goldens: nil, recordMode: .never, runner: ScenarioRunner(actions: Self.actions))
    let result = try #require(await suite.run(Scenario(text: Self.text)))
    #expect(result.problems.isEmpty)
  }

  @Test(.container(files: ["Documents/**": .critical, "Library/**": .offline]))
  func `a movie is in no backup, and is downloaded again after a restore`() async throws {
    let container = try FakeContainer.current
    let store = MovieStore(root: container.url)
    try await container.perform("download") { try store.save(Data(count: 700), id: 1) }
    let first = try container.backUp("old phone")
    #expect(first.files.isEmpty)
    #expect(try container.explain("Library/Application Support/Movies/1.mp4").contains("excluded"))

    try await container.perform("again") { try store.save(Data(count: 710), id: 1) }
    #expect(try container.backUp().differences(from: first).isEmpty)
    #expect(try container.purge(.criticalStorage).isEmpty)
    try container.updateApp(to: "2.0", keeping: ["tmp"])
    try container.restore(from: first)
    #expect(try MovieStore(root: container.url).movie(1) == nil)
    #expect(try container.findings().isEmpty)
  }

  @Test func `a container without a trait can have a budget`() throws {
    let container = try FakeContainer()
    var configuration = SessionConfiguration(profile: try SystemProfile.named("18"))
    configuration.budget = 5_000_000
    try container.beginSession(configuration)
    try Data(count: 5_000_001).write(to: container.documents.appendingPathComponent("big.bin"))
    try container.backUp()
    #expect(try container.findings().map(\.rule) == ["backup-budget"])
  }

  @Test func `a group container is backed up, except for its caches`() throws {
    let group = try FakeContainer(layout: .newGroup)
    try group.apply(.write(ContainerPath("Library/Caches/a"), .zeros(10), method: .atomically))
    try group.apply(.write(ContainerPath("shared.db"), .zeros(10), method: .atomically))
    let profile = try #require(SystemProfile.newest)
    let set = BackupSimulator(profile: profile, container: .appGroup).backUp(try group.scan())
    #expect(set.contains(try ContainerPath("shared.db")))
    #expect(!set.contains(try ContainerPath("Library/Caches/a")))
  }

  @Test func `the standard suite accepts an app that saves the files that it declares`()
    async throws
  {
    var cinema = StandardApp(
      bundleIdentifier: "com.example.cinema",
      files: ["Documents/**": .critical, "Library/Application Support/**": .offline])
    cinema.save(.critical) { action in
      try Data("[]".utf8).write(to: action.container.documents.appendingPathComponent("list.json"))
    }
    cinema.save(.offline) { action in
      try MovieStore(root: action.container.url).save(Data(count: 9), id: 1)
    }
    let report = try await StandardSuite.run(for: cinema)
    #expect(!report.lines.isEmpty && report.lines.allSatisfy { $0.isKept })
  }

  @Test func `a mark is hidden while code is probed`() async throws {
    let container = try FakeContainer()
    let movie = container.library.appendingPathComponent("1.mp4")
    try Data(count: 1).write(to: movie)
    try movie.excludeFromBackup()
    let isMarkedWhileProbed = try await container.perform { try movie.hasBackupExclusionMark }
    let isMarkedWithoutProbe = try await container.perform(probesMarks: false) {
      try movie.hasBackupExclusionMark
    }
    #expect(!isMarkedWhileProbed)
    #expect(isMarkedWithoutProbe)
  }

  @Test func `a profile states its evidence`() throws {
    let profile = try #require(SystemProfile(version: "12"))
    #expect(profile.backup.roots.evidence == .unverified)
    #expect(profile.honouredMarks.evidence == .documented)
    #expect(profile.honouredMarks.sources == [.appleResourceKey, .appleQA1719])
  }
}

/// The store of `TestingAppCode`. It keeps movies in one marked directory.
struct MovieStore {
  let root: URL

  /// Returns the marked directory, and creates it if it is missing.
  private func directory() throws -> URL {
    let directory = root.appendingPathComponent("Library/Application Support/Movies")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try directory.excludeFromBackup()
    return directory
  }

  func save(_ data: Data, id: Int) throws {
    try data.write(to: directory().appendingPathComponent("\(id).mp4"), options: .atomic)
  }

  /// Returns a movie; nil if the app must download it again.
  func movie(_ id: Int) throws -> Data? {
    do {
      return try Data(contentsOf: directory().appendingPathComponent("\(id).mp4"))
    } catch CocoaError.fileReadNoSuchFile {
      return nil
    }
  }
}
