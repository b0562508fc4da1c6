import BackupTesting
import Foundation
import Testing

/// The documentation's examples of calls on a container. They also run.
@Suite(.container(files: ["Documents/**": .critical, "Library/**": .offline]))
struct CallExamples {
  private let container: FakeContainer

  init() throws {
    container = try FakeContainer.current
    try Data("[]".utf8).write(to: container.documents.appending(path: "list.json"))
  }

  @Test func `of code and findings`() async throws {
    try await container.perform("download") {
      try MovieStore(root: container.url).save(Data(count: 700), id: 1)
    }
    let reason = try container.explain("Library/Caches")
    #expect(reason.contains("excluded"))
    try container.backUp()
    try container.expectNoFindings()
  }

  @Test func `of findings that are expected`() throws {
    let movie = container.applicationSupport.appending(path: "1.mp4")
    try FileManager.default.createDirectory(
      at: container.applicationSupport, withIntermediateDirectories: true)
    try Data(count: 1).write(to: movie)
    try movie.excludeFromBackup()
    try container.backUp()
    try Data(count: 2).write(to: movie, options: .atomic)
    try container.backUp()
    #expect(try container.findings().map(\.rule) == ["reapply-on-save"])
  }

  @Test func `of backups`() async throws {
    let backup = try container.backUp()
    #expect(backup.files == ["Documents/list.json"])
    #expect(backup.bytes < 5_000_000)
    #expect(!backup.contains("Library/Application Support/Movies/1.mp4"))
    do {
      let backup = try container.backUp("old phone")
      #expect(backup.contains("Documents/list.json"))
    }
    do {
      let store = MovieStore(root: container.url)
      try store.save(Data(count: 700), id: 1)
      let first = try container.backUp()
      try await container.perform("again") { try store.save(Data(count: 710), id: 1) }
      let second = try container.backUp()
      #expect(second.differences(from: first).isEmpty)
    }
  }

  @Test func `of the system`() throws {
    try container.purge(.files(["Library/Caches/*.png"]))
    let deletedItems = try container.purge(.criticalStorage)
    #expect(deletedItems.allSatisfy { $0.bytes < 1_000_000 })
    let oldURL = container.documents.appending(path: "list.json")
    try container.updateApp(to: "2.0")
    #expect(container.documents.appending(path: "list.json") != oldURL)
    let backup = try container.backUp()
    try container.restore(from: backup)
    try MovieStore(root: container.url).save(Data(count: 700), id: 1)
  }

  @Test func `of an app that ends, goes and comes`() async throws {
    let store = MovieStore(root: container.url)
    try await container.perform("download") { try store.save(Data(count: 700), id: 1) }
    try container.killApp()
    let newStore = MovieStore(root: container.url)
    try newStore.save(Data(count: 700), id: 2)
    try container.place("Documents/Inbox/letter.pdf", .zeros(200_000))
    try container.offloadApp()
    try container.reinstallApp()
    #expect(try !container.backUp().files.isEmpty)
    try container.reinstallApp()
    #expect(try container.backUp().files.isEmpty)
  }

  @Test func `of the keychain`() {
    var actions = AppActions()
    let keychain = Keychain()
    actions.bind("signIn") { action in
      if action.keychain == .lost { keychain.removeAll() }
    }
    #expect(actions.names == ["signIn"])
  }

  /// A stand-in for the keychain.
  private struct Keychain: Sendable {
    func removeAll() {}
  }

  @Test(.container(system: "18")) func `of a later system`() throws {
    let container = try FakeContainer.current
    let error = #expect(throws: RunError.self) { try container.updateSystem(to: "5.0") }
    #expect(error?.code == .systemNotLater)
    try container.updateSystem(to: "26")
    #expect(container.system == SystemVersion("26"))
  }

  @Test func `of sessions`() throws {
    let configuration = SessionConfiguration(profile: try SystemProfile.named("18"))
    try FakeContainer().beginSession(configuration)
  }

  @Test func `of sessions with promises`() throws {
    var configuration = SessionConfiguration(profile: try SystemProfile.named("18"))
    configuration.files = try FilePromises(["Library/**": .offline])
    configuration.budget = 5_000_000
    try FakeContainer().beginSession(configuration)
  }

  @Test func `of budgets`() throws {
    var budget: Scenario.Budget = 5_000_000
    budget = try Scenario.Budget([
      "Library/Caches/**": 50_000_000, "**": Scenario.Budget.Limit(files: 500),
    ])
    #expect(budget.entries.map(\.limit.bytes) == [50_000_000, nil])
    #expect(budget.entries.map(\.limit.files) == [nil, 500])
    #expect(throws: RunError.self) { try Scenario.Budget(["Libary/**": 1]) }
  }

  @Test func `of groups`() throws {
    let container = try FakeContainer(groups: ["group.com.example.app"])
    let shared = try #require(container.url(ofGroup: "group.com.example.app"))
    #expect(shared != container.url)
    #expect(container.url(ofGroup: "group.com.example.other") == nil)
  }

  @Test func `of values`() throws {
    let notes = try ContainerPath("Documents/notes.db")
    #expect(notes.parent?.description == "Documents")
    do {
      let profile = try SystemProfile.named("5.0.1")
      #expect(profile.honouredMarks.value == .extendedAttribute)
    }
    let container = try FakeContainer()
    try Data("hello".utf8).write(to: container.documents.appending(path: "note.txt"))
    let tree = try container.scan()
    #expect(tree.contains(try ContainerPath("Documents/note.txt")))
    let movie = try ContainerPath("Documents/movie.mp4")
    try container.apply(.write(movie, .zeros(7), method: .atomically))
    try container.url(of: movie).excludeFromBackup()
    let profile = try #require(SystemProfile.newest)
    let set = BackupSimulator(profile: profile).backUp(try container.scan())
    #expect(set.decision(on: movie)?.reason == .ownMark(.resourceValue))
  }
}
