#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupScenarios
@testable import BackupTesting

/// After each step, the kit waits until the app is quiet, and then stops its process.
struct AppQuietTests {
  @Test(.container) func `a file that the app writes soon after an action belongs to the action`()
    async throws
  {
    let container = try FakeContainer.current
    let app = try await container.launch(HabitsApp.self)
    try await app.perform("late")
    #expect(try container.scan().contains(try ContainerPath("Documents/late")))
  }

  @Test func `an app that still works after the last step gets no golden file`() async throws {
    let folder = try TestFolder([
      "Scenarios/x.json5":
        "{ title: 'X', steps: [{ perform: 'save' }, { perform: 'saveWhenTold' }, "
        + "{ place: 'Documents/told', size: 1 }, { backup: 'one' }] }"
    ])
    let process = TestProcess(
      environment: [:], folder: folder.url, limits: TestProcess.current.limits)
    let issues = try await TestProcess.$current.withValue(process) {
      let scenario = try #require(try Scenario.all(in: folder.path + "/Scenarios").first)
      return await TestIssue.collecting {
        await scenario.run(HabitsApp.self, options: .init(recordMode: .missing))
      }
    }
    let errors = issues.filter(\.isFailure).map(\.text)
    #expect(errors.count == 1, "\(errors)")
    #expect(errors.first?.contains("' changed after the last step, and step 2 (perf") == true)
    #expect(!folder.files().contains { $0.hasSuffix(".golden") })
  }

  @Test(.container) func `an app that writes without end is a warning, and is stopped`()
    async throws
  {
    let container = try FakeContainer.current
    let app = try await container.launch(HabitsApp.self)
    let issues = await TestIssue.collecting {
      await #expect(throws: Never.self) { try await app.perform("endless") }
    }
    #expect(issues.allSatisfy { !$0.isFailure })
    #expect(issues.contains { $0.text.contains("is still working one second after") })
    let file = container.url.appendingPathComponent("Documents/endless")
    let first = try container.scan()
    let numbers = try (0..<1000).map { _ in try String(contentsOf: file, encoding: .utf8) }
    #expect(Set(numbers).count == 1)
    #expect(try container.scan() == first)
  }

  @Test(.container) func `after a launch without app code, the kit does not wait for the app`()
    async throws
  {
    #expect(try await Self.requests(toLaunch: IdleApp.self) == 1)
    // The second request waits for the app's work after the launch.
    #expect(try await Self.requests(toLaunch: HabitsApp.self) == 2)
  }

  /// The number of requests that an app gets at a launch.
  private static func requests(toLaunch app: (some AppUnderTest).Type) async throws -> Int {
    let container = try FakeContainer.current
    let host = try await ProcessHost.host(
      for: app, timeLimit: nil, limit: nil, at: #_sourceLocation)
    let launch = AppLaunch(
      bundleIdentifier: "com.example.quiet", container: container.locations,
      system: try #require(SystemVersion("26")), appVersion: "1", launchCount: 1, keychain: .kept)
    let started = try #require(try await host.start(launch, in: container) as? ProcessApp)
    defer { started.end() }
    try await started.launch(launch)
    return started.requestCount.withLock { $0 }
  }
}
#endif
