#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupScenarios
@testable import BackupTesting

/// How many processes of apps live at once.
@Suite struct AppLimitTests {
  /// Runs with room for one app of a scenario's, and one that a test launches.
  private func narrowly(_ body: @Sendable () async throws -> Void) async throws {
    let process = TestProcess(
      environment: [:], folder: try TestFolder().url, limits: TestProcess.limits(count: 1))
    try await TestProcess.$current.withValue(process, operation: body)
  }

  @Test func `scenarios' apps live one after another where there is room for one`() async throws {
    let folder = try TestFolder()
    let steps = ["enter", "leave"].map { name in
      "{ perform: '\(name)', with: { path: '\(folder.path)/here' } }"
    }
    try await narrowly {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask {
            let trial = try? await AppTrial(CrowdingApp.self, steps)
            #expect(trial?.failure == nil && trial?.errors.isEmpty == true)
          }
        }
      }
    }
  }

  @Test(.container, .timeLimit(.minutes(5)))
  func `a test that has launched an app can run scenarios`() async throws {
    let container = try FakeContainer.current
    try await narrowly {
      let app = try await container.launch(HabitsApp.self)
      let trial = try await AppTrial(HabitsApp.self, ["{ perform: 'save' }"])
      #expect(trial.failure == nil && !app.hasEnded)
      let again = try await container.launch(HabitsApp.self)
      try await again.perform("save")
      #expect(app.hasEnded)
    }
  }

  @Test(.container, .timeLimit(.minutes(5)))
  func `only the app of the test's own container waits for others`() async throws {
    let container = try FakeContainer.current
    try await narrowly {
      let app = try await container.launch(HabitsApp.self)
      let other = try FakeContainer()
      try await other.launch(HabitsApp.self).perform("save")
      #expect(!app.hasEnded)
    }
  }

  @Test func `a limit has those wait that it has no room for`() async {
    let limit = ProcessLimit(count: 1)
    let order = Notes<Int>()
    await limit.waitForTurn()
    async let second: Void = {
      await limit.waitForTurn()
      order.add(2)
    }()
    while await limit.waiting.isEmpty { await Task.yield() }
    order.add(1)
    await limit.endTurn()
    await second
    #expect(order.values == [1, 2])
  }

  @Test func `the most urgent goes first, and of these who came first`() async {
    let limit = ProcessLimit(count: 1)
    let order = Notes<String>()
    await limit.waitForTurn()
    await withTaskGroup { group in
      for (count, urgency) in [2, 1, 2, 3].enumerated() {
        group.addTask {
          await limit.waitForTurn(urgency: urgency)
          order.add("\(urgency) as \(count)")
          await limit.endTurn()
        }
        while await limit.waiting.count == count { await Task.yield() }
      }
      await limit.endTurn()
    }
    #expect(order.values == ["3 as 3", "2 as 0", "2 as 2", "1 as 1"])
  }
}

/// An app that wants to be alone between two actions.
enum CrowdingApp: AppUnderTest {
  static let actions: AppActions = [
    "enter": { action in
      let path: String = try action.argument("path")
      try Data().write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
      try Data().write(to: action.container.documents.file("entered"))
    },
    "leave": { action in
      let path: String = try action.argument("path")
      try FileManager.default.removeItem(atPath: path)
    },
  ]
}
#endif
