#if os(macOS) || os(Linux)
import BackupApp
import BackupContainer
import Foundation
import TestSupport
import Testing

@testable import BackupScenarios
@testable import BackupTesting

/// Of several launches at once the first counts, and no app is lost.
@Suite(.container(extensions: ["com.example.app.widget"])) struct LaunchesAtOnceTests {
  /// An app that counts as running until it is ended.
  private final class Dummy: RunningApp {
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
    let runsInTestProcess = false
    let app = Dummy()
    var meanwhile: @Sendable () async -> Void = {}
    /// Why it cannot start it; nil where it can.
    var failure: String?

    func start(
      _ launch: AppLaunch, in container: FakeContainer
    ) async throws(AppFailure) -> any RunningApp {
      await meanwhile()
      if let failure { throw AppFailure(failure) }
      return app
    }
  }

  /// The session of the test's container.
  private let session: ContainerSession

  init() throws {
    session = try FakeContainer.current.session(at: .unknown)
  }

  /// Launches an app, or an extension, while something else is done; it has to be ended then.
  private func requireEnded(
    extension identifier: String? = nil, _ meanwhile: @escaping @Sendable () async -> Void
  ) async {
    let host = DummyHost { await meanwhile() }
    let error = await #expect(throws: RunError.self) {
      _ = try await session.launch(host, extension: identifier, at: .unknown)
    }
    #expect(error?.code == .appEnded && host.app.hasEnded)
  }

  @Test(arguments: [nil, "com.example.app.widget"])
  func `one that comes meanwhile is an error, and does nothing`(_ identifier: String?) async throws
  {
    let host = DummyHost { [session] in
      let error = await #expect(throws: RunError.self) {
        _ = try await session.launch(DummyHost(), extension: identifier, at: .unknown)
      }
      #expect(error?.code == .performing && error?.description.contains("wait for each") == true)
    }
    _ = try await session.launch(host, extension: identifier, at: .unknown)
    #expect(!host.app.hasEnded)
    _ = try await session.launch(DummyHost(), extension: identifier, at: .unknown)
    #expect(host.app.hasEnded)
  }

  @Test(arguments: [nil, "com.example.app.widget"])
  func `one that failed is in nobody's way`(_ identifier: String?) async throws {
    await #expect(throws: RunError.self) {
      _ = try await session.launch(DummyHost(failure: "no"), extension: identifier, at: .unknown)
    }
    _ = try await session.launch(DummyHost(), extension: identifier, at: .unknown)
  }

  @Test(arguments: [nil, "com.example.app.widget"])
  func `a kill meanwhile ends it, and so does the end of the test`(_ identifier: String?) async {
    await requireEnded(extension: identifier) { [session] in
      #expect(throws: Never.self) { try session.perform(.kill, at: .unknown) }
    }
    await requireEnded(extension: identifier) { [session] in session.endApp() }
  }

  @Test(.enabled(if: ShownProcesses.haveDaemons))
  func `of several processes one is left`() async throws {
    let container = try FakeContainer.current
    let launches = await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { () -> Result<FakeContainer.LaunchedApp, any Error> in
          do { return .success(try await container.launch(HostileApp.self)) } catch {
            return .failure(error)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let left = launches.compactMap { try? $0.get() }.filter { !$0.hasEnded }
    #expect(left.count == 1)
    for case .failure(let error) in launches {
      #expect((error as? RunError)?.code == .performing)
    }
    #expect(ShownProcesses.working(in: container.url.path).count == left.count)
  }
}
#endif
