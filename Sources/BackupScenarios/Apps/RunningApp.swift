package import BackupApp
package import BackupContainer
package import BackupFileTree

/// How a scenario's app is started: as a guest of the test's process, or as one of its own.
package protocol AppHost: Sendable {
  var actions: AppActions { get }
  var runsCodeAtLaunch: Bool { get }

  /// Whether it is known that the app has no `launch` of its own; not before the first start.
  var lacksLaunch: Bool { get }

  var runsInProcess: Bool { get }

  /// Starts the app, without running code of its own yet; the caller keeps the container.
  func start(
    _ launch: AppLaunch, in container: FakeContainer
  ) async throws(AppFailure) -> any RunningApp

  /// Whether the app may have a check of its own.
  var mayCheck: Bool { get }

  /// Runs the app's own check on a copy of the container; throws what it throws, or ``AppFailure``
  /// if it did not come to its end.
  func check(_ launch: AppLaunch, in container: FakeContainer) async throws
}

extension AppHost {
  package var lacksLaunch: Bool { !runsCodeAtLaunch }
  package var mayCheck: Bool { false }

  package func check(_ launch: AppLaunch, in container: FakeContainer) async throws {}
}

package protocol RunningApp: Sendable {
  /// Runs what the app does at each start.
  ///
  /// - Throws: What the code throws; ``AppFailure`` where it did not come to its end.
  func launch(_ launch: AppLaunch) async throws

  /// Runs a bound action.
  ///
  /// - Throws: What the code throws; ``AppFailure`` where it did not come to its end.
  func perform(_ call: ActionCall) async throws

  /// Where an item is on iOS that the app's process has put somewhere else.
  func systemPath(of path: ContainerPath) -> ContainerPath

  /// Where the app's process keeps temporary files, if that is not its container's `tmp`: a folder that it
  /// shares with other processes, in which the kit sees nothing. nil before its code has run.
  var sharedTemporaryFolder: String? { get }

  /// Lets the app go on between two requests, with what it still has to do.
  func resume()

  /// Whether it was ended, by the system or by a test.
  var hasEnded: Bool { get }

  /// Ends the app with all that belongs to it; a second call does nothing.
  func end()
}

extension RunningApp {
  package func systemPath(of path: ContainerPath) -> ContainerPath { path }
  package var sharedTemporaryFolder: String? { nil }
  package func resume() {}
}

/// The app's code as a guest in the test's own process, with the container as its task's.
package struct GuestHost: AppHost {
  package let actions: AppActions
  package var runsCodeAtLaunch: Bool { launchCode != nil }
  package var runsInProcess: Bool { true }
  fileprivate let launchCode: (@Sendable (AppLaunch) async throws -> Void)?
  private let checkCode: (@Sendable (AppLaunch) async throws -> Void)?
  private let hasNoCheck = Locked(false)
  package var mayCheck: Bool { checkCode != nil && !hasNoCheck.withLock { $0 } }

  package init(
    _ actions: AppActions, launch: (@Sendable (AppLaunch) async throws -> Void)? = nil,
    check: (@Sendable (AppLaunch) async throws -> Void)? = nil
  ) {
    self.actions = actions
    self.launchCode = launch
    self.checkCode = check
  }

  package func check(_ launch: AppLaunch, in container: FakeContainer) async throws {
    try await checkCode?(launch)
    if launch.isUnchecked.withLock({ $0 }) { hasNoCheck.withLock { $0 = true } }
  }

  package func start(
    _ launch: AppLaunch, in container: FakeContainer
  ) async throws(AppFailure) -> any RunningApp {
    GuestApp(host: self)
  }
}

/// A guest that was started, which means nothing: its statics are those of the test's process.
private struct GuestApp: RunningApp {
  let host: GuestHost
  private let isEnded = Locked(false)

  var hasEnded: Bool { isEnded.withLock { $0 } }

  func launch(_ launch: AppLaunch) async throws { try await host.launchCode?(launch) }

  func perform(_ call: ActionCall) async throws {
    try await host.actions.bindings[call.name]?.code(call)
  }

  func end() { isEnded.withLock { $0 = true } }
}
