import BackupTesting
import Foundation
import Testing

/// The Swift examples of the README and of “Getting started”.
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

  @Test(.container(files: ["Documents/**": .critical, "Library/**": .offline]))
  func `a downloaded movie is not backed up`() async throws {
    let container = try FakeContainer.current
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
      let container = try FakeContainer.current
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

private enum ClassesExample: AppUnderTest {
  static let files: KeyValuePairs<String, DataClass> = [
    "Documents/**": .critical,
    "Library/Application Support/Movies/**": .offline,
  ]
  static let actions = AppActions()
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
