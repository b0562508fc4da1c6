import BackupTesting
import Foundation
import TestSupport
import Testing

@testable import BackupContainer
@testable import BackupFileTree
@testable import BackupScenarios

/// The lifetime and the settings of the trait's containers.
@Suite struct ContainerLifeTests {
  /// An error that a test throws.
  private struct Oops: Error {}

  /// Runs code as a test with a trait. Returns the URL of the test's container.
  private func runTest(
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

  /// Whether the folder of a container's device exists.
  private func deviceExists(_ url: URL) -> Bool {
    FileManager.default.fileExists(atPath: url.deletingLastPathComponent().path)
  }

  @Test func `a container without a trait is removed with its last reference, even after a backup`()
    throws
  {
    let make = {
      let container = try FakeContainer()
      try container.backUp()
      return container.url.deletingLastPathComponent().path
    }
    let device = try make()
    #expect(!FileManager.default.fileExists(atPath: device))
  }

  @Test func `a container is removed after a test that throws, and despite a read-only directory`()
    async throws
  {
    let thrown = try await runTest(.container) { _ in throw Oops() }
    #expect(!deviceExists(thrown))
    let locked = try await runTest(.container) { container in
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o500], ofItemAtPath: container.library.path)
    }
    #expect(!deviceExists(locked))
  }

  @Test func `a container that is kept stays`() async throws {
    let url = try await runTest(.container(isKept: true)) { container in
      try Data([1]).write(to: container.documents.appendingPathComponent("a"))
    }
    #expect(FileManager.default.fileExists(atPath: url.path + "/Documents/a"))
    try FileManager.default.removeItem(at: url.deletingLastPathComponent())
  }

  @Test func `a suite itself gets no container`() async throws {
    let test = try #require(Test.current)
    try await ContainerTrait.container.provideScope(for: test, testCase: nil) {
      #expect(FakeContainer.taskLocal == nil)
    }
  }

  @Test func `the error for an unknown system names the known systems`() async throws {
    let error = await #expect(throws: RunError.self) {
      _ = try await runTest(.container(system: "4.3")) { _ in }
    }
    #expect(
      error?.description.contains(
        "unknown version of iOS '4.3'; the oldest that the kit knows is '5.0' (") == true)
    #expect(error?.description.contains("5.0.1") == true)
  }

  @Test func `an invalid pattern is an error`() async throws {
    await #expect(throws: RunError.self) {
      _ = try await runTest(.container(files: ["/Documents": .critical])) { _ in }
    }
  }

  @Test func `an old system has the app's bundle in the container`() async throws {
    _ = try await runTest(.container(system: "5.0", bundleIdentifier: "com.example.cinema")) {
      let backup = try $0.backUp()
      #expect(backup.description.contains("cinema.app  (app bundle)"))
    }
  }

  @Test(.container) func `each of ten concurrent tests has its own container`() async throws {
    let outer = try FakeContainer.current
    let urls = CollectedValues<URL>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<10 {
        group.addTask {
          let url = try await runTest(.container) { container in
            try Data([1]).write(to: container.documents.appendingPathComponent("\(number)"))
            await Task.yield()
            #expect(try container.backUp().files == ["Documents/\(number)"])
          }
          urls.add(url)
        }
      }
      try await group.waitForAll()
    }
    #expect(Set(urls.values + [outer.url]).count == 11)
    #expect(FakeContainer.taskLocal === outer)
  }
}

/// A suite's trait gives each case a container; a test's own trait wins.
@Suite(.container(system: "18")) struct InheritedContainerTests {
  @Test(arguments: 1...2)
  func `each case gets a new container`(number: Int) throws {
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

  @Test func `a container without a trait has the newest system`() throws {
    let container = try FakeContainer()
    #expect(throws: RunError.self) { try container.updateSystem(to: "18") }
    try container.remove()
  }
}

/// Code that does not import the kit finds the current container.
@Suite struct CurrentContainerTests {
  /// Returns the current container's path, which is found as the shim finds it.
  private func path() throws -> String? {
    let type = try #require(
      NSClassFromString("BackupTesting.CurrentContainer") as? any LosslessStringConvertible.Type)
    return type.init("").map { "\($0)" }
  }

  @Test func `without the trait there is no container`() throws {
    #expect(try path() == nil)
  }

  @Test(.container)
  func `the container is found by a class name, also after an update and in child tasks`()
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

  /// Returns the answer of a class in the kit, which is found as the shim finds it.
  private func answer(of className: String, to argument: String) throws -> String? {
    let type = try #require(
      NSClassFromString("BackupTesting.\(className)") as? any LosslessStringConvertible.Type)
    return type.init(argument).map { "\($0)" }
  }

  @Test(.container(bundleIdentifier: "com.example.tides"))
  func `the bundle identifier is found too, and no group that the app does not have`() async throws
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
