#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupScenarios
@testable import BackupTesting

/// The limit on the number of app processes at the same time.
@Suite struct AppLimitTests {
  /// Calls a closure while one scenario's app and one test's app can run at the same time.
  private func withRoomForOneApp(_ body: @Sendable () async throws -> Void) async throws {
    let process = TestProcess(
      environment: [:], folder: try TestFolder().url, limits: TestProcess.limits(count: 1))
    try await TestProcess.$current.withValue(process, operation: body)
  }

  @Test func `with room for one app, the apps of scenarios run one after the other`() async throws {
    let folder = try TestFolder()
    let steps = ["enter", "leave"].map { name in
      "{ perform: '\(name)', with: { path: '\(folder.path)/here' } }"
    }
    try await withRoomForOneApp {
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
    try await withRoomForOneApp {
      let app = try await container.launch(HabitsApp.self)
      let trial = try await AppTrial(HabitsApp.self, ["{ perform: 'save' }"])
      #expect(trial.failure == nil && !app.hasEnded)
      let secondApp = try await container.launch(HabitsApp.self)
      try await secondApp.perform("save")
      #expect(app.hasEnded)
    }
  }

  @Test(.container, .timeLimit(.minutes(5)))
  func `an app in another container than the test's does not wait for room`() async throws {
    let container = try FakeContainer.current
    try await withRoomForOneApp {
      let app = try await container.launch(HabitsApp.self)
      let other = try FakeContainer()
      try await other.launch(HabitsApp.self).perform("save")
      #expect(!app.hasEnded)
    }
  }

  @Test func `waiting processes get room by urgency, and then by arrival`() async {
    let limit = ProcessLimit(count: 1)
    let order = CollectedValues<String>()
    await limit.waitForTurn()
    await withTaskGroup { group in
      for (count, urgency) in [2, 1, 2, 3].enumerated() {
        group.addTask {
          await limit.waitForTurn(urgency: urgency)
          order.add("\(urgency) as \(count)")
          await limit.endTurn()
        }
        while await limit.waitingTasks.count == count { await Task.yield() }
      }
      #expect(order.values.isEmpty)
      await limit.endTurn()
    }
    #expect(order.values == ["3 as 3", "2 as 0", "2 as 2", "1 as 1"])
  }
}

/// An app whose action `enter` fails if another process has entered and not left.
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
