import BackupTesting
import Foundation
import TestSupport
import Testing

@testable import BackupContainer
@testable import BackupFileTree
@testable import BackupScenarios

/// How long the containers of the trait live, and what they are.
@Suite struct ContainerLifeTests {
  /// An error of a test's own.
  private struct Oops: Error {}

  /// Runs code as a test with a trait, and says what the container was.
  private func scope(
    _ trait: ContainerTrait, _ code: @escaping @Sendable (FakeContainer) async throws -> Void
  ) async throws -> URL {
    let urls = CollectedValues<URL>()
    let test = try #require(Test.current)
    do {
      try await trait.provideScope(for: test, testCase: Test.Case.current) {
        let container = try FakeContainer.current
        urls.add(container.url)
        try await code(container)
      }
    } catch is Oops {}
    return try #require(urls.values.first)
  }

  /// Whether anything of a container is on disk.
  private func isThere(_ url: URL) -> Bool {
    FileManager.default.fileExists(atPath: url.deletingLastPathComponent().path)
  }

  @Test func `a container made by hand goes with its last reference, its session too`() throws {
    let make = {
      let container = try FakeContainer()
      try container.backUp()
      return container.url.deletingLastPathComponent().path
    }
    let device = try make()
    #expect(!FileManager.default.fileExists(atPath: device))
  }

  @Test func `a container is removed after its test`() async throws {
    let url = try await scope(.container) { container in
      try Data([1]).write(to: container.documents.appendingPathComponent("a"))
    }
    #expect(!isThere(url))
  }

  @Test func `it is removed after a test that throws, and with what it may not write`()
    async throws
  {
    let thrown = try await scope(.container) { _ in throw Oops() }
    #expect(!isThere(thrown))
    let locked = try await scope(.container) { container in
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o500], ofItemAtPath: container.library.path)
    }
    #expect(!isThere(locked))
  }

  @Test func `one that is to be kept stays`() async throws {
    let url = try await scope(.container(isKept: true)) { container in
      try Data([1]).write(to: container.documents.appendingPathComponent("a"))
    }
    #expect(FileManager.default.fileExists(atPath: url.path + "/Documents/a"))
    try FileManager.default.removeItem(at: url.deletingLastPathComponent())
  }

  @Test func `a suite itself gets none`() async throws {
    let test = try #require(Test.current)
    try await ContainerTrait.container.provideScope(for: test, testCase: nil) {
      #expect(FakeContainer.taskLocal == nil)
    }
  }

  @Test func `an unknown system is named with those that are known`() async throws {
    let error = await #expect(throws: RunError.self) {
      _ = try await scope(.container(system: "4.3")) { _ in }
    }
    #expect(
      error?.description.contains(
        "unknown version of iOS '4.3'; the oldest that the kit knows is '5.0' (") == true)
    #expect(error?.description.contains("5.0.1") == true)
  }

  @Test func `a pattern that is none is an error`() async throws {
    await #expect(throws: RunError.self) {
      _ = try await scope(.container(files: ["/Documents": .critical])) { _ in }
    }
  }

  @Test func `an old system has the app's bundle in the container`() async throws {
    _ = try await scope(.container(system: "5.0", bundleIdentifier: "com.example.cinema")) {
      let backup = try $0.backUp()
      #expect(backup.description.contains("cinema.app  (app bundle)"))
    }
  }

  @Test(.container) func `each of fifty tests at once has its own`() async throws {
    let outer = try FakeContainer.current
    let urls = CollectedValues<URL>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask {
          let url = try await scope(.container) { container in
            try Data([1]).write(to: container.documents.appendingPathComponent("\(number)"))
            await Task.yield()
            #expect(try container.backUp().files == ["Documents/\(number)"])
          }
          urls.add(url)
        }
      }
      try await group.waitForAll()
    }
    #expect(Set(urls.values + [outer.url]).count == 51)
    #expect(FakeContainer.taskLocal === outer)
  }
}

/// A suite's trait gives each case a container; a test's own trait wins.
@Suite(.container(system: "18")) struct InheritedContainerTests {
  @Test(arguments: 1...8)
  func `each case finds a container where nobody was before`(number: Int) throws {
    let container = try FakeContainer.current
    #expect(try container.backUp().files.isEmpty)
    try Data([1]).write(to: container.documents.appendingPathComponent("\(number)"))
    #expect(try container.backUp().files == ["Documents/\(number)"])
  }

  @Test(.container(system: "5.0")) func `the test's own trait decides`() throws {
    let container = try FakeContainer.current
    #expect(throws: RunError.self) { try container.updateSystem(to: "4.3") }
    try container.updateSystem(to: "5.0.1")
  }

  @Test func `a container by hand has the newest system`() throws {
    let container = try FakeContainer()
    #expect(throws: RunError.self) { try container.updateSystem(to: "18") }
    try container.remove()
  }
}

/// How code without the kit finds the container.
@Suite struct CurrentContainerTests {
  /// The current container's path, found as the shim does.
  private func path() throws -> String? {
    let type = try #require(
      NSClassFromString("BackupTesting.CurrentContainer") as? any LosslessStringConvertible.Type)
    return type.init("").map { "\($0)" }
  }

  @Test func `there is none without the trait`() throws {
    #expect(try path() == nil)
  }

  @Test(.container) func `it is found by the class's name, after an update and in child tasks too`()
    async throws
  {
    let container = try FakeContainer.current
    #expect(try path() == container.url.path)
    try container.updateApp()
    #expect(try path() == container.url.path)
    async let child = path()
    #expect(try await child == container.url.path)
    #expect(try await Task.detached { try path() }.value == nil)
  }

  /// What a class of the kit's answers, found as the shim does.
  private func answer(of className: String, to argument: String) throws -> String? {
    let type = try #require(
      NSClassFromString("BackupTesting.\(className)") as? any LosslessStringConvertible.Type)
    return type.init(argument).map { "\($0)" }
  }

  @Test(.container(bundleIdentifier: "com.example.tides"))
  func `the bundle identifier is found likewise, and no group that the app is not in`() async throws
  {
    #expect(try answer(of: "CurrentBundleIdentifier", to: "") == "com.example.tides")
    #expect(try answer(of: "CurrentGroupContainer", to: "group.com.example.none") == nil)
    let outside = try await Task.detached { try answer(of: "CurrentBundleIdentifier", to: "") }
      .value
    #expect(outside == nil)
  }

  @Test func `a module with the shim is noted`() throws {
    #expect(try answer(of: "ModuleWithShim", to: "Player/ContainerShim.swift") == "Player")
    guard case .modules(let modules) = FoundationMarks.visibleModules else { return }
    #expect(modules.contains("Player"))
  }

  @Test func `a scenario's app has its identifier`() async throws {
    let scenario = try Scenario(
      text: "{ title: 'Name', app: { bundleIdentifier: 'com.example.tides' }, "
        + "steps: [{ perform: 'ask' }] }")
    let found = Locked<String?>(nil)
    let actions: AppActions = [
      "ask": { _ in
        let name = try answer(of: "CurrentBundleIdentifier", to: "")
        found.withLock { $0 = name }
      }
    ]
    _ = try await ScenarioRunner(actions: actions).run(scenario, scenario.variants[0])
    #expect(found.withLock { $0 } == "com.example.tides")
  }
}
