import Foundation
import TestSupport
import Testing

@testable import BackupContainer
@testable import BackupRules
@testable import BackupScenarios
@testable import BackupTesting
@testable import BackupVerdicts

/// The standard suite accepts a right app, and finds the mistakes of wrong apps.
@Suite struct StandardSuiteTests {
  static let newest = SystemProfile.newest.map { "\($0.version)" } ?? "none"

  @Test(arguments: try StandardSuite.scenarios(for: .right, systems: ["9", newest]))
  func `the right app passes`(_ scenario: Scenario) async throws {
    let result = try #require(await StandardSuite.run(scenario, for: .right))
    #expect(result.verdict == .passed)
    #expect(result.problems.isEmpty)
  }

  @Test func `the report names every requirement that the suite tests`() async throws {
    let report = try await StandardSuite.run(for: .right)
    #expect(report.lines.allSatisfy { $0.isKept })
    #expect(report.lines.map(\.requirement).contains("mark.reapply-on-save"))
    #expect(report.description.contains("kept   class.critical  (critical)"))
  }

  @Test(arguments: [
    (WrongApp.neverMarksAgain, ["mark.reapply-on-save"]),
    (.keepsOfflineInCaches, ["class.nonpurgeable-not-in-caches"]),
    (.marksDocuments, ["class.critical", "mark.not-on-user-documents"]),
    (.readsCacheBlindly, ["purge.caches"]),
    (.makesCacheFolderInVersion1Only, ["update.exists-before-use"]),
    (.leavesScratchBehind, ["class.temporary-deleted"]),
    (.marksItsToken, ["class.secret"]), (.keepsMarkedCovers, ["class.cached"]),
  ])
  func `the report names only the requirements that a wrong app breaks`(
    wrong: WrongApp, requirements: [String]
  ) async throws {
    let report = try await reportWithIssues(wrong.app)
    let broken = report.lines.filter { !$0.isKept }
    #expect(broken.map(\.requirement) == requirements)
    #expect(broken.allSatisfy { $0.scenarios.contains(wrong.scenario) })
    #expect(report.description.contains("broken \(requirements[0])  ("))
  }

  @Test func `the report calls all requirements of a failed scenario broken`()
    async throws
  {
    var app = StandardApp(bundleIdentifier: "com.example.a", files: ["Documents/**": .critical])
    app.save(.critical) { _ in throw CocoaError(.fileWriteOutOfSpace) }
    let report = try await reportWithIssues(app)
    let critical = report.lines.filter { $0.scenarios == ["critical"] }
    #expect(!critical.isEmpty && critical.allSatisfy { !$0.isKept })
    #expect(report.lines.contains { $0.isKept })
  }

  @Test func `the report knows every rule and every requirement of the suite by name`() throws {
    let ids = Set(Scenario.requirementIDs)
    for rule in RuleList.all {
      switch rule.requirements {
      case .named(let named): #expect(ids.isSuperset(of: named))
      case .byKind(directory: let first, other: let second):
        #expect(ids.isSuperset(of: [first, second]))
      case .all, .onEvent: break
      }
    }
  }

  @Test func `the report calls no requirement kept if no file was saved for it`() async throws {
    var app = StandardApp(bundleIdentifier: "com.example.a", files: ["Documents/**": .critical])
    app.save(.critical) { _ in }
    let report = try await reportWithIssues(app)
    #expect(report.lines.contains { $0.requirement == "class.critical" && !$0.isKept })
  }

  /// Runs the suite for an app, expects issues, and returns the report.
  private func reportWithIssues(_ app: StandardApp) async throws -> StandardSuite.Report {
    var report: StandardSuite.Report?
    let issues = try await TestIssue.collecting {
      report = try await StandardSuite.run(for: app)
    }
    #expect(!issues.isEmpty)
    return try #require(report)
  }

  @Test func `an app that saves nothing is refused`() {
    #expect(throws: RunError.self) {
      try StandardSuite.scenarios(for: StandardApp(bundleIdentifier: "com.example.a", files: [:]))
    }
  }

  @Test func `an item that is loaded but never saved is refused`() {
    var app = StandardApp(bundleIdentifier: "com.example.a", files: ["Documents/**": .critical])
    app.save(.critical) { _ in }
    app.load(.offline) { _ in }
    #expect(throws: RunError.self) { try StandardSuite.scenarios(for: app) }
  }

  @Test func `an invalid bundle identifier is refused`() {
    var app = StandardApp(bundleIdentifier: "com..a b", files: ["Documents/**": .critical])
    app.save(.critical) { _ in }
    #expect(throws: RunError.self) { try StandardSuite.scenarios(for: app) }
  }

  @Test func `an unknown system is refused`() {
    #expect(throws: RunError.self) { try StandardSuite.scenarios(for: .right, systems: ["4"]) }
  }

  @Test func `a class that is declared and never saved is a warning`() async throws {
    var app = StandardApp(
      bundleIdentifier: "com.example.a",
      files: ["Documents/**": .critical, "Library/Caches/**": .cached])
    app.save(.critical) { action in
      try Data().write(to: action.container.documents.appending(path: "a"))
    }
    let issues = try await TestIssue.collecting { _ = try await StandardSuite.run(for: app) }
    #expect(issues.allSatisfy { !$0.isFailure })
    #expect(
      issues.map(\.text) == [
        "'files' has cached items, but save(.cached) is not bound, so nothing of that class is "
          + "tested; bind it"
      ])
  }

  @Test func `a pattern of a directory that no container has is refused`() {
    var app = StandardApp(bundleIdentifier: "com.example.a", files: ["Document/**": .critical])
    app.save(.critical) { _ in }
    let error = #expect(throws: RunError.self) { try StandardSuite.scenarios(for: app) }
    #expect(
      error?.description
        == "'Document/**' matches nothing: a container has no 'Document'; did you mean "
        + "'Documents'?")
  }

  @Test func `a secret without a file, as in the keychain, is accepted`() async throws {
    var app = StandardApp(
      bundleIdentifier: "com.example.a", files: ["Library/Preferences/**": .secret])
    let keychain = CollectedValues<String>()
    app.save(.secret) { _ in keychain.add("token") }
    let report = try await StandardSuite.run(for: app)
    #expect(report.lines.contains { $0.requirement == "class.secret" && $0.isKept })
    #expect(!keychain.values.isEmpty)
  }

  @Test func `classes of which nothing is saved are left out`() throws {
    var app = StandardApp(bundleIdentifier: "com.example.a", files: ["Documents/**": .critical])
    app.save(.critical) { _ in }
    #expect(try StandardSuite.scenarios(for: app).map(\.id) == ["critical", "launch"])
  }

  @Test func `a save that creates no file of its class is an issue`() async throws {
    var app = StandardApp(bundleIdentifier: "com.example.a", files: ["Documents/**": .critical])
    app.save(.critical) { _ in }
    let scenarios = try StandardSuite.scenarios(for: app)
    let scenario = try #require(scenarios.first { $0.id == "critical" })
    let issues = await TestIssue.collecting { await StandardSuite.run(scenario, for: app) }
    #expect(!issues.isEmpty)
    #expect(issues.allSatisfy { $0.text.contains("created no file of the class") })
  }
}

/// An app with one mistake.
enum WrongApp: String, Sendable {
  case neverMarksAgain, keepsOfflineInCaches, marksDocuments, readsCacheBlindly, leavesScratchBehind
  case marksItsToken, keepsMarkedCovers
  case makesCacheFolderInVersion1Only

  /// The scenario of the suite that shows the mistake.
  var scenario: String {
    switch self {
    case .neverMarksAgain, .keepsOfflineInCaches: "offline"
    case .marksDocuments: "critical"
    case .readsCacheBlindly, .keepsMarkedCovers, .makesCacheFolderInVersion1Only: "cached"
    case .leavesScratchBehind: "temporary"
    case .marksItsToken: "secret"
    }
  }

  var app: StandardApp {
    var app = self == .keepsOfflineInCaches ? StandardApp.withOfflineInCaches : .right
    switch self {
    case .neverMarksAgain:
      app.save(.offline) { action in
        let isNew = !FileManager.default.fileExists(atPath: action.container.movie.path)
        try action.container.saveMovie(marking: isNew)
      }
    case .keepsOfflineInCaches:
      app.save(.offline) { action in
        try Data(count: 9).write(to: action.container.caches.appendingPathComponent("1.mp4"))
      }
      app.load(.offline) { _ in }
    case .marksDocuments:
      app.save(.critical) { action in
        try Data("[]".utf8).write(to: action.container.watchlist, options: .atomic)
        try action.container.watchlist.excludeFromBackup()
      }
      app.load(.critical) { _ in }
    case .readsCacheBlindly:
      app.load(.cached) { action in _ = try Data(contentsOf: action.container.artwork) }
    case .makesCacheFolderInVersion1Only:
      app.launch { action in
        guard action.appVersion == "1.0" else { return }
        try FileManager.default.createDirectory(
          at: action.container.thumbnail.deletingLastPathComponent(),
          withIntermediateDirectories: true)
      }
      let save: AppActions.Code = { try Data(count: 5).write(to: $0.container.thumbnail) }
      app.save(.cached, save)
      app.load(.cached, save)
    case .leavesScratchBehind:
      app.delete(.temporary) { _ in }
    case .marksItsToken:
      app.save(.secret) { action in
        try Data("token".utf8).write(to: action.container.token, options: .atomic)
        try action.container.token.excludeFromBackup()
      }
    case .keepsMarkedCovers:
      app.save(.cached) { action in
        try Data(count: 5).write(to: action.container.cover, options: .atomic)
        try action.container.cover.excludeFromBackup()
      }
    }
    return app
  }
}

extension StandardApp {
  /// An app that keeps all requirements.
  static let right: StandardApp = {
    var app = StandardApp(
      bundleIdentifier: "com.example.cinema",
      files: [
        "Documents/**": .critical, "Library/Application Support/**": .offline,
        "Library/Caches/**": .cached, "tmp/**": .temporary, "Library/cover.png": .cached,
        "Library/token": .secret,
      ])
    app.save(.critical) { try Data("[]".utf8).write(to: $0.container.watchlist, options: .atomic) }
    app.load(.critical) { _ = try Data(contentsOf: $0.container.watchlist) }
    app.save(.offline) { try $0.container.saveMovie(marking: true) }
    app.load(.offline) { action in
      guard !FileManager.default.fileExists(atPath: action.container.movie.path) else { return }
      try action.container.saveMovie(marking: true)
    }
    app.save(.cached) { try Data(count: 5).write(to: $0.container.artwork) }
    app.save(.secret) { _ in }
    app.save(.temporary) { try Data(count: 3).write(to: $0.container.scratch) }
    app.delete(.temporary) { try FileManager.default.removeItem(at: $0.container.scratch) }
    return app
  }()

  /// An app that declares its files in Caches as offline data.
  static let withOfflineInCaches: StandardApp = {
    var app = StandardApp(
      bundleIdentifier: "com.example.cinema", files: ["Library/Caches/**": .offline])
    app.save(.offline) { _ in }
    return app
  }()
}

extension FakeContainer.Locations {
  fileprivate var watchlist: URL { documents.appendingPathComponent("watchlist.json") }
  fileprivate var movie: URL { applicationSupport.appendingPathComponent("Movies/1.mp4") }
  fileprivate var artwork: URL { caches.appendingPathComponent("artwork.png") }
  fileprivate var cover: URL { library.appendingPathComponent("cover.png") }
  fileprivate var token: URL { library.appendingPathComponent("token") }
  fileprivate var thumbnail: URL { caches.appendingPathComponent("Thumbnails/1.png") }
  fileprivate var scratch: URL { temporary.appendingPathComponent("import.csv") }

  /// Saves a movie, and creates its directory if that is missing.
  fileprivate func saveMovie(marking isMarked: Bool) throws {
    try FileManager.default.createDirectory(
      at: movie.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(count: 9).write(to: movie, options: .atomic)
    if isMarked { try movie.excludeFromBackup() }
  }
}
