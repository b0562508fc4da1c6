#if os(macOS) || os(Linux)
import BackupApp
import BackupContainer
import Foundation
import TestSupport
import Testing

@testable import BackupScenarios
@testable import BackupTesting

/// Of several launches at the same time, only the first succeeds, and only its process remains.
@Suite(.container(extensions: ["com.example.app.widget"])) struct LaunchesAtOnceTests {
  /// An app that counts as running until it is ended.
  private final class DummyApp: RunningApp {
    private let isEnded = Locked(false)

    func launch(_ launch: AppLaunch) async throws {}

    func perform(_ call: ActionCall) async throws {}

    var hasEnded: Bool { isEnded.withLock { $0 } }

    func end() { isEnded.withLock { $0 = true } }
  }

  /// Starts a `DummyApp` after it has called `meanwhile`.
  private struct DummyHost: AppHost {
    let actions = AppActions()
    let runsCodeAtLaunch = false
    let runsInTestProcess = false
    let app = DummyApp()
    var meanwhile: @Sendable () async -> Void = {}
    /// The reason why the start fails; nil if it succeeds.
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

  /// Launches an app or an extension, and calls `meanwhile` during the launch. Expects that the kit
  /// has ended the app.
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
  func `a launch during another launch is an error without an effect`(_ identifier: String?)
    async throws
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
  func `after a failed launch, the next launch succeeds`(_ identifier: String?) async throws {
    await #expect(throws: RunError.self) {
      _ = try await session.launch(DummyHost(failure: "no"), extension: identifier, at: .unknown)
    }
    _ = try await session.launch(DummyHost(), extension: identifier, at: .unknown)
  }

  @Test(arguments: [nil, "com.example.app.widget"])
  func `a kill or the end of the test during a launch ends the app`(_ identifier: String?) async {
    await requireEnded(extension: identifier) { [session] in
      #expect(throws: Never.self) { try session.perform(.kill, at: .unknown) }
    }
    await requireEnded(extension: identifier) { [session] in session.endApp() }
  }

  @Test(.enabled(if: VisibleProcesses.canFindDaemons))
  func `of several launches at once, one process remains`() async throws {
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
    let running = launches.compactMap { try? $0.get() }.filter { !$0.hasEnded }
    #expect(running.count == 1)
    for case .failure(let error) in launches {
      #expect((error as? RunError)?.code == .performing)
    }
    #expect(VisibleProcesses.working(in: container.url.path).count == running.count)
  }
}
#endif
