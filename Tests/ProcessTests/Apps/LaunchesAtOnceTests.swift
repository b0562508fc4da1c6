import BackupContainer
import Foundation
import TestSupport
import Testing

@testable import BackupScenarios
@testable import BackupTesting

/// Of several launches at once the latest counts, and no app is lost.
@Suite(.container(extensions: ["com.example.app.widget"])) struct LaunchesAtOnceTests {
  /// An app that counts as running until it is ended.
  private final class Dummy: RunningApp {
    /// Whether it was ended.
    private let isEnded = Locked(false)

    func launch(_ launch: AppLaunch) async throws {}

    func perform(_ call: ActionCall) async throws {}

    var hasEnded: Bool { isEnded.withLock { $0 } }

    func end() { isEnded.withLock { $0 = true } }
  }

  /// Starts a given app, when something else has been done.
  private struct DummyHost: AppHost {
    let actions = AppActions()
    let runsCodeAtLaunch = false
    let runsInProcess = false
    /// What it starts.
    let app = Dummy()
    /// What is done meanwhile.
    var meanwhile: @Sendable () async -> Void = {}

    func start(
      _ launch: AppLaunch, in container: FakeContainer
    ) async throws(AppFailure) -> any RunningApp {
      await meanwhile()
      return app
    }
  }

  /// The session of the test's container.
  private let session: ContainerSession

  init() throws {
    session = try #require(FakeContainer.current).session(at: .unknown)
  }

  /// Launches an app, or an extension, while something else is done; it has to be ended then.
  private func requireEnded(
    extension identifier: String? = nil, _ meanwhile: @escaping @Sendable () async -> Void
  ) async {
    let host = DummyHost(meanwhile: meanwhile)
    let error = await #expect(throws: RunError.self) {
      _ = try await session.launch(host, extension: identifier, at: .unknown)
    }
    #expect(error?.code == .appEnded && host.app.hasEnded)
  }

  @Test(arguments: [nil, "com.example.app.widget"])
  func `one that comes meanwhile ends the former`(_ identifier: String?) async {
    let later = DummyHost()
    await requireEnded(extension: identifier) { [session] in
      await #expect(throws: Never.self) {
        _ = try await session.launch(later, extension: identifier, at: .unknown)
      }
    }
    #expect(!later.app.hasEnded)
    session.endApp()
    #expect(later.app.hasEnded)
  }

  @Test(arguments: [nil, "com.example.app.widget"])
  func `a kill meanwhile ends it, and so does the end of the test`(_ identifier: String?) async {
    await requireEnded(extension: identifier) { [session] in
      #expect(throws: Never.self) { try session.killApp(at: .unknown) }
    }
    await requireEnded(extension: identifier) { [session] in session.endApp() }
  }

  @Test(.enabled(if: ShownProcesses.haveDaemons))
  func `of several processes one is left at most`() async throws {
    let container = try #require(FakeContainer.current)
    let apps = await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { try? await container.launch(HostileApp.self) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let left = apps.compactMap(\.self).filter { !$0.hasEnded }
    #expect(left.count <= 1)
    #expect(ShownProcesses.working(in: container.url.path).count == left.count)
  }
}
