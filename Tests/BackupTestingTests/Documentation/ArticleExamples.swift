import BackupTesting
import Foundation
import Testing

/// The Swift of the article “Testing app code”.
@Suite(.disabled("these show that the examples compile")) struct TestingAppCodeExamples {
  struct MovieStore {
    let root: URL

    private func directory() throws -> URL {
      let directory = root.appendingPathComponent("Library/Application Support/Movies")
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      var marked = directory
      try marked.setResourceValues(values)
      return directory
    }

    func save(_ data: Data, id: Int) throws {
      try data.write(to: directory().appendingPathComponent("\(id).mp4"), options: .atomic)
    }
  }

  /// The actions of the tests below.
  private let actions = AppActions()

  @Test(arguments: [Scenario]())
  func `actions are bound`(_ scenario: Scenario) async {
    struct Titles: Decodable {
      let names: [String]
    }

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
    await scenario.run(actions: actions)
  }

  @Test(arguments: try Scenario.all(matching: "marks/**"))
  func `marks are set`(_ scenario: Scenario) async {
    await scenario.run(actions: actions)
  }

  @Test(.container(files: ["Documents/**": .critical, "Library/**": .offline]))
  func `a movie is in no backup, and downloaded again`() async throws {
    let container = try #require(FakeContainer.current)
    let store = MovieStore(root: container.url)
    try await container.perform("download") { try store.save(Data(count: 700), id: 1) }

    let backup = try container.backUp("old phone")
    #expect(backup.files.isEmpty)
    try container.purge(.criticalStorage)
    try container.updateApp(to: "2.0")
    try container.restore(from: backup)
    try MovieStore(root: container.url).save(Data(count: 700), id: 1)

    try container.expectNoFindings()
  }

  @Test func `a group container is backed up and restored`() throws {
    let group = try FakeContainer(layout: .newGroup)
    try Data("[]".utf8).write(to: group.url.appendingPathComponent("shared.json"))
    let profile = try #require(SystemProfile.newest)
    let tree = try group.scan()
    let set = BackupSimulator(profile: profile, container: .appGroup).backUp(tree)
    let restored = RestoreSimulator(profile: profile, container: .appGroup).restore(tree, from: set)
    #expect(restored == tree)
  }

  @Test func `the standard suite`() async throws {
    var cinema = StandardApp(
      bundleIdentifier: "com.example.cinema",
      files: ["Documents/**": .critical, "Library/Application Support/**": .offline])
    cinema.save(.critical) { action in
      try Data("[]".utf8).write(to: action.container.documents.appendingPathComponent("list.json"))
    }
    cinema.save(.offline) { action in
      try MovieStore(root: action.container.url).save(Data(count: 9), id: 1)
    }
    try await StandardSuite.run(for: cinema)
  }
}

/// The Swift of the README and of “Getting started”.
@Suite(.disabled("these show that the examples compile")) struct ReadmeExamples {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public enum MovieStore {
    static let folder = FileManager.default
      .urls(for: .applicationSupportDirectory, in: .userDomainMask)[0].appending(path: "Movies")

    public static func keep(_ data: Data, as id: Int) throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try data.write(to: folder.appending(path: "\(id).mp4"), options: .atomic)
    }
  }

  enum CinemaApp: AppUnderTest {
    static let actions: AppActions = [
      "downloadMovie": { action in
        try MovieStore.keep(Data(count: 2_000_000), as: action.argument("id"))
      }
    ]
  }

  @Test(arguments: try Scenario.all())
  func `The app's files are where they belong`(_ scenario: Scenario) async {
    await scenario.run(CinemaApp.self)
  }

  struct RootedMovieStore {
    let root: URL

    init(root: URL = .homeDirectory) { self.root = root }

    func keep(_ data: Data, as id: Int) throws {
      let folder = root.appending(path: "Library/Application Support/Movies")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try data.write(to: folder.appending(path: "\(id).mp4"), options: .atomic)
    }
  }

  @Test(.container(files: ["Library/Application Support/Movies/**": .offline]))
  func `a movie is gone on a new phone, and kept again there`() async throws {
    let container = try #require(FakeContainer.current)
    let app = try await container.launch(CinemaApp.self)
    try await app.perform("downloadMovie", with: ["id": 1])

    let backup = try container.backUp()
    #expect(!backup.contains("Library/Application Support/Movies/1.mp4"))

    try container.restore(from: backup)
    let restored = try await container.launch(CinemaApp.self)
    try await restored.perform("downloadMovie", with: ["id": 1])
    try container.backUp()
    try container.expectNoFindings()
  }

  @Test(.container(files: ["Documents/**": .critical, "Library/**": .offline]))
  func `a downloaded movie is not backed up`() async throws {
    let container = try #require(FakeContainer.current)
    let store = RootedMovieStore(root: container.url)
    try await container.perform("download") { try store.keep(Data(count: 700), as: 1) }
    #expect(try container.backUp().files.isEmpty)
    try container.expectNoFindings()
  }

  struct OneMovieApp {
    enum CinemaApp: AppUnderTest {
      static let actions: AppActions = [
        "downloadMovie": { _ in try MovieStore.keep(Data(count: 2_000_000), as: 1) }
      ]
    }

    @Test(.container(files: ["Library/Application Support/Movies/**": .offline]))
    func `a downloaded movie is in no backup`() async throws {
      let container = try #require(FakeContainer.current)
      let app = try await container.launch(CinemaApp.self)
      try await app.perform("downloadMovie")
      try container.backUp()
      try container.expectNoFindings()
    }
  }

  enum StandardCinema: AppUnderTest {
    static let bundleIdentifier = "com.example.cinema"
    static let files: KeyValuePairs<String, DataClass> = [
      "Library/Application Support/Movies/**": .offline
    ]
    static let actions: AppActions = [
      "save.offline": { _ in try MovieStore.keep(Data(count: 700), as: 1) }
    ]
  }

  @Test func `the app keeps what every app must keep`() async throws {
    try await StandardSuite.run(for: StandardCinema.self)
  }
}

extension ReadmeExamples.MovieStore {
  /// Keeps a movie, and marks it.
  static func keepMarked(_ data: Data, as id: Int) throws {
    var movie = folder.appending(path: "\(id).mp4")
    try data.write(to: movie, options: .atomic)
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    try movie.setResourceValues(values)
  }
}

private enum RecipeExamples {
  static func excludedFolder(_ name: String) throws -> URL {
    let files = FileManager.default
    var folder = try files.url(
      for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true
    ).appending(path: name)
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    try folder.setResourceValues(values)
    return folder
  }

  static func keepDownload(_ location: URL, as name: String) throws {
    let movie = try excludedFolder("Movies").appending(path: name)
    try? FileManager.default.removeItem(at: movie)
    try FileManager.default.moveItem(at: location, to: movie)
  }
}
