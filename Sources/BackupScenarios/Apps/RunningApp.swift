package import BackupApp
package import BackupContainer
package import BackupFileTree

/// The way in which a scenario's app is started: as a guest in the test's process, or in a process
/// of its own.
package protocol AppHost: Sendable {
  var actions: AppActions { get }
  var runsCodeAtLaunch: Bool { get }

  /// True if the app is known to have no `launch` of its own, which the kit learns at the first start.
  var lacksLaunch: Bool { get }

  var runsInProcess: Bool { get }

  /// Starts the app without running its code. The caller keeps the container.
  func start(
    _ launch: AppLaunch, in container: FakeContainer
  ) async throws(AppFailure) -> any RunningApp

  /// True if the app may have a check of its own.
  var mayCheck: Bool { get }

  /// Runs the app's own check on a copy of the container. Throws the error of the check, or
  /// ``AppFailure`` if the check did not reach its end.
  func check(_ launch: AppLaunch, in container: FakeContainer) async throws
}

extension AppHost {
  package var lacksLaunch: Bool { !runsCodeAtLaunch }
  package var mayCheck: Bool { false }

  package func check(_ launch: AppLaunch, in container: FakeContainer) async throws {}
}

package protocol RunningApp: Sendable {
  /// Runs the app's code for each launch.
  ///
  /// - Throws: The error of the code, or ``AppFailure`` if the code did not reach its end.
  func launch(_ launch: AppLaunch) async throws

  /// Runs a bound action.
  ///
  /// - Throws: The error of the code, or ``AppFailure`` if the code did not reach its end.
  func perform(_ call: ActionCall) async throws

  /// Returns the path on iOS of an item that the app's process has put somewhere else.
  func systemPath(of path: ContainerPath) -> ContainerPath

  /// The folder in which the app's process keeps temporary files, if it is not the container's
  /// `tmp`; nil before the app's code has run. Other processes share the folder, so the kit sees
  /// nothing in it.
  var sharedTemporaryFolder: String? { get }

  /// Lets the app continue between two requests, with the work that it still has to do.
  func resume()

  /// True if the system or a test ended the app.
  var hasEnded: Bool { get }

  /// Ends the app with all its processes. A second call does nothing.
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

/// A guest that was started. The start itself does nothing, because the static variables are those
/// of the test's process.
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
