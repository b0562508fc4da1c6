package import BackupApp
package import BackupContainer
package import BackupFileTree

/// Starts a scenario's app. The app's code runs in the test's process (``InProcessHost``) or in a
/// process of its own.
package protocol AppHost: Sendable {
  var actions: AppActions { get }
  /// True if the app may have launch code, which runs at each start.
  var runsCodeAtLaunch: Bool { get }

  /// True if the kit knows that the app has no launch code. If the app has its own process, the kit
  /// learns this at the first launch.
  var lacksLaunchCode: Bool { get }

  /// True if the app's code runs in the test's process.
  var runsInTestProcess: Bool { get }

  /// Starts the app, but does not run its launch code. The caller must keep `container` alive.
  func start(
    _ launch: AppLaunch, in container: FakeContainer
  ) async throws(AppFailure) -> any RunningApp

  /// True unless the kit knows that the app has no `check` code.
  var mayHaveCheck: Bool { get }

  /// Runs the app's `check` code on a copy of the container. Throws the error of the code, or
  /// ``AppFailure`` if the code did not reach its end.
  func check(_ launch: AppLaunch, in container: FakeContainer) async throws
}

extension AppHost {
  package var lacksLaunchCode: Bool { !runsCodeAtLaunch }
  package var mayHaveCheck: Bool { false }

  package func check(_ launch: AppLaunch, in container: FakeContainer) async throws {}
}

package protocol RunningApp: Sendable {
  /// Runs the app's launch code.
  ///
  /// - Throws: The error of the code, or ``AppFailure`` if the code did not reach its end.
  func launch(_ launch: AppLaunch) async throws

  /// Runs the code of an action.
  ///
  /// - Throws: The error of the code, or ``AppFailure`` if the code did not reach its end.
  func perform(_ call: ActionCall) async throws

  /// Returns the path that an item would have on iOS. Foundation may use a different path, because
  /// its file names contain the name of the process.
  func systemPath(of path: ContainerPath) -> ContainerPath

  /// The folder for temporary files; nil if the folder is the container's `tmp`, or before the
  /// app's code has run. Other processes share the folder, so the kit does not look into it.
  var sharedTemporaryFolder: String? { get }

  /// Lets the app continue unfinished work between two requests.
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

/// Runs the app's code in the test's own process.
package struct InProcessHost: AppHost {
  package let actions: AppActions
  package var runsCodeAtLaunch: Bool { launchCode != nil }
  package var runsInTestProcess: Bool { true }
  fileprivate let launchCode: (@Sendable (AppLaunch) async throws -> Void)?
  private let checkCode: (@Sendable (AppLaunch) async throws -> Void)?
  private let hasNoCheck = Locked(false)
  package var mayHaveCheck: Bool { checkCode != nil && !hasNoCheck.withLock { $0 } }

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
    if launch.usesDefaultCheck.withLock({ $0 }) { hasNoCheck.withLock { $0 = true } }
  }

  package func start(
    _ launch: AppLaunch, in container: FakeContainer
  ) async throws(AppFailure) -> any RunningApp {
    InProcessApp(host: self)
  }
}

/// An app that runs in the test's process. A start does nothing: the static variables belong to the
/// test's process and keep their values.
private struct InProcessApp: RunningApp {
  let host: InProcessHost
  private let isEnded = Locked(false)

  var hasEnded: Bool { isEnded.withLock { $0 } }

  func launch(_ launch: AppLaunch) async throws { try await host.launchCode?(launch) }

  func perform(_ call: ActionCall) async throws {
    try await host.actions.bindings[call.name]?.code(call)
  }

  func end() { isEnded.withLock { $0 = true } }
}
